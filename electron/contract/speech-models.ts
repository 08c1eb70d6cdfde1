import { z } from 'zod';
import { type Accuracy, accuracies } from './choices.ts';
import { nothing, command, result } from './command.ts';
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

/** A model is named by what it is used for. */
const model = z.strictObject({ accuracy: z.enum(accuracies) });

export const modelCommands = {
  'models.list': command({ input: nothing, result: result<readonly SpeechModel[]>() }),
  /** Begins, or goes on with, a download; how it goes is told by `models.changed`. */
  'models.download': command({ input: model }),
  /** Ends a download; what has come is kept, so that it can go on. */
  'models.stopDownload': command({ input: model }),
  /** Removes what was downloaded. What came with the program, and the user's own folder, stay. */
  'models.delete': command({ input: model }),
  /** Asks for a folder and uses it from now on in the model's place; refuses one that holds no fitting model. */
  'models.chooseFolder': command({ input: model, result: result<{ readonly chosen: boolean }>() }),
  'models.forgetFolder': command({ input: model }),
  /** Measures the model's speed with a short sound of the program; refuses while it cannot be used. */
  'models.measure': command({ input: model }),
} as const;
