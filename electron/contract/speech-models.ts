import type { Accuracy } from './choices.ts';
import type { Problem } from './problem.ts';

/** Where a model that is ready came from: with the program, from the network, or from a folder of the user. */
export type ModelOrigin = 'bundled' | 'downloaded' | 'own';

/** How a model is doing on this computer. */
export type ModelState =
  | { readonly kind: 'ready'; readonly origin: ModelOrigin }
  /** Not here; `keptBytes` of it are, from a download that was interrupted. */
  | { readonly kind: 'absent'; readonly keptBytes: number }
  | { readonly kind: 'downloading'; readonly doneBytes: number; readonly bytesPerSecond: number }
  /** The download ended with a problem; `keptBytes` are kept for the next. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly keptBytes: number }
  /** The user's own folder cannot be used at the moment. */
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** A model of the on-device service, and what it is used for. */
export interface SpeechModel {
  readonly accuracy: Accuracy;
  /** "Whisper base". */
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: ModelState;
  /** The folder that the user chose for it, as a person would say it; `null`: the published model is used. */
  readonly ownFolder: string | null;
  /** Seconds of sound that it transcribes in a second, measured on this computer; `null`: not measured yet. */
  readonly timesRealTime: number | null;
  /** Whether its speed is being measured now. */
  readonly measuring: boolean;
}
