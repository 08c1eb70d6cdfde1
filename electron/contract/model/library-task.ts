/** How far something that takes a while has come. */
export interface TaskProgress {
  readonly done: number;
  readonly total: number;
  /** What is counted; transcripts where nothing is said. */
  readonly unit?: 'bytes';
}

/** What takes a while in the library; one of each kind at a time. */
export const libraryTasks = ['backup', 'restore', 'find', 'replace', 'recordings', 'purge'] as const;
export type LibraryTask = (typeof libraryTasks)[number];

/** The progress of a task, told at most once each 100 ms. */
export interface LibraryTaskProgress extends TaskProgress {
  readonly task: LibraryTask;
}
