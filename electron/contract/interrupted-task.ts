import { z } from 'zod';

/** The number of the journal of an interrupted export. */
export const journalNumberSchema = z.int().positive();

/**
 * Identifies a task that was interrupted when the program exited and can be resumed: the only import or restore, or one
 * of several exports.
 */
export const resumableTask = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['import', 'restore']) }),
  z.strictObject({ kind: z.literal('export'), journalNumber: journalNumberSchema }),
]);
export type ResumableTask = Readonly<z.infer<typeof resumableTask>>;

/** A task that was interrupted when the program exited. */
export interface InterruptedTask {
  readonly task: ResumableTask;
  /** The name of the backup, of the first imported file or folder, or of the folder of an export; empty if it has none. */
  readonly name: string;
  /** How many files were imported or exported, or transcripts restored; `null` if not all had been counted. */
  readonly count: { readonly done: number; readonly total: number } | null;
}
