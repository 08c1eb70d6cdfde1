import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { errorCode } from '../../contract/errors.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import {
  DamagedDatabaseError,
  ForeignDatabaseError,
  openDatabase,
  truncateWal,
  UnreadableDatabaseError,
  type Migration,
} from '../../sqlite/open-database.ts';
import { ProcessLock } from '../../sqlite/process-lock.ts';
import { Statements } from '../../sqlite/statements.ts';
import { ServiceOptionsError } from '../service-options.ts';
import { parseJobRow } from './job-row.ts';
import type { ServiceJob } from './job.ts';
import { jobsMigration } from './migrations/010-jobs.ts';
import { crashesMigration } from './migrations/011-crashes.ts';
import { downloadsMigration } from './migrations/012-downloads.ts';
import { downloadTimesMigration } from './migrations/032-download-times.ts';
import { suspectsMigration } from './migrations/033-suspects.ts';
import { partialTranscriptsMigration } from './migrations/036-partial-transcripts.ts';
import { wordsMigration } from './migrations/037-words.ts';
import { termsMigration } from './migrations/038-terms.ts';
import { grantedCreditsMigration } from './migrations/046-granted-credits.ts';
import { unreadableSecondsMigration } from './migrations/050-unreadable-seconds.ts';

/** All migrations of the service's database, in order. */
export const serviceMigrations: readonly Migration[] = [
  jobsMigration,
  crashesMigration,
  downloadsMigration,
  downloadTimesMigration,
  suspectsMigration,
  partialTranscriptsMigration,
  wordsMigration,
  termsMigration,
  grantedCreditsMigration,
  unreadableSecondsMigration,
];

const databaseFile = 'service.db';

/**
 * Opens the database in a data folder. A damaged one is moved to a subfolder, which is kept with all transcripts in it, and
 * replaced by an empty one: without a database the service could never start. The jobs of the damaged one are gone for
 * their clients, and their media are removed.
 *
 * @throws what {@link openServiceDatabase} throws, except for damage
 */
export function openOrReplaceDatabase(folder: string, clock: Clock, logger: Logger): Database.Database {
  const path = join(folder, databaseFile);
  try {
    return openServiceDatabase(path);
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
  }
  const lock = lockReplacement(folder);
  try {
    // Another service that started at the same time may have replaced it.
    return openServiceDatabase(path);
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
    const damagedFolder = join(folder, `damaged-${clock.now()}`);
    logger.error('The database of the service is damaged and is replaced.', { damagedFolder, error });
    mkdirSync(damagedFolder, { mode: 0o700 });
    for (const name of [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`])
      if (existsSync(join(folder, name))) renameSync(join(folder, name), join(damagedFolder, name));
    return openServiceDatabase(path);
  } finally {
    lock.release();
  }
}

/** Only the process with this lock may replace a damaged database, on which no other lock can be held. */
function lockReplacement(folder: string): ProcessLock {
  try {
    return new ProcessLock(join(folder, 'replacement.lock'));
  } catch (error) {
    throw errorCode(error) === 'SQLITE_BUSY' ? serviceAtWork(error) : error;
  }
}

const serviceAtWork = (cause: unknown): ServiceOptionsError =>
  new ServiceOptionsError('Another service is working in this data folder.', { cause });

/**
 * Opens the database with an exclusive lock, so that no other service can use the folder meanwhile.
 *
 * @throws ServiceOptionsError when another service uses the folder, the file is that of another program, or the drive
 *   fails to read it; what
 *   {@link openDatabase} throws.
 */
function openServiceDatabase(path: string): Database.Database {
  let database: Database.Database | null = null;
  try {
    database = openDatabase(path, serviceMigrations);
    // The next write takes the lock and holds it; the system releases it when the process dies.
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ForeignDatabaseError) throw foreign(path, error);
    if (error instanceof UnreadableDatabaseError) throw unreadable(path, error);
    if (errorCode(error) !== 'SQLITE_BUSY') throw error;
    throw serviceAtWork(error);
  }
}

const foreign = (path: string, cause: Error): ServiceOptionsError =>
  new ServiceOptionsError(`${path} belongs to another program. Choose another data folder.`, { cause });

const unreadable = (path: string, cause: Error): ServiceOptionsError =>
  new ServiceOptionsError(
    `The drive could not read ${path} (${cause.message}). Nothing was changed. Check the drive, then start again.`,
    { cause },
  );

export type SqlValue = string | number | null;

/** Runs SQL on the service's database. Statements are compiled once per text, so pass values as parameters. */
export class Sql {
  readonly #database: Database.Database;
  readonly #statements: Statements;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  /** Returns the first row; `undefined` when there is none. */
  row(text: string, ...values: readonly SqlValue[]): unknown {
    return this.#statements.prepare(text).get(...values);
  }

  rows(text: string, ...values: readonly SqlValue[]): readonly unknown[] {
    return this.#statements.prepare(text).all(...values);
  }

  /** Returns the jobs of complete rows of the table `jobs`. */
  jobs(text: string, ...values: readonly SqlValue[]): readonly ServiceJob[] {
    return this.rows(text, ...values).flatMap((row) => parseJobRow(row) ?? []);
  }

  /** Returns how many rows were inserted, changed or deleted. */
  run(text: string, ...values: readonly (SqlValue | Readonly<Record<string, SqlValue>>)[]): number {
    return this.#statements.prepare(text).run(...values).changes;
  }

  /** Empties the WAL, so that no text deleted before is left in it; not possible in a transaction. Returns whether it did. */
  truncateWal(): boolean {
    return truncateWal(this.#database);
  }

  /** Runs `work` in a transaction: when it throws, nothing that it wrote remains. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate();
  }
}
