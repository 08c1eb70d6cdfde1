import type { JobOptions } from '../../contract/options.ts';
import type { Segment } from '../../contract/segment.ts';

/** Speech to be turned into text. */
export interface SpeechRequest {
  /** Mono samples in -1..1 at 16 kHz, in order, in chunks of any length. Read only as fast as they are needed. */
  readonly samples: AsyncIterable<Float32Array>;
  readonly options: JobOptions;
  /** Ends the work within a second; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Seconds of sound that are done, rising. */
  readonly onProgress: (secondsDone: number) => void;
}

export interface SpeechResult {
  /** ISO 639 code of the spoken language, asked for or detected; `null` when there was no speech to tell it from. */
  readonly language: string | null;
  /** In order; times in seconds. Empty when nobody speaks. */
  readonly segments: readonly Segment[];
}

/** Turns speech into text. One implementation runs Whisper on ONNX Runtime; tests may bring a quicker one. */
export interface SpeechEngine {
  /**
   * @throws ModelError when the model for the wanted accuracy is not there or not whole; EngineStoppedError when the
   *   engine broke down over it.
   */
  transcribe(request: SpeechRequest): Promise<SpeechResult>;
  close(): Promise<void>;
}

/** The engine ended before it was done with a request; the next one starts it anew. */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}
