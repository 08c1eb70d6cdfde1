import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { BackupContents } from '../../../contract/backup.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { openDatabase } from '../../../sqlite/open-database.ts';
import { pathProblem } from '../../media/file-problem.ts';
import { storageProblem } from '../../storage-problem.ts';
import { migrations } from '../../store/migrations.ts';
import { transcriptTables } from '../../store/library/transcript-tables.ts';
import { checkBackupHeader } from './backup-file.ts';
import { copyFile, UnreadableFileError } from './copy-file.ts';
import { planRestore } from './plan-restore.ts';
import type { TaskWatch } from '../task/run-task.ts';

export interface ReadBackupRequest {
  /** The file that the user has chosen. */
  readonly file: string;
  /** Where a copy of it is put, which is brought to the newest schema. */
  readonly copy: string;
  /** The library's database. */
  readonly library: string;
}

const factsSchema = z.object({ created_at: z.number(), program: z.string() });

/**
 * Opens a backup: checks it, copies it, brings the copy to the present schema and compares it with the library. The
 * copy then holds the plan of what is to be restored; see {@link planRestore}. The file itself is only read.
 *
 * Meant for a thread of its own.
 *
 * @throws ProblemError `path_missing`, `path_unreadable`, `backup_foreign`, `backup_newer`, `backup_damaged` or
 *   `disk_full`; the copy is gone then. `CancelledError` as well.
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

/** Removes a copy that was made by {@link readBackup}, with what SQLite has put beside it. */
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

/** Whatever SQLite finds wrong with the copy is wrong with the file, unless there is no room for what it adds. */
function openCopy(file: string, copy: string): Database.Database {
  try {
    const database = openDatabase(copy, migrations);
    // The rollback journal goes with the transaction; no other file is left beside the copy.
    database.pragma('journal_mode = DELETE');
    database.pragma('trusted_schema = OFF');
    return database;
  } catch (error) {
    throw storageProblem(error).code === 'disk_full' ? error : damaged(file, error);
  }
}

/** Reads what the backup says of itself, and that its tables are those that this program makes. */
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
      if (sqlOf(database, table) !== sqlOf(model, table)) throw new Error(`table ${table} is another one`);
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
