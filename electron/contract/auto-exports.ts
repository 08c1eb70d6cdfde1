import type { Problem } from './problem.ts';

/**
 * Files that were to be saved after their transcripts by themselves, and could not be. The transcripts are in the
 * library all the same.
 */
export interface FailedSaves {
  readonly count: number;
  /** The last part of the folder that the latest of them was to be saved in; `null` when it is not known. */
  readonly folder: string | null;
  /** Why the latest of them could not be saved. */
  readonly problem: Problem;
}
