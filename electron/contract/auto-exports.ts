import { noInput, command, result } from './command.ts';
import type { Problem } from './problem.ts';

/** Auto exports that failed. Their transcripts are in the library anyway. */
export interface FailedAutoExports {
  readonly count: number;
  /** The name of the folder of the latest one; `null` if unknown. */
  readonly folder: string | null;
  /** Why the latest one failed. */
  readonly problem: Problem;
}

/** Commands about the files that are exported automatically after each transcript. */
export const autoExportCommands = {
  /** Returns those that failed; `null` if there are none. */
  'autoExports.failed': command({ input: noInput, result: result<FailedAutoExports | null>() }),
  /** Retries them; returns those that failed again. */
  'autoExports.retry': command({ input: noInput, result: result<FailedAutoExports | null>() }),
  /** Asks for a folder and retries there; nothing changes when the user closes the dialog. */
  'autoExports.retryInFolder': command({ input: noInput, result: result<FailedAutoExports | null>() }),
  /** Forgets these files; their transcripts stay. */
  'autoExports.dismiss': command({ input: noInput, result: result<null>() }),
} as const;
