import type { BackupContents, LibraryBackup } from '../../../contract/backup.ts';
import type { TaskProgress } from '../../../contract/library-task.ts';
import type { ReplacePreview } from '../../../contract/replace.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ReadBackupRequest } from '../backup/read-backup.ts';
import type { WriteBackupRequest } from '../backup/write-backup.ts';
import type { FindInAllRequest } from '../replace/find-in-all.ts';

/** What a thread is started for; it ends with it. */
export type ThreadTask =
  | { readonly kind: 'write-backup'; readonly wish: WriteBackupRequest }
  | { readonly kind: 'read-backup'; readonly question: ReadBackupRequest }
  | { readonly kind: 'find'; readonly question: FindInAllRequest };

/** What each task comes to. */
export interface TaskResults {
  readonly 'write-backup': LibraryBackup;
  readonly 'read-backup': BackupContents;
  readonly find: ReplacePreview;
}

/** What the thread is started with. */
export interface TaskSettings {
  readonly task: ThreadTask;
  /** One 32-bit number: not zero once nobody wants the work any more. */
  readonly cancelled: SharedArrayBuffer;
}

/** What the thread says. */
export type FromTaskThread =
  | { readonly kind: 'progress'; readonly progress: TaskProgress }
  | { readonly kind: 'done'; readonly result: TaskResults[ThreadTask['kind']] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: Problem };
