import { dirname, join } from 'node:path';
import type { BackupContents, LibraryBackup, RestoreReport } from '../../../contract/backup.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Store } from '../../store/store.ts';
import { forEachYielding, runSteps } from '../task/yielding.ts';
import { cancelledWith, runTask, type TaskOptions } from '../task/run-task.ts';
import { removeAbandonedBackups } from './partial-backups.ts';
import { removeCopy } from './read-backup.ts';

export interface LibraryBackupsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The URL of `library-task-worker.ts`. */
  readonly worker: URL;
  /** Called after a restore. */
  readonly onRestored: () => void;
}

export const nothingRestored: RestoreReport = { added: 0, addedAsCopies: 0, outcome: 'finished' };

/** Writes the whole library to one file, opens such files and restores them. */
export class LibraryBackups {
  readonly #options: LibraryBackupsOptions;
  readonly #copy: string;
  readonly #closed = new AbortController();
  readonly #working = new Set<Promise<unknown>>();
  #lastCopyWork: Promise<unknown> = Promise.resolve();
  /** The backup to which the copy belongs, if one is open. */
  #opened: string | null = null;

  constructor(options: LibraryBackupsOptions) {
    this.#options = options;
    this.#copy = join(dirname(options.store.path), 'backup-to-restore.db');
    // A killed process may have left these.
    removeCopy(this.#copy);
    removeAbandonedBackups(dirname(options.store.path), true);
  }

  /**
   * Writes all transcripts with their edits, notes and tags to one file.
   *
   * @param appVersion the version of the program.
   * @param replace whether to overwrite an existing file
   * @throws ProblemError `file_exists`, `backup_no_room`, `backup_folder_gone` or `backup_failed`; CancelledError.
   */
  write(
    target: string,
    { appVersion, replace }: { readonly appVersion: string; readonly replace: boolean },
    options: TaskOptions,
  ): Promise<LibraryBackup> {
    const { store, clock, worker } = this.#options;
    const request = { source: store.path, target, replace, createdAt: clock.now(), appVersion };
    return this.#track(runTask(worker, 'writeBackup', request, cancelledWith(options, this.#closed.signal)));
  }

  /**
   * Opens a backup and compares it with the library; it stays open until it is restored or {@link closeOpened} is
   * called.
   *
   * @throws ProblemError `backup_missing`, `backup_unreadable`, `backup_foreign`, `backup_newer`, `backup_damaged` or
   *   `disk_full`; CancelledError.
   */
  open(file: string, options: TaskOptions): Promise<BackupContents> {
    return this.#withCopy(() => this.#open(file, cancelledWith(options, this.#closed.signal)));
  }

  async #open(file: string, options: TaskOptions): Promise<BackupContents> {
    const { store, worker } = this.#options;
    this.#opened = null;
    const request = { file, copy: this.#copy, library: store.path };
    const contents = await runTask(worker, 'readBackup', request, options);
    this.#opened = file;
    return contents;
  }

  /** The path of the opened backup. */
  get opened(): string | null {
    return this.#opened;
  }

  /** Closes the opened backup, after all earlier work on it. */
  closeOpened(): Promise<void> {
    return this.#withCopy(async () => {
      this.#opened = null;
      removeCopy(this.#copy);
    });
  }

  /**
   * Adds what the opened backup has and the library lacks. Each transcript becomes visible in one commit, so none is
   * ever partial, and opening the backup again shows what is still missing. A full disk ends the restore and is
   * reported.
   *
   * @param onFound called with the number of transcripts to add
   */
  restore(options: TaskOptions, onFound?: (total: number) => void): Promise<RestoreReport> {
    return this.#withCopy(() => this.#restore(cancelledWith(options, this.#closed.signal), onFound));
  }

  /**
   * Opens backups one after the other and restores each.
   *
   * @throws as {@link open}
   */
  async restoreAll(
    files: readonly string[],
    options: TaskOptions,
    onFound?: (total: number) => void,
  ): Promise<RestoreReport> {
    let sum = nothingRestored;
    for (const file of files) {
      await this.open(file, options);
      const { added, addedAsCopies, outcome } = await this.restore(options, onFound);
      sum = { added: sum.added + added, addedAsCopies: sum.addedAsCopies + addedAsCopies, outcome };
      if (outcome !== 'finished') break;
    }
    return sum;
  }

  /** Cancels the work in progress. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.closeOpened();
    await Promise.allSettled(this.#working);
  }

  async #restore(options: TaskOptions, onFound?: (total: number) => void): Promise<RestoreReport> {
    const { store, clock, onRestored } = this.#options;
    if (this.#opened === null) return nothingRestored;
    this.#opened = null;
    const resumeIndexing = store.searchIndex.pauseBackgroundIndexing();
    let added = 0;
    let addedAsCopies = 0;
    try {
      const backup = store.attachBackup(this.#copy);
      try {
        const planned = backup.planned();
        onFound?.(planned.length);
        const cancelled = await forEachYielding(planned, clock, options, async (one, yielder) => {
          if ((await runSteps(backup.restore(one), yielder, options.signal)) === null) return;
          if (one.hasOtherVersion) addedAsCopies += 1;
          else added += 1;
        });
        return { added, addedAsCopies, outcome: cancelled ? 'cancelled' : 'finished' };
      } finally {
        backup.close();
      }
    } catch (error) {
      if (storageProblem(error).code !== 'disk_full') throw error;
      return { added, addedAsCopies, outcome: 'disk-full' };
    } finally {
      resumeIndexing();
      removeCopy(this.#copy);
      onRestored();
    }
  }

  /** Runs work on the only copy, after all earlier work on it. */
  #withCopy<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastCopyWork.then(work);
    this.#lastCopyWork = done.catch(() => undefined);
    return this.#track(done);
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work);
    try {
      return await work;
    } finally {
      this.#working.delete(work);
    }
  }
}
