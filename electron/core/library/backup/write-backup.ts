import { closeSync, fstatSync, fsyncSync, lstatSync, openSync, renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { LibraryBackup } from '../../../contract/backup.ts';
import { ProblemError, type Problem } from '../../../contract/problem.ts';
import { openDatabase } from '../../../sqlite/open-database.ts';
import { storageProblem } from '../../storage-problem.ts';
import { migrations } from '../../store/migrations.ts';
import { publishedCondition } from '../../store/library/staged-transcripts.ts';
import { backupApplicationId, backupFactsTable, tablesInBackup, withoutTriggers } from './backup-file.ts';
import {
  beginPartialBackup,
  removePartialBackup,
  removeAbandonedBackups,
  type PartialBackup,
} from './partial-backups.ts';
import type { TaskContext } from '../task/run-task.ts';

/** Transcripts that are copied between two checks for cancellation. */
const transcriptsPerCheck = 25;

export interface WriteBackupRequest {
  /** The library's database. */
  readonly source: string;
  /** The file to write. */
  readonly target: string;
  /** Whether to overwrite an existing file. */
  readonly replace: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** The version of the program. */
  readonly appVersion: string;
}

/**
 * Writes all transcripts with everything that belongs to them to one file: a database of the same schema, without
 * queue, services and search index. It is a snapshot of the library. The file gets its name once it is complete and
 * synced; an existing file stays until then.
 *
 * Runs in a worker thread.
 *
 * @throws ProblemError `file_exists`, `backup_no_room`, `backup_folder_gone` or `backup_failed`; CancelledError.
 */
export function writeBackup(request: WriteBackupRequest, context: TaskContext): LibraryBackup {
  const { target } = request;
  const name = basename(target);
  let partial: PartialBackup | null = null;
  try {
    assertNotReplacing(request);
    removeAbandonedBackups(dirname(request.source), false);
    partial = beginPartialBackup(dirname(request.source), target);
    // Only the user can read it, and nothing that is there already is written to.
    const descriptor = openSync(partial.path, 'wx', 0o600);
    let count: number;
    try {
      count = fillBackup({ path: partial.path, descriptor }, request, context);
    } finally {
      closeSync(descriptor);
    }
    syncToDisk(partial.path, 'r+');
    assertNotReplacing(request);
    renameSync(partial.path, target);
    if (process.platform !== 'win32') syncToDisk(dirname(target), 'r');
    return { name, path: target, count, sizeBytes: statSync(target).size };
  } catch (error) {
    context.throwIfCancelled();
    if (error instanceof ProblemError) throw error;
    throw new ProblemError(backupProblem(error, partial, target), { cause: error });
  } finally {
    if (partial !== null) removePartialBackup(partial);
  }
}

/** Returns why a backup could not be written. */
function backupProblem(error: unknown, partial: PartialBackup | null, target: string): Problem {
  const { code, detail = '' } = storageProblem(error);
  const params = { name: basename(target), folder: basename(dirname(target)) };
  if (partial !== null && !partial.folder.isInPlace) return { code: 'backup_folder_gone', params, detail };
  return { code: code === 'disk_full' ? 'backup_no_room' : 'backup_failed', params, detail };
}

/**
 * Fills the database of a backup. Returns the number of transcripts in it.
 *
 * @param descriptor of the new file at `path`
 * @throws if SQLite has opened another file: in a shared folder, another user may have replaced it
 */
function fillBackup(
  { path, descriptor }: { readonly path: string; readonly descriptor: number },
  { source, createdAt, appVersion }: WriteBackupRequest,
  context: TaskContext,
): number {
  const database = openDatabase(path, migrations);
  try {
    // A partial backup is useless: it is deleted after an error, and synced once at the end.
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = OFF');
    const [created, opened] = [fstatSync(descriptor, { bigint: true }), lstatSync(path, { bigint: true })];
    if (created.ino !== opened.ino || created.dev !== opened.dev)
      throw new Error('the file of the backup was replaced');
    database.prepare('ATTACH ? AS library').run(source);
    const count = database.transaction(() => {
      const copied = withoutTriggers(database, () => copyTranscripts(database, context));
      database.exec(backupFactsTable);
      database.prepare('INSERT INTO backup_facts VALUES (?, ?)').run(createdAt, appVersion);
      return copied;
    })();
    database.exec('DETACH library');
    database.pragma(`application_id = ${backupApplicationId}`);
    return count;
  } finally {
    database.close();
  }
}

function copyTranscripts(database: Database.Database, context: TaskContext): number {
  const ids = database
    .prepare<[], number>(`SELECT id FROM library.transcripts WHERE ${publishedCondition} ORDER BY id`)
    .pluck()
    .all();
  const copies = tablesInBackup(database).map(({ name, owner, columns }) => {
    const list = [owner, ...columns].map((column) => `"${column}"`).join(', ');
    return database.prepare<[number, number]>(
      `INSERT INTO main."${name}" (${list}) SELECT ${list} FROM library."${name}"
       WHERE "${owner}" BETWEEN ? AND ?
         AND "${owner}" NOT IN (SELECT id FROM library.transcripts WHERE NOT ${publishedCondition})`,
    );
  });
  database.exec('INSERT INTO main.tags SELECT * FROM library.tags');
  for (let at = 0; at < ids.length; at += transcriptsPerCheck) {
    context.throwIfCancelled();
    const first = ids[at] ?? 0;
    const last = ids[Math.min(at + transcriptsPerCheck, ids.length) - 1] ?? first;
    for (const copy of copies) copy.run(first, last);
    context.reportProgress({ done: Math.min(at + transcriptsPerCheck, ids.length), total: ids.length });
  }
  return ids.length;
}

/** @throws ProblemError `file_exists` if the target exists and may not be replaced; the library itself never may. */
function assertNotReplacing({ source, target, replace }: WriteBackupRequest): void {
  const existing = statSync(target, { throwIfNoEntry: false, bigint: true });
  if (existing === undefined) return;
  const library = statSync(source, { bigint: true });
  const isLibrary = existing.ino === library.ino && existing.dev === library.dev;
  if (!replace || isLibrary) throw new ProblemError({ code: 'file_exists', params: { path: target } });
}

/** Windows syncs only files opened for writing; folders can only be opened for reading. */
function syncToDisk(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
