import type { JobOptions } from '../../../contract/options.ts';
import type { SpeechResult } from '../speech-engine.ts';

/** What the worker is started with. */
export interface WorkerSettings {
  readonly modelsFolder: string;
  /** Where downloaded models and the user's own folders are told of; `null`: nowhere. */
  readonly downloadedModelsFolder: string | null;
  /** How many cores to use. */
  readonly threads: number;
}

/** To the worker that runs the models. Requests are numbered, and served one after the other. */
export type ToWorker =
  | {
      readonly kind: 'transcribe';
      readonly request: number;
      readonly options: JobOptions;
      /** Memory of an `Interrupt`, requested before `cancel` and `close`: it reaches a busy worker too. */
      readonly interrupt: SharedArrayBuffer;
    }
  /** The answer to `wanted`. */
  | { readonly kind: 'samples'; readonly request: number; readonly samples: Float32Array }
  | { readonly kind: 'end'; readonly request: number }
  | { readonly kind: 'cancel'; readonly request: number }
  /** Let go of everything and end. */
  | { readonly kind: 'close' };

/** From the worker. A request is over with `done`, `failed` or `cancelled`. */
export type FromWorker =
  /** One more chunk of samples, or the end, is wanted. */
  | { readonly kind: 'wanted'; readonly request: number }
  | { readonly kind: 'progress'; readonly request: number; readonly secondsDone: number }
  | { readonly kind: 'done'; readonly request: number; readonly result: SpeechResult }
  | { readonly kind: 'failed'; readonly request: number; readonly model: boolean; readonly message: string }
  | { readonly kind: 'cancelled'; readonly request: number };
