/** Tasks that can be resumed after the end of the program interrupted them. */
export const resumableTasks = ['import', 'restore', 'export'] as const;
export type ResumableTask = (typeof resumableTasks)[number];

/** What the end of the program interrupted. */
export interface InterruptedTask {
  readonly kind: ResumableTask;
  /** The name of the backup, of the first imported file or folder, or of the folder of an export; empty if it has none. */
  readonly name: string;
  /** How many files were imported or exported, or transcripts restored; `null` if not all had been counted. */
  readonly count: { readonly done: number; readonly total: number } | null;
}
