import { z } from 'zod';
import { noInput, command, result } from './command.ts';
import type { Problem } from './problem.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Problems found at the start that are shown to the user. */
  readonly startProblems: readonly Problem[];
}

export const appCommands = {
  'app.info': command({ input: noInput, result: result<AppInfo>() }),
  /** Says whether a modal dialog is open: the menu then offers nothing that would change what is behind it. */
  'app.setModal': command({ input: z.strictObject({ isModal: z.boolean() }) }),
  'app.showDataFolder': command({ input: noInput }),
  /** Asks for a file, and saves a log without keys and file names; returns its name, `null` if not saved. */
  'app.saveLog': command({ input: noInput, result: result<{ readonly name: string | null }>() }),
  /** The response to `app.quitting`: the window has sent everything. */
  'app.readyToQuit': command({ input: noInput }),
  /** The number of transcripts with unsaved changes, whenever it changes: a page that is stuck cannot be asked. */
  'app.unsaved': command({ input: z.strictObject({ count: z.int().nonnegative() }) }),
} as const;
