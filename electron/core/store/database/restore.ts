import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Problem } from '../../../contract/problem.ts';
import { DamagedDatabaseError, openDatabase, type Migration } from '../../../sqlite/open-database.ts';
import type { Clock } from '../../ports.ts';
import { recreateSearchIndex } from './recreate-search-index.ts';
import { backupsOf, timestampOf } from './backups.ts';
import { databasePathIn } from './folder-lock.ts';
import type { Program } from './lease.ts';

/** The suffixes of the files of an SQLite database. */
const suffixes = ['', '-wal', '-shm'];

export interface OpenedDatabase {
  readonly database: Database.Database;
  /** What was lost or repaired at opening. */
  readonly problem: Problem | null;
}

/**
 * Opens the database `longhand.db` of a data folder. If it is damaged, or missing although there are backups, it is
 * restored from the newest intact backup, or created empty if there is none; if only the search index is damaged, that is
 * recreated, in a backup too. The damaged files are kept in a separate folder. Only the holder of the folder's lock may
 * call this.
 *
 * The program finds out what happened since the backup by repeating the same requests: see
 * `queue/scheduling/create-request.ts`. Recordings that were added since are unknown; see {@link markRecovered}.
 *
 * @throws NewerDatabaseError if a newer version has written the database, ForeignDatabaseError if another program has,
 *   and UnreadableDatabaseError if the drive fails to read it; nothing is changed then.
 */
export function openOrRestore(
  folder: string,
  migrations: readonly Migration[],
  clock: Clock,
): OpenedDatabase {
  const path = databasePathIn(folder);
  const backups = backupsOf(folder);
  // The folder may contain a `restored.db` of another program.
  const prepared = join(folder, 'longhand.restored.db');
  // An earlier start moved the damaged files, but ended before it could put this in their place.
  if (isEmpty(path) && backups.length === 0 && existsSync(prepared)) {
    if (suffixes.some((suffix) => existsSync(path + suffix))) moveDamagedFiles(folder, clock);
    renameSync(prepared, path);
  }
  const isGone = isEmpty(path) && backups.length > 0;
  try {
    const whenEmpty = backups.length > 0 ? 'report' : 'create';
    if (!isGone) return { database: openWithIndex(path, migrations, whenEmpty), problem: null };
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
  }
  // Prepared under another name first: if the process ends before the rename, the next start tries again.
  const backup = backups.find((candidate) => copyBackup(candidate, prepared, migrations));
  if (backup === undefined) removeDatabase(prepared);
  const recovery = markRecovered(prepared, migrations, backup !== undefined);
  const damagedFolder = moveDamagedFiles(folder, clock);
  renameSync(prepared, path);
  const database = openDatabase(path, migrations);
  return { database, problem: recoveryProblem(recovery, { aside: damagedFolder }) };
}

/** Opens a database. If only its search index is damaged, that is recreated: it can be filled again from the texts. */
function openWithIndex(...args: Parameters<typeof openDatabase>): Database.Database {
  try {
    return openDatabase(...args);
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError) || !recreateSearchIndex(args[0])) throw error;
    return openDatabase(...args);
  }
}

/** The flags of a recovery that each program has not reported yet: the output of a command may go unread. */
const recoveryFlags = {
  window: 'recovery',
  'command-line': 'recovery-command-line',
} as const satisfies Readonly<Record<Program, string>>;

/** How a database was recovered, as stored in {@link recoveryFlags}: by a restored backup or as an empty database. */
const recoveries = { restored: 1, restoredAndPaused: 2, createdEmpty: 3 } as const;
type Recovery = (typeof recoveries)[keyof typeof recoveries];

/**
 * Records a recovery in the prepared database, for {@link takeRecoveryNotice}, and pauses its watched folders whose
 * service is an account: they would add, send and pay again what was transcribed since the backup.
 */
function markRecovered(path: string, migrations: readonly Migration[], isRestored: boolean): Recovery {
  const database = openDatabase(path, migrations);
  try {
    return database.transaction(() => {
      const { changes } = database
        .prepare("UPDATE watched_folders SET paused = 1 WHERE paused = 0 AND service IS NOT 'on-device'")
        .run();
      const { restored, restoredAndPaused, createdEmpty } = recoveries;
      const recovery = !isRestored ? createdEmpty : changes > 0 ? restoredAndPaused : restored;
      const mark = database.prepare('INSERT OR REPLACE INTO flags (name, value) VALUES (?, ?)');
      for (const flag of Object.values(recoveryFlags)) mark.run(flag, recovery);
      return recovery;
    })();
  } finally {
    database.close();
  }
}

/**
 * Returns the problem of a recovery, even one by another process, that this program has not reported yet; `null` from then
 * on. A command does not report what the window has reported.
 */
export function takeRecoveryNotice(database: Database.Database, program: Program): Problem | null {
  const take = database.prepare<[string], number>('DELETE FROM flags WHERE name = ? RETURNING value').pluck();
  if (program === 'window') take.all(recoveryFlags['command-line']);
  const [value] = take.all(recoveryFlags[program]);
  const recovery = Object.values(recoveries).find((one) => one === value);
  return recovery === undefined ? null : recoveryProblem(recovery);
}

function recoveryProblem(recovery: Recovery, params: Problem['params'] = {}): Problem {
  if (recovery === recoveries.createdEmpty) return { code: 'database_begun_anew', params };
  const context = recovery === recoveries.restoredAndPaused ? { context: 'folders' } : {};
  return { code: 'database_damaged', params: { ...params, ...context } };
}

/** Whether a file is missing or empty. */
const isEmpty = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

const removeDatabase = (path: string): void =>
  suffixes.forEach((suffix) => rmSync(path + suffix, { force: true }));

/** Copies `backup` to `prepared`; returns whether the copy is intact. */
function copyBackup(backup: string, prepared: string, migrations: readonly Migration[]): boolean {
  removeDatabase(prepared);
  try {
    copyFileSync(backup, prepared);
    openWithIndex(prepared, migrations, 'report').close();
    return true;
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return false;
    throw error;
  }
}

/** Moves the files of the damaged database to a new folder, whose path it returns. */
function moveDamagedFiles(folder: string, clock: Clock): string {
  const takenNames = new Set(readdirSync(folder));
  const baseName = `damaged-${timestampOf(clock.now())}`;
  let name = baseName;
  for (let number = 2; takenNames.has(name); number += 1) name = `${baseName}-${number}`;
  const damagedFolder = join(folder, name);
  mkdirSync(damagedFolder, { mode: 0o700 });
  for (const suffix of suffixes) {
    const file = `longhand.db${suffix}`;
    if (existsSync(join(folder, file))) renameSync(join(folder, file), join(damagedFolder, file));
  }
  return damagedFolder;
}
