import { accessSync, constants } from 'node:fs';
import type Database from 'better-sqlite3';
import { type Problem, type ProblemCode, ProblemError } from '../../contract/problem.ts';
import {
  ForeignDatabaseError,
  NewerDatabaseError,
  UnreadableDatabaseError,
} from '../../sqlite/open-database.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import { storageProblem } from '../storage-problem.ts';
import { Backups } from './database/backups.ts';
import { EditStore } from './library/edit-store.ts';
import { ExportSources } from './library/export-sources.ts';
import { ItemsByContent } from './items/items-by-content.ts';
import { ItemOrder } from './items/item-order.ts';
import { ItemStore } from './items/item-store.ts';
import { ItemTimes } from './items/item-times.ts';
import { FolderLock } from './database/folder-lock.ts';
import { Lease, type Program } from './database/lease.ts';
import { LibraryStore } from './library/library-store.ts';
import { makeFolder } from '../make-folder.ts';
import { restrictToOwner } from './database/data-folder.ts';
import { migrations } from './migrations.ts';
import { RemovedItems } from './items/removed-items.ts';
import { AttachedBackup } from './library/attached-backup.ts';
import { openOrRestore, takeRecoveryNotice, type OpenedDatabase } from './database/restore.ts';
import { SearchIndex } from './library/search-index.ts';
import { ServiceJobStore } from './service-job-store.ts';
import { SheetStore } from './sheet-store.ts';
import { ReplaceRuns } from './library/replace-runs.ts';
import { TranscriptStore } from './library/transcript-store.ts';
import { SpeakerRequestStore } from './library/speaker-request-store.ts';
import { StagedTranscripts } from './library/staged-transcripts.ts';
import { AutoExportStore } from './auto-export-store.ts';
import { WatchStore } from './watch-store.ts';

/** More than almost any commit of the queue needs: the transcript of an hour takes about 200 kB. */
const minFreeBytes = 1024 * 1024;

export interface StoreOptions {
  /** The data folder; created if missing. */
  readonly folder: string;
  readonly program: Program;
  readonly clock: Clock;
  readonly random: Random;
  /** Called when another process has taken over the folder; nothing may be written from then on. */
  readonly onLeaseLost: () => void;
  /** Called before and after each commit of the queue; tests kill the process there. */
  readonly onCommit?: (moment: 'before' | 'after') => void;
}

/** All data of Longhand, in one SQLite database that only this process writes to. */
export class Store {
  readonly items: ItemStore;
  readonly itemsByContent: ItemsByContent;
  readonly order: ItemOrder;
  readonly times: ItemTimes;
  readonly sheets: SheetStore;
  readonly removed: RemovedItems;
  readonly transcripts: TranscriptStore;
  readonly edits: EditStore;
  readonly library: LibraryStore;
  readonly searchIndex: SearchIndex;
  readonly staged: StagedTranscripts;
  readonly autoExports: AutoExportStore;
  readonly speakerRequests: SpeakerRequestStore;
  readonly replaceRuns: ReplaceRuns;
  readonly watch: WatchStore;
  readonly serviceJobs: ServiceJobStore;
  readonly exportSources: ExportSources;
  readonly #database: Database.Database;
  readonly #paused: Database.Statement<[], number>;
  /**
   * What was found and repaired when the database was opened: `database_damaged` or `database_begun_anew`. For the window,
   * even if a command did so since the window was last open.
   */
  readonly openingProblem: Problem | null;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #lock: FolderLock;
  readonly #lease: Lease;
  readonly #onCommit: StoreOptions['onCommit'];
  #backups: Backups | null = null;

  /**
   * @throws ProblemError `data_folder_unwritable`, `data_folder_in_use`, `database_newer`, `database_unreadable`,
   *   `data_folder_foreign` or `disk_full`; the files are unchanged then.
   */
  constructor({ folder, program, clock, random, onLeaseLost, onCommit }: StoreOptions) {
    const { lock, database, problem } = openIn(folder, { clock, random });
    try {
      this.#lease = Lease.take(database, lock, program, clock, onLeaseLost);
    } catch (error) {
      database.close();
      lock.release();
      throw error instanceof ProblemError ? error : new ProblemError(storageProblem(error), { cause: error });
    }
    this.#lock = lock;
    const unreported = program === 'window' ? takeRecoveryNotice(database, program) : null;
    this.openingProblem = problem ?? unreported;
    this.#database = database;
    this.#paused = database.prepare<[], number>("SELECT value FROM flags WHERE name = 'paused'").pluck();
    this.#folder = folder;
    this.#clock = clock;
    this.#onCommit = onCommit;
    this.items = new ItemStore(database);
    this.itemsByContent = new ItemsByContent(database);
    this.order = new ItemOrder(database, this.items);
    this.times = new ItemTimes(database);
    this.sheets = new SheetStore(database);
    this.removed = new RemovedItems(database, this.items, this.order);
    this.searchIndex = new SearchIndex(database);
    this.staged = new StagedTranscripts(database, this.searchIndex);
    this.transcripts = new TranscriptStore(database, this.searchIndex, this.staged);
    this.edits = new EditStore(database, clock, this.searchIndex);
    this.library = new LibraryStore(database);
    this.autoExports = new AutoExportStore(database);
    this.speakerRequests = new SpeakerRequestStore(database);
    this.replaceRuns = new ReplaceRuns(database);
    this.watch = new WatchStore(database);
    this.serviceJobs = new ServiceJobStore(database);
    this.exportSources = new ExportSources(database);
  }

