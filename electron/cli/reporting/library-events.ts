import type { BackupContents, LibraryBackup, RestoreReport } from '../../contract/backup.ts';
import type { ExportFormat } from '../../contract/choices.ts';
import type { TaskProgress } from '../../contract/library-task.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type { Problem } from '../../contract/problem.ts';

/** What a command does with the library: its words are under `cli.library.task`. */
export type LibraryStep = 'index' | 'backup' | 'copy' | 'read' | 'restore' | 'export';

interface FileOfTranscript {
  readonly transcript: TranscriptId;
  /** The transcript's. */
  readonly name: string;
  readonly format: ExportFormat;
}

/** Something that a command for the library tells whoever reads along. */
export type LibraryEvent =
  /** `total` is 0 while it is not known; of `copy` they are bytes. */
  | ({ readonly type: 'progress'; readonly task: LibraryStep } & Pick<TaskProgress, 'done' | 'total'>)
  /** Something that was named and cannot be used. */
  | { readonly type: 'left-out'; readonly name: string; readonly problem: Problem }
  | { readonly type: 'backup'; readonly backup: LibraryBackup }
  /** A backup was opened; nothing is restored yet. */
  | { readonly type: 'contents'; readonly contents: BackupContents }
  | { readonly type: 'restored'; readonly report: RestoreReport }
  | ({ readonly type: 'file'; readonly path: string } & FileOfTranscript)
  /** A file of this name was there, and was left alone. */
  | ({ readonly type: 'file-skipped' } & FileOfTranscript)
  | ({ readonly type: 'file-failed'; readonly problem: Problem } & FileOfTranscript)
  | ({ readonly type: 'end' } & ExportEnd);

/** What came of an export, in files. */
export interface ExportEnd {
  readonly ending: 'finished' | 'interrupted';
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Not written, because it was called off. */
  readonly left: number;
}

/** Tells of work on the library: as lines for people, or as JSON for programs. */
export interface LibraryReporter {
  tell(event: LibraryEvent): void;
  /** Nothing is told after this. */
  close(): void;
}
