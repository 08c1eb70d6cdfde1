import type { JobOptions } from '../../contract/options.ts';
import type { Segment } from '../../contract/segment.ts';

/** Speech to be turned into text. */
export interface SpeechRequest {
  /** Mono samples in -1..1 at 16 kHz, in order, in chunks of any length. Read only as fast as they are needed. */
  readonly samples: AsyncIterable<Float32Array>;
  readonly options: JobOptions;
  /** Stops the work within a second; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reports the seconds of audio that are done, in ascending order. */
  readonly onProgress: (secondsDone: number) => void;
}

export interface SpeechResult {
  /** ISO 639 code of the spoken language, requested or detected; `null` when there was no speech. */
  readonly language: string | null;
  /** In order; times in seconds. Empty without speech. */
  readonly segments: readonly Segment[];
}

/** Turns speech into text: Whisper on ONNX Runtime, or a faster double in tests. */
export interface SpeechEngine {
  /**
   * @throws ModelError when the model for the requested accuracy is missing or damaged; EngineStoppedError when the
   *   engine crashed.
   */
  transcribe(request: SpeechRequest): Promise<SpeechResult>;
  close(): Promise<void>;
}

/** The engine stopped before it finished a request; the next one restarts it. */
export class EngineStoppedError extends Error {
  override readonly name = 'EngineStoppedError';
}
