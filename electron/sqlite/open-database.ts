import Database from 'better-sqlite3';
import { errorCode } from '../contract/errors.ts';

/** How long a connection waits while another one locks the database. */
const busyMs = 5000;

/** A step from one schema to the next. Steps only go forward and are never changed once they have been released. */
export interface Migration {
  /** The `user_version` that the database has after this step. */
  readonly version: number;
  readonly sql: string;
}

/** The database was written by a newer version of the program than this one. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** The database was created by another program. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';
}

/** The file is not an intact SQLite database. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError';
}

/** The drive does not read the file now, which may be intact. */
export class UnreadableDatabaseError extends Error {
  override readonly name = 'UnreadableDatabaseError';
}

/**
 * Opens the database at `path`, checks it and migrates it to the newest schema.
 *
 * Every commit is on the disk when it returns (`synchronous=FULL`, and `fullfsync` where the system needs it), because
 * the queue commits what it is about to do before it does it.
 *
 * @param whenEmpty What to do about a file that is missing or has no schema: create the schema, or report damage.
 * @throws NewerDatabaseError when the file's schema is newer than the last of `migrations`.
 * @throws ForeignDatabaseError when another program has created it; it is unchanged then.
 * @throws DamagedDatabaseError when the file is not an intact database.
 * @throws UnreadableDatabaseError when the drive fails twice to read the file.
 */
export function openDatabase(
  path: string,
  migrations: readonly Migration[],
  whenEmpty: 'create' | 'report' = 'create',
): Database.Database {
  try {
    return openOnce(path, migrations, whenEmpty);
  } catch (error) {
    if (!(error instanceof UnreadableDatabaseError)) throw error;
    // A drive that was busy or disconnected for a moment fails once.
    return openOnce(path, migrations, whenEmpty);
  }
}

function openOnce(
  path: string,
  migrations: readonly Migration[],
  whenEmpty: 'create' | 'report',
): Database.Database {
  const database = new Database(path);
  try {
    database.pragma(`busy_timeout = ${busyMs}`);
    assertOwn(database, migrations);
    assertNotNewer(database, migrations);
    if (whenEmpty === 'report' && schemaVersion(database) === 0) throw new DamagedDatabaseError('no schema');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('fullfsync = ON');
    database.pragma('foreign_keys = ON');
    // Deleted text must not stay in the file: https://www.sqlite.org/pragma.html#pragma_secure_delete
    database.pragma('secure_delete = ON');
    assertIntact(database);
    migrate(database, migrations);
    return database;
  } catch (error) {
    database.close();
    if (isDamage(error)) throw new DamagedDatabaseError(String(error), { cause: error });
    throw isReadError(error) ? new UnreadableDatabaseError(String(error), { cause: error }) : error;
  }
}

/**
 * What the check reports when it could not get a page, or check a full-text index: the drive failed, or memory is short.
 * The code 11 is SQLITE_CORRUPT.
 *
 * https://www.sqlite.org/pragma.html#pragma_quick_check
 */
const notChecked = /unable to get the page\. error code=(?!11$)|failed to get page|unable to validate/m;

/**
 * Checks the whole database, or one table with its indexes.
 *
 * @throws DamagedDatabaseError or UnreadableDatabaseError
 */
export function assertIntact(database: Database.Database, table: string | null = null): void {
  const checked = table === null ? 1 : `'${table}'`;
  const verdict = String(database.pragma(`quick_check(${checked})`, { simple: true }));
  if (verdict === 'ok') return;
  throw notChecked.test(verdict) ? new UnreadableDatabaseError(verdict) : new DamagedDatabaseError(verdict);
}

/**
 * Must be called before anything is written: the user chooses the folder of a database, and another program may have one
 * of the same name there. Ours has most tables of the first migration, whatever its version.
 *
 * @throws ForeignDatabaseError
 */
function assertOwn(database: Database.Database, migrations: readonly Migration[]): void {
  const stored = new Set(
    database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
  );
  if (stored.size === 0) return;
  const first = [...(migrations[0]?.sql ?? '').matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name);
  if (first.filter((name) => stored.has(name)).length * 2 < first.length)
    throw new ForeignDatabaseError(`${database.name} was created by another program`);
}

/**
 * Must be called before anything is written, since the file of a newer version must stay unchanged.
 *
 * @throws NewerDatabaseError
 */
function assertNotNewer(database: Database.Database, migrations: readonly Migration[]): void {
  const version = schemaVersion(database);
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new NewerDatabaseError(`schema ${version} is newer than ${newest}, the newest known schema`);
  }
}

/** Returns the version of the last migration that was applied; 0 for an empty database. */
export const schemaVersion = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

/** Applies all new migrations or none. */
function migrate(database: Database.Database, migrations: readonly Migration[]): void {
  const current = schemaVersion(database);
  const pending = migrations.filter(({ version }) => version > current);
  const newest = pending.at(-1);
  if (newest === undefined) return;
  database.transaction(() => {
    for (const { sql } of pending) database.exec(sql);
    database.pragma(`user_version = ${newest.version}`);
  })();
}

/** Whether an error of SQLite says that the file is not an intact database. */
export function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT_');
}

const isReadError = (error: unknown): boolean => /^SQLITE_IOERR(?:_READ|_CORRUPTFS)?$/.test(errorCode(error));

/**
 * Opens a read-only connection, for threads that do not write and for programs while another one uses the data folder.
 *
 * @param path The path of the database file.
 * @throws SqliteError if it does not exist or cannot be read.
 */
export function openReader(path: string): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma(`busy_timeout = ${busyMs}`);
  return database;
}

/**
 * Runs `work`, which commits, without waiting for the disk: a power failure may undo it, but nothing before it. The next
 * ordinary commit syncs it too. For work that can be repeated.
 *
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function unsynced<T>(database: Database.Database, work: () => T): T {
  database.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.pragma('synchronous = FULL');
  }
}

/**
 * Writes the WAL to the database and empties it, so that no text deleted before is left in it. Does not wait for
 * readers.
 *
 * @returns whether it was emptied; a reader prevents that
 */
export function truncateWal(database: Database.Database): boolean {
  database.pragma('busy_timeout = 0');
  try {
    return database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } finally {
    database.pragma(`busy_timeout = ${busyMs}`);
  }
}