  /** Whether the user has paused the whole queue; persists across restarts. */
  get paused(): boolean {
    return this.#paused.get() === 1;
  }

  set paused(paused: boolean) {
    this.#database
      .prepare("INSERT OR REPLACE INTO flags (name, value) VALUES ('paused', ?)")
      .run(paused ? 1 : 0);
  }

  /** Returns the problem of a recovery that no program has reported yet, only once. The window reports it as well. */
  takeRecoveryNotice(): Problem | null {
    return takeRecoveryNotice(this.#database, 'command-line');
  }

  /** The path of the database, for other readers. */
  get path(): string {
    return this.#database.name;
  }

  /** Attaches the verified copy of a backup to restore transcripts from it. */
  attachBackup(copyPath: string): AttachedBackup {
    return new AttachedBackup(this.#database, this.staged, copyPath);
  }

  /** Runs `work` as one commit: everything is stored, or nothing. */
  transaction<T>(work: () => T): T {
    const isOutermost = !this.#database.inTransaction;
    try {
      const committed = this.#database.transaction(() => {
        const result = work();
        if (isOutermost) this.#onCommit?.('before');
        return result;
      })();
      if (isOutermost) this.#onCommit?.('after');
      return committed;
    } catch (error) {
      this.items.reload();
      throw error;
    }
  }

  /** @throws the database's error while the disk has no space for the next commits of the queue. */
  assertWritableSpace(): void {
    this.transaction(() => {
      this.#database.exec('CREATE TABLE IF NOT EXISTS room (filler BLOB) STRICT');
      this.#database.prepare('INSERT INTO room VALUES (zeroblob(?))').run(minFreeBytes);
    });
    this.#database.exec('DROP TABLE room');
  }

  /** Makes a backup in the data folder now and regularly from then on. */
  startBackups(logger: Logger): void {
    const changes = this.#database.prepare<[], number>('SELECT total_changes()').pluck();
    this.#backups ??= Backups.start({
      database: this.#database,
      dataFolder: this.#folder,
      clock: this.#clock,
      logger,
      changes: () => (changes.get() ?? 0) - this.#lease.renewals,
    });
  }

  /** Resolves when the backup in progress has succeeded or failed. */
  async backupSettled(): Promise<void> {
    await this.#backups?.settled;
  }

  /** Identifies this store's lease on the folder. */
  get leaseOwner(): string {
    return this.#lease.owner;
  }

  /** Renews the lease after the computer has slept. */
  renewLease(): void {
    this.#lease.renewNow();
  }

  /** Releases the folder. */
  async close(): Promise<void> {
    this.searchIndex.stop();
    await this.#backups?.stop();
    if (!this.#database.open) return;
    try {
      this.#lease.release();
    } finally {
      this.#database.close();
      this.#lock.release();
    }
  }

  /** Leaves the folder to the process that has taken it over, without writing anything. */
  abandon(): void {
    this.searchIndex.stop();
    void this.#backups?.stop();
    this.#lease.stopRenewing();
    this.#database.close();
    this.#lock.release();
  }
}

/**
 * Locks a data folder, creating it if it is missing, and opens its database.
 *
 * @throws ProblemError
 */
function openIn(
  folder: string,
  ports: { readonly clock: Clock; readonly random: Random },
): OpenedDatabase & { readonly lock: FolderLock } {
  let lock: FolderLock | null = null;
  try {
    makeFolder(folder, { mode: 0o700 });
    accessSync(folder, constants.W_OK);
    lock = FolderLock.take(folder, ports);
    const opened = openOrRestore(folder, migrations, ports.clock);
    restrictToOwner(folder);
    return { lock, ...opened };
  } catch (error) {
    lock?.release();
    if (error instanceof ProblemError) throw error;
    const { detail = '' } = storageProblem(error);
    throw new ProblemError(
      { code: openingCode(error), params: { folder, name: folder }, detail },
      { cause: error },
    );
  }
}

function openingCode(error: unknown): ProblemCode {
  if (error instanceof NewerDatabaseError) return 'database_newer';
  if (error instanceof UnreadableDatabaseError) return 'database_unreadable';
  if (error instanceof ForeignDatabaseError) return 'data_folder_foreign';
  return storageProblem(error).code === 'disk_full' ? 'disk_full' : 'data_folder_unwritable';
}
