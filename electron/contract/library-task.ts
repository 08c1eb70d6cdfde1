/** Names one run of something that takes a while; the window that asks for it gives it, each time another one. */
export type TaskId = string;

/** How far something that takes a while has come. */
export interface TaskProgress {
  readonly done: number;
  readonly total: number;
  /** What is counted; transcripts where nothing is said. */
  readonly unit?: 'bytes' | 'files';
}

/** What takes a while in the library. Of one kind, one goes on after the other. */
export type LibraryTask =
  'backup' | 'restore' | 'find' | 'replace' | 'recordings' | 'purge' | 'import' | 'import-jobs';

/** The progress of one run, told at most once each 100 ms. */
export interface LibraryTaskProgress extends TaskProgress {
  readonly task: TaskId;
  /** Whether it has not begun, because another one of its kind goes on. */
  readonly isWaiting: boolean;
}
