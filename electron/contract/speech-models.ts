import { z } from 'zod';
import { type Accuracy, accuracies } from './choices.ts';
import { nothing, command, result } from './command.ts';
import type { Problem } from './problem.ts';

/** Where a ready model comes from: the program, a download, or a folder of the user. */
export type ModelOrigin = 'bundled' | 'downloaded' | 'own';

/** The state of a model on this computer. */
export type ModelState =
  | { readonly kind: 'ready'; readonly origin: ModelOrigin }
  /** Not installed, except for `keptBytes` of an interrupted download. */
  | { readonly kind: 'absent'; readonly keptBytes: number }
  | { readonly kind: 'downloading'; readonly doneBytes: number; readonly bytesPerSecond: number }
  /** The download failed; `keptBytes` are kept for the next one. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly keptBytes: number }
  /** The user's own folder cannot be used now. */
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** A model of the on-device service and the accuracy that it is used for. */
export interface SpeechModel {
  readonly accuracy: Accuracy;
  /** "Whisper base". */
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: ModelState;
  /** The name of the folder that the user chose for it; `null` if the published model is used. */
  readonly ownFolder: string | null;
  /** Seconds of audio transcribed per second, measured on this computer; `null`: not measured yet. */
  readonly timesRealTime: number | null;
  /** Whether its speed is being measured now. */
  readonly measuring: boolean;
}

/** A model, identified by the accuracy that it is used for. */
const model = z.strictObject({ accuracy: z.enum(accuracies) });

export const modelCommands = {
  'models.list': command({ input: nothing, result: result<readonly SpeechModel[]>() }),
  /** Starts or resumes a download; `models.changed` reports its progress. */
  'models.download': command({ input: model }),
  /** Stops a download and keeps the received bytes, so that it can resume. */
  'models.stopDownload': command({ input: model }),
  /** Deletes a downloaded model. Bundled models and the user's own folder stay. */
  'models.delete': command({ input: model }),
  /** Asks for a folder and uses the model in it; rejects a folder without a suitable model. */
  'models.chooseFolder': command({ input: model, result: result<{ readonly chosen: boolean }>() }),
  'models.forgetFolder': command({ input: model }),
  /** Measures the model's speed with a short recording; rejects while the model cannot be used. */
  'models.measure': command({ input: model }),
} as const;
