import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { basename, win32 } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { BackupContents } from '../../../contract/backup.ts';
import { errorMessage } from '../../../contract/errors.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { openDatabase } from '../../../sqlite/open-database.ts';
import { isLocalPath, openRegularFileSync } from '../../media/open-file.ts';
import { storageProblem } from '../../storage-problem.ts';
import { migrations } from '../../store/migrations.ts';
import { checkBackupHeader, unreadableBackup } from './backup-file.ts';
import { fingerprintFile } from '../recordings.ts';
import { planRestore } from './plan-restore.ts';
import { rebuildBackup } from './rebuild-backup.ts';
import { clampValues, maxDateMs } from './restorable-values.ts';
import type { TaskContext } from '../task/run-task.ts';

export interface ReadBackupRequest {
  /** The file that the user chose. */
  readonly file: string;
  /** Path for a database with the backup's rows in the newest schema. */
  readonly copy: string;
  /** Path of the library's database. */
  readonly library: string;
}

/** The suffix of the exact copy of the file, which is deleted once the backup is rebuilt from it. */
const untrustedSuffix = '-foreign';

const factsSchema = z.object({
  created_at: z.number().transform((ms) => Math.min(Math.max(ms, 0), maxDateMs)),
  program: z.string(),
});

/**
 * Opens a backup: rebuilds it in the current schema and compares it with the library. The copy then holds the plan of
 * what to restore; see {@link planRestore}. The file itself is only read. Nothing in it is trusted: only its rows reach
 * the copy, see {@link rebuildBackup}, values out of range are clamped, and a recording is found again only by its
 * content.
 *
 * Runs in a worker thread.
 *
 * @throws ProblemError `backup_missing`, `backup_unreadable`, `backup_foreign`, `backup_newer`, `backup_damaged` or
 *   `disk_full`, or CancelledError; the copy is removed then.
 */
export async function readBackup(
  { file, copy, library }: ReadBackupRequest,
  context: TaskContext,
): Promise<BackupContents> {
  checkBackupHeader(file);
  removeCopy(copy);
  try {
    copyBackup(file, copy + untrustedSuffix, context);
    return await inspect(file, copy, library, context);
  } catch (error) {
    removeCopy(copy);
    context.throwIfCancelled();
    throw error;
  }
}

/** Removes a copy made by {@link readBackup}, with all files that SQLite may have put next to it. */
export function removeCopy(copy: string): void {
  for (const path of [copy, copy + untrustedSuffix])
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

function copyBackup(file: string, copy: string, context: TaskContext): void {
  try {
    copyFile(file, copy, context);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw unreadableBackup(file, error.cause);
  }
}

async function inspect(
  file: string,
  copy: string,
  library: string,
  context: TaskContext,
): Promise<BackupContents> {
  const database = openCopy(file, copy, context);
  try {
    const facts = readFacts(file, database);
    clampValues(database);
    const counts = planRestore(database, library, context);
    await forgetUnknownPaths(database, context);
    return { name: basename(file), createdAt: facts.created_at, ...counts };
  } finally {
    database.close();
  }
}

/** Rebuilds and migrates the backup. Any error of SQLite counts as damage of the file, unless the disk is full. */
function openCopy(file: string, copy: string, context: TaskContext): Database.Database {
  try {
    rebuildBackup(copy + untrustedSuffix, copy, context);
    rmSync(copy + untrustedSuffix);
    const database = openDatabase(copy, migrations);
    // A rollback journal is deleted with its transaction, so no other file is left next to the copy.
    database.pragma('journal_mode = DELETE');
    return database;
  } catch (error) {
    throw storageProblem(error).code === 'disk_full' ? error : damagedBackup(file, error);
  }
}

function readFacts(file: string, database: Database.Database): z.infer<typeof factsSchema> {
  try {
    return factsSchema.parse(database.prepare('SELECT * FROM backup_facts').get());
  } catch (error) {
    throw damagedBackup(file, error);
  }
}

interface RecordingRow {
  readonly id: number;
  readonly path: string;
  readonly bytes: number | null;
  readonly fingerprint: string | null;
}

/**
 * Reduces the path of each recording to its name, unless the file there has the recording's content: exports are written
 * next to it, and opening it could contact another computer. The search for missing recordings finds it by content.
 */
async function forgetUnknownPaths(database: Database.Database, context: TaskContext): Promise<void> {
  const recordings = database
    .prepare<[], RecordingRow>(
      `SELECT id, recording_path AS path, recording_bytes AS bytes, recording_fingerprint AS fingerprint
       FROM transcripts WHERE recording_path IS NOT NULL`,
    )
    .all();
  const checked = new Map<string, boolean>();
  const unknown: RecordingRow[] = [];
  for (const [done, recording] of recordings.entries()) {
    context.throwIfCancelled();
    context.reportProgress({ done, total: recordings.length });
    const key = JSON.stringify([recording.path, recording.bytes, recording.fingerprint]);
    const isKnown = checked.get(key) ?? (await isAtItsPath(recording));
    checked.set(key, isKnown);
    if (!isKnown) unknown.push(recording);
  }
  const forget = database.prepare<[string, number]>('UPDATE transcripts SET recording_path = ? WHERE id = ?');
  // One transaction, since each is written to the disk.
  database.transaction(() => {
    // The path may be from another system, and may have no file name.
    for (const { id, path } of unknown)
      forget.run(win32.basename(path).replaceAll('\0', '') || 'recording', id);
  })();
}

/** Whether the file at a recording's path is local and has the content of the recording. */
async function isAtItsPath({ path, bytes, fingerprint }: RecordingRow): Promise<boolean> {
  // Opening a network path would send the user's credentials to a computer that the backup names.
  if (fingerprint === null || !isLocalPath(path)) return false;
  return (await fingerprintFile(path, new Set([bytes ?? -1])))?.fingerprint === fingerprint;
}

function damagedBackup(path: string, error: unknown): ProblemError {
  const detail = errorMessage(error);
  return new ProblemError({ code: 'backup_damaged', params: { path }, detail }, { cause: error });
}

/** Bytes copied between two checks for cancellation. */
const pieceBytes = 4 * 1024 * 1024;

/** The file to copy cannot be read; `cause` says why. */
class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/**
 * Copies the content of a file, which may be huge and on a slow drive, and reports its progress in bytes. The copy is
 * written to, so it must not get the permissions of the file, as a clone or a copy by the system does.
 *
 * Runs in a worker thread.
 *
 * @throws UnreadableFileError, CancelledError, or the error of writing; a partial copy stays
 */
function copyFile(from: string, to: string, context: TaskContext): void {
  const source = readSource(() => openRegularFileSync(from));
  try {
    const total = readSource(() => fstatSync(source).size);
    const target = openSync(to, 'w');
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let done = 0; ;) {
        context.throwIfCancelled();
        context.reportProgress({ done, total, unit: 'bytes' });
        const read = readSource(() => readSync(source, piece, 0, pieceBytes, null));
        if (read === 0) return;
        for (let at = 0; at < read;) at += writeSync(target, piece, at, read - at);
        done += read;
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Runs a read of the file to copy. @throws UnreadableFileError */
function readSource<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableFileError('the file could not be read', { cause: error });
  }
}
