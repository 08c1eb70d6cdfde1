import type { FailedSaves } from '../auto-exports.ts';
import { nothing } from './inputs.ts';

/** Commands about the files that are saved after each transcript by themselves. */
export const saveCommands = {
  'saves.failed': nothing,
  'saves.tryAgain': nothing,
  'saves.elsewhere': nothing,
  'saves.forget': nothing,
} as const;

export interface SaveResults {
  /** Those that could not be saved; `null` when there are none. */
  'saves.failed': FailedSaves | null;
  /** Saves them where they were to be; answers what could not be saved this time. */
  'saves.tryAgain': FailedSaves | null;
  /** Asks for a folder and saves them there; nothing changes when the user closes the dialog. */
  'saves.elsewhere': FailedSaves | null;
  /** The user does without these files; their transcripts stay. */
  'saves.forget': null;
}
