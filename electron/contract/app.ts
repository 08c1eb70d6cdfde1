import { nothing, command, result } from './command.ts';
import type { Problem } from './problem.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Problems found at start that the user should know of. */
  readonly startProblems: readonly Problem[];
  /** `true` until the user has chosen a service. */
  readonly firstStart: boolean;
}

export const appCommands = {
  'app.info': command({ input: nothing, result: result<AppInfo>() }),
  'app.showDataFolder': command({ input: nothing }),
  /** Asks where to, and saves a log without keys and file names; the name of the file, `null` when it was not saved. */
  'app.saveLog': command({ input: nothing, result: result<{ readonly name: string | null }>() }),
  /** Answers `app.ending`: everything that the window had to say has been sent. */
  'app.mayEnd': command({ input: nothing }),
} as const;
