/** Identifies one run of a long task; the window that starts it makes a new one each time. */
export type TaskId = string;

/** The progress of a long task. */
export interface TaskProgress {
  readonly done: number;
  readonly total: number;
  /** What is counted; transcripts if absent. */
  readonly unit?: 'bytes' | 'files' | 'seconds';
}

/** The long tasks of the library. Tasks of one kind run one after the other. */
export type LibraryTask =
  | 'backup'
  | 'restore'
  | 'find'
  | 'replace'
  | 'recordings'
  | 'purge'
  | 'import'
  | 'import-jobs'
  | 'export'
  | 'speakers'
  | 'speaker-models';

/** The progress of one run, sent at most once per 100 ms. */
export interface LibraryTaskProgress extends TaskProgress {
  readonly task: TaskId;
  /** Whether it has not started, because another one of its kind is running. */
  readonly isWaiting: boolean;
}
