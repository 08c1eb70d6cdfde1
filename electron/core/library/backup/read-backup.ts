import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { BackupContents } from '../../../contract/backup.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { openDatabase } from '../../../sqlite/open-database.ts';
import { pathProblem } from '../../media/open-file.ts';
import { storageProblem } from '../../storage-problem.ts';
import { migrations } from '../../store/migrations.ts';
import { transcriptTables } from '../../store/library/transcript-tables.ts';
import { checkBackupHeader } from './backup-file.ts';
import { planRestore } from './plan-restore.ts';
import type { TaskWatch } from '../task/run-task.ts';

export interface ReadBackupRequest {
  /** The file that the user chose. */
  readonly file: string;
  /** Path for a copy, which is migrated to the newest schema. */
  readonly copy: string;
  /** Path of the library's database. */
  readonly library: string;
}

const factsSchema = z.object({ created_at: z.number(), program: z.string() });

/**
 * Opens a backup: checks it, copies it, migrates the copy to the current schema and compares it with the library. The
 * copy then holds the plan of what to restore; see {@link planRestore}. The file itself is only read.
 *
 * Runs in a worker thread.
 *
 * @throws ProblemError `path_missing`, `path_unreadable`, `backup_foreign`, `backup_newer`, `backup_damaged` or
 *   `disk_full`, or CancelledError; the copy is removed then.
 */
export function readBackup({ file, copy, library }: ReadBackupRequest, watch: TaskWatch): BackupContents {
  checkBackupHeader(file);
  removeCopy(copy);
  try {
    copyOf(file, copy, watch);
    return inspect(file, copy, library, watch);
  } catch (error) {
    removeCopy(copy);
    watch.throwIfCancelled();
    throw error;
  }
}

/** Removes a copy made by {@link readBackup}, with SQLite's files next to it. */
export function removeCopy(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copy + suffix, { force: true });
}

function copyOf(file: string, copy: string, watch: TaskWatch): void {
  try {
    copyFile(file, copy, watch);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw new ProblemError(pathProblem(file, error.cause), { cause: error });
  }
}

function inspect(file: string, copy: string, library: string, watch: TaskWatch): BackupContents {
  const database = openCopy(file, copy);
  try {
    const facts = readFacts(file, database);
    const counts = planRestore(database, library, watch);
    return { name: basename(file), createdAt: facts.created_at, ...counts };
  } finally {
    database.close();
  }
}

/** Opens the copy. Any error of SQLite counts as damage of the file, unless the disk is full. */
function openCopy(file: string, copy: string): Database.Database {
  try {
    const database = openDatabase(copy, migrations);
    // A rollback journal is deleted with its transaction, so no other file is left next to the copy.
    database.pragma('journal_mode = DELETE');
    database.pragma('trusted_schema = OFF');
    return database;
  } catch (error) {
    throw storageProblem(error).code === 'disk_full' ? error : damaged(file, error);
  }
}

/** Reads the facts of a backup, and checks that its tables are those that this program creates. */
function readFacts(file: string, database: Database.Database): z.infer<typeof factsSchema> {
  const model = openDatabase(':memory:', migrations);
  try {
    const tables = [
      'transcripts',
      'tags',
      'transcript_tags',
      ...transcriptTables(model).map(({ name }) => name),
    ];
    for (const table of tables) {
      if (sqlOf(database, table) !== sqlOf(model, table))
        throw new Error(`table ${table} has another schema`);
    }
    return factsSchema.parse(database.prepare('SELECT * FROM backup_facts').get());
  } catch (error) {
    throw damaged(file, error);
  } finally {
    model.close();
  }
}

const sqlOf = (database: Database.Database, table: string): string | undefined =>
  database
    .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
    .get(table);

function damaged(path: string, error: unknown): ProblemError {
  const detail = error instanceof Error ? error.message : String(error);
  return new ProblemError({ code: 'backup_damaged', params: { path }, detail }, { cause: error });
}

/** Bytes copied between two checks for cancellation. */
const pieceBytes = 4 * 1024 * 1024;

/** The file to copy cannot be read; `cause` says why. */
class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/**
 * Copies a file, which may be huge and on a slow drive, and reports its progress in bytes.
 *
 * Runs in a worker thread.
 *
 * @throws UnreadableFileError, CancelledError, or the error of writing; a partial copy stays
 */
function copyFile(from: string, to: string, watch: TaskWatch): void {
  if (copyByReference(from, to)) return;
  const source = reading(() => openSync(from, 'r'));
  try {
    const total = reading(() => fstatSync(source).size);
    const target = openSync(to, 'w');
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let done = 0; ;) {
        watch.throwIfCancelled();
        watch.reportProgress({ done, total, unit: 'bytes' });
        const read = reading(() => readSync(source, piece, 0, pieceBytes, null));
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

/** Clones the file if the file system can: instantly and without using space. */
function copyByReference(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableFileError('the file could not be read', { cause: error });
  }
}
