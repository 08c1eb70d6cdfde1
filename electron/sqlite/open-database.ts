import Database from 'better-sqlite3';

/** One step of a schema. Steps only go forward and are never changed once they have been released. */
export interface Migration {
  /** The `user_version` that the database has after this step. */
  readonly version: number;
  readonly sql: string;
}

/** The database was written by a newer version of the program than this one. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** The file is not a sound SQLite database. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError';
}

/**
 * Opens the database at `path`, creating it when it is not there, checks it and brings it to the newest schema.
 *
 * Every commit is on the disk when it returns (`synchronous=FULL`, and `fullfsync` where the system needs it), because
 * the queue commits what it is about to do before it does it.
 *
 * @throws NewerDatabaseError when the file's schema is newer than the last of `migrations`.
 * @throws DamagedDatabaseError when the file is no sound database.
 */
export function openDatabase(path: string, migrations: readonly Migration[]): Database.Database {
  const database = new Database(path);
  try {
    database.pragma('busy_timeout = 5000');
    refuseNewer(database, migrations);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('fullfsync = ON');
    database.pragma('foreign_keys = ON');
    const verdict = database.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') throw new DamagedDatabaseError(String(verdict));
    migrate(database, migrations);
    return database;
  } catch (error) {
    database.close();
    throw isDamage(error) ? new DamagedDatabaseError(String(error), { cause: error }) : error;
  }
}

/** Comes before anything is written: what a newer version made is left as it is. */
function refuseNewer(database: Database.Database, migrations: readonly Migration[]): void {
  const present = versionOf(database);
  const newest = migrations.at(-1)?.version ?? 0;
  if (present > newest) {
    throw new NewerDatabaseError(`schema ${present} is newer than ${newest}, the newest that is known here`);
  }
}

const versionOf = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

function migrate(database: Database.Database, migrations: readonly Migration[]): void {
  const present = versionOf(database);
  for (const { version, sql } of migrations) {
    if (version <= present) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${version}`);
    })();
  }
}

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT_');
}
