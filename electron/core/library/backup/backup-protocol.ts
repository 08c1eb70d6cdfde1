import type { BackupContents, LibraryBackup } from '../../../contract/model/backup.ts';
import type { TaskProgress } from '../../../contract/model/library-task.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { BackupQuestion } from './read-backup.ts';
import type { BackupWish } from './write-backup.ts';

/** What a thread is started for; it ends with it. */
export type BackupTask =
  | { readonly kind: 'write'; readonly wish: BackupWish }
  | { readonly kind: 'read'; readonly question: BackupQuestion };

/** What the thread is started with. */
export interface BackupSettings {
  readonly task: BackupTask;
  /** One 32-bit number: not zero once nobody wants the work any more. */
  readonly cancelled: SharedArrayBuffer;
}

/** What a task comes to. */
export interface BackupResults {
  readonly write: LibraryBackup;
  readonly read: BackupContents;
}

/** What the thread says. */
export type FromBackupThread =
  | { readonly kind: 'progress'; readonly progress: TaskProgress }
  | { readonly kind: 'done'; readonly result: BackupResults[BackupTask['kind']] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: Problem };
