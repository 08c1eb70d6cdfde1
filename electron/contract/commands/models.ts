import { z } from 'zod';
import type { SpeechModel } from '../speech-models.ts';
import { accuracies } from '../choices.ts';
import { nothing } from './inputs.ts';

/** A model is named by what it is used for. */
const model = z.strictObject({ accuracy: z.enum(accuracies) });

export const modelCommands = {
  'models.list': nothing,
  'models.download': model,
  'models.stopDownload': model,
  'models.delete': model,
  'models.chooseFolder': model,
  'models.forgetFolder': model,
  'models.measure': model,
} as const;

export interface ModelResults {
  'models.list': readonly SpeechModel[];
  /** Begins, or goes on with, a download; how it goes is told by `models.changed`. */
  'models.download': void;
  /** Ends a download; what has come is kept, so that it can go on. */
  'models.stopDownload': void;
  /** Removes what was downloaded. What came with the program, and the user's own folder, stay. */
  'models.delete': void;
  /** Asks for a folder and uses it from now on in the model's place; refuses one that holds no fitting model. */
  'models.chooseFolder': { readonly chosen: boolean };
  'models.forgetFolder': void;
  /** Measures the model's speed with a short sound of the program; refuses while it cannot be used. */
  'models.measure': void;
}
