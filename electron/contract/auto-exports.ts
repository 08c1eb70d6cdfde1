import { nothing, command, result } from './command.ts';
import type { Problem } from './problem.ts';

/**
 * Files that were to be saved after their transcripts by themselves, and could not be. The transcripts are in the
 * library all the same.
 */
export interface FailedAutoExports {
  readonly count: number;
  /** The last part of the folder that the latest of them was to be saved in; `null` when it is not known. */
  readonly folder: string | null;
  /** Why the latest of them could not be saved. */
  readonly problem: Problem;
}

/** Commands about the files that are saved after each transcript by themselves. */
export const autoExportCommands = {
  /** Those that could not be saved; `null` when there are none. */
  'saves.failed': command({ input: nothing, result: result<FailedAutoExports | null>() }),
  /** Saves them where they were to be; answers what could not be saved this time. */
  'saves.tryAgain': command({ input: nothing, result: result<FailedAutoExports | null>() }),
  /** Asks for a folder and saves them there; nothing changes when the user closes the dialog. */
  'saves.elsewhere': command({ input: nothing, result: result<FailedAutoExports | null>() }),
  /** The user does without these files; their transcripts stay. */
  'saves.forget': command({ input: nothing, result: result<null>() }),
} as const;
