import type { AppInfo } from '../app.ts';
import { nothing } from './inputs.ts';

export const appCommands = {
  'app.info': nothing,
  'app.showDataFolder': nothing,
  'app.saveLog': nothing,
  'app.mayEnd': nothing,
} as const;

export interface AppResults {
  'app.info': AppInfo;
  /** Answers `app.ending`: everything that the window had to say has been sent. */
  'app.mayEnd': void;
  'app.showDataFolder': void;
  /** Asks where to, and saves a log without keys and file names; the name of the file, `null` when it was not saved. */
  'app.saveLog': { readonly name: string | null };
}
