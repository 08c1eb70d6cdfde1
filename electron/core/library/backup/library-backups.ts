import { dirname, join } from 'node:path';
import type { BackupContents, LibraryBackup, RestoreReport } from '../../../contract/backup.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Store } from '../../store/store.ts';
import { forEachYielding, runSteps } from '../task/yielding.ts';
import { runTask, type TaskOptions } from '../task/run-task.ts';
import { removeLeftDrafts } from './drafts.ts';
import { removeCopy } from './read-backup.ts';

export interface LibraryBackupsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Of `library-task-worker.ts`. */
  readonly worker: URL;
  /** Called when a restore has ended. */
  readonly onRestored: () => void;
}

/** The whole library as one file: written, looked at, and taken back in. */
export class LibraryBackups {
  readonly #options: LibraryBackupsOptions;
  readonly #copy: string;
  readonly #closed = new AbortController();
  readonly #working = new Set<Promise<unknown>>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Whether the copy is that of a backup which the user looks at. */
  #isOpen = false;

  constructor(options: LibraryBackupsOptions) {
    this.#options = options;
    this.#copy = join(dirname(options.store.path), 'backup-to-restore.db');
    // What a run that was killed has left.
    removeCopy(this.#copy);
    removeLeftDrafts(dirname(options.store.path), true);
  }

  /**
   * Writes all transcripts with their edits, notes and tags into one file.
   *
   * @param program the version of the program.
   * @param replace whether a file of that name may go.
   * @throws ProblemError `file_exists`, `backup_no_room`, `backup_folder_gone` or `backup_failed`; CancelledError.
   */
  write(
    target: string,
    { program, replace }: { readonly program: string; readonly replace: boolean },
    options: TaskOptions,
  ): Promise<LibraryBackup> {
    const { store, clock, worker } = this.#options;
    const wish = { source: store.path, target, replace, createdAt: clock.now(), program };
    return this.#track(runTask(worker, 'writeBackup', wish, this.#ending(options)));
  }

  /**
   * Opens a backup and compares it with the library; it stays open until it is restored or {@link leave} is called.
   *
   * @throws ProblemError `path_missing`, `path_unreadable`, `backup_foreign`, `backup_newer`, `backup_damaged` or
   *   `disk_full`; CancelledError.
   */
  open(file: string, options: TaskOptions): Promise<BackupContents> {
    return this.#inTurn(() => this.#open(file, this.#ending(options)));
  }

  async #open(file: string, options: TaskOptions): Promise<BackupContents> {
    const { store, worker } = this.#options;
    this.#isOpen = false;
    const question = { file, copy: this.#copy, library: store.path };
    const contents = await runTask(worker, 'readBackup', question, options);
    this.#isOpen = true;
    return contents;
  }

  /** Lets go of the opened backup. */
  leave(): void {
    this.#isOpen = false;
    if (this.#working.size === 0) removeCopy(this.#copy);
  }

  /**
   * Adds what the opened backup has and the library has not. Each transcript is there from one commit on with all that
   * belongs to it: whenever this ends, nothing shows in part, and opening the backup again shows what is still missing.
   * A full disk ends it and is reported.
   */
  restore(options: TaskOptions): Promise<RestoreReport> {
    return this.#inTurn(() => this.#restore(this.#ending(options)));
  }

  /** Ends what is being done where it is. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled(this.#working);
    this.leave();
  }

  async #restore(options: TaskOptions): Promise<RestoreReport> {
    const { store, clock, onRestored } = this.#options;
    if (!this.#isOpen) return { added: 0, beside: 0, ending: 'finished' };
    this.#isOpen = false;
    const rows = store.restoredRows(this.#copy);
    const goOnSearching = store.searchIndex.pauseBackgroundIndexing();
    let added = 0;
    let beside = 0;
    try {
      const cancelled = await forEachYielding(rows.planned(), clock, options, async (one, slices) => {
        if ((await runSteps(rows.take(one), slices, options.signal)) === null) return;
        if (one.beside) beside += 1;
        else added += 1;
      });
      return { added, beside, ending: cancelled ? 'cancelled' : 'finished' };
    } catch (error) {
      if (storageProblem(error).code !== 'disk_full') throw error;
      return { added, beside, ending: 'disk-full' };
    } finally {
      goOnSearching();
      rows.close();
      removeCopy(this.#copy);
      onRestored();
    }
  }

  /** There is one copy, with which one piece of work has to do at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return this.#track(turn);
  }

  /** Work ends with the program as well. */
  #ending({ signal, onProgress }: TaskOptions): TaskOptions {
    return { signal: AbortSignal.any([signal, this.#closed.signal]), onProgress };
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
