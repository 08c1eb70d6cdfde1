/** Tasks of the library that can be resumed after the end of the program interrupted them. */
export const resumableTasks = ['import', 'restore'] as const;
export type ResumableTask = (typeof resumableTasks)[number];

/** What the end of the program interrupted. */
export interface InterruptedTask {
  readonly kind: ResumableTask;
  /** The name of the backup, or of the first imported file or folder. */
  readonly name: string;
  /** How many files were imported, or transcripts restored; `null` if not all had been counted. */
  readonly count: { readonly done: number; readonly total: number } | null;
}
