import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { ProblemError } from '../../contract/problem.ts';
import { DamagedDatabaseError, NewerDatabaseError, openDatabase } from '../../sqlite/open-database.ts';
import type { Clock, Random } from '../ports.ts';
import { ItemStore } from './item-store.ts';
import { Lease, type Program } from './lease.ts';
import { queueAndLibrary } from './migrations/001-queue-and-library.ts';
import { TranscriptStore } from './transcript-store.ts';
import { WantedFileStore } from './wanted-file-store.ts';

const migrations = [queueAndLibrary];

export interface StoreOptions {
  /** The data folder; made when it is not there. */
  readonly folder: string;
  readonly program: Program;
  readonly clock: Clock;
  readonly random: Random;
  /** Called when another process has taken the folder: nothing may be written any more. */
  readonly onLost: () => void;
}

/** Everything that Longhand keeps, in one SQLite database that this process alone writes to. */
export class Store {
  readonly items: ItemStore;
  readonly transcripts: TranscriptStore;
  readonly wantedFiles: WantedFileStore;
  readonly #database: Database.Database;
  readonly #lease: Lease;

  /**
   * @throws ProblemError `data_folder_unwritable`, `data_folder_in_use`, `database_newer` or `database_damaged`; the
   *   files are then as they were.
   */
  constructor({ folder, program, clock, random, onLost }: StoreOptions) {
    const database = openIn(folder);
    try {
      this.#lease = Lease.take(database, program, { clock, random }, onLost);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.items = new ItemStore(database);
    this.transcripts = new TranscriptStore(database);
    this.wantedFiles = new WantedFileStore(database);
  }

  /** Whether the user has paused the whole queue; outlives the program. */
  get paused(): boolean {
    const value = this.#database
      .prepare<[], number>("SELECT value FROM flags WHERE name = 'paused'")
      .pluck()
      .get();
    return value === 1;
  }

  set paused(paused: boolean) {
    this.#database
      .prepare("INSERT OR REPLACE INTO flags (name, value) VALUES ('paused', ?)")
      .run(paused ? 1 : 0);
  }

  /** Runs `work` as one commit: all of it is kept, or nothing. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work)();
  }

  close(): void {
    this.#lease.release();
    this.#database.close();
  }
}

function openIn(folder: string): Database.Database {
  const path = join(folder, 'longhand.db');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return openDatabase(path, migrations);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const code =
      error instanceof NewerDatabaseError
        ? 'database_newer'
        : error instanceof DamagedDatabaseError
          ? 'database_damaged'
          : 'data_folder_unwritable';
    throw new ProblemError({ code, params: { folder }, detail }, { cause: error });
  }
}
