import { z } from 'zod';
import type { ModelId } from '../../contract/choices.ts';
import type { SpeechOptions } from '../../contract/options.ts';
import type { Segment } from '../../contract/segment-schema.ts';

/**
 * A position up to which a recording is transcribed, and what the engine has to remember to continue there as if it had
 * not been interrupted. Stored as JSON.
 */
export const checkpointSchema = z
  .object({
    /** The first sample that is not transcribed. */
    atSamples: z.int().nonnegative(),
    /**
     * Where the voice detector continues, some seconds earlier, and its state there as base64. The key has a historic
     * name.
     */
    voices: z.object({ atSamples: z.int().nonnegative(), state: z.base64().nullable() }),
    /** When the last segment before it ends, in seconds. */
    endSeconds: z.number().nonnegative(),
    /** The evidence for each detected language; see `LanguageDetection`. */
    languages: z.object({ windows: z.int().nonnegative(), sums: z.record(z.string(), z.number()) }),
    /** The previous text as tokens, and when it ends in seconds; `null` without one. */
    previous: z
      .object({
        tokens: z.array(z.int().nonnegative()),
        endSeconds: z.number(),
        /** Size of the vocabulary that they belong to. Earlier versions, which did not store it, had 51,865. */
        tokenCount: z.int().positive().default(51_865),
      })
      .nullable(),
  })
  .readonly();
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** What a window added to the transcript of the current run. */
export interface WindowUpdate {
  /**
   * How many segments of this run stay unchanged. Where this window begins within the previous one, the last segment may
   * be replaced.
   */
  readonly keptSegments: number;
  /** The segments after those. */
  readonly added: readonly Segment[];
  /** The language so far. */
  readonly language: string | null;
  /** `null` when the next window begins within this one, where a transcription cannot be resumed. */
  readonly checkpoint: Checkpoint | null;
}

/** Speech to be turned into text. */
export interface SpeechRequest {
  /**
   * Mono samples in -1..1 at 16 kHz from the start of the recording, in order, in chunks of any length. Read only as fast
   * as they are needed.
   */
  readonly samples: AsyncIterable<Float32Array>;
  /** Where to continue an interrupted transcription; the result then begins there. Absent: at the start. */
  readonly checkpoint?: Checkpoint | null;
  readonly options: SpeechOptions;
  /** The model to use; the one for the options when absent. */
  readonly model?: ModelId;
  /** Stops the work within a second; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reports the seconds of audio that are done, in ascending order. */
  readonly onProgress: (secondsDone: number) => void;
  /** Reports the text of each window as soon as it is known. */
  readonly onWindow?: (update: WindowUpdate) => void;
}

export interface Transcription {
  /** ISO 639 code of the spoken language, requested or detected; `null` when there was no speech. */
  readonly language: string | null;
  /** In order, from the checkpoint on; times in seconds of the recording. Empty without speech. */
  readonly segments: readonly Segment[];
}

export interface SpeechResult extends Transcription {
  /**
   * The model whose speed this was, as a key of `ModelRecords.measuredSpeeds`; `null` when that model handed the recording
   * over to another one.
   */
  readonly speedKey: string | null;
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
