import { z } from 'zod';

/** The number of the journal of an interrupted export. */
export const exportRecord = z.int().positive();

/**
 * Identifies a task that can be resumed after the end of the program interrupted it: the only import or restore, or one
 * of several exports.
 */
export const resumableTask = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['import', 'restore']) }),
  z.strictObject({ kind: z.literal('export'), record: exportRecord }),
]);
export type ResumableTask = Readonly<z.infer<typeof resumableTask>>;

/** What the end of the program interrupted. */
export interface InterruptedTask {
  readonly task: ResumableTask;
  /** The name of the backup, of the first imported file or folder, or of the folder of an export; empty if it has none. */
  readonly name: string;
  /** How many files were imported or exported, or transcripts restored; `null` if not all had been counted. */
  readonly count: { readonly done: number; readonly total: number } | null;
}
