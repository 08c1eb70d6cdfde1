import { closeSync, openSync, readSync } from 'node:fs';
import { ProblemError } from '../../../contract/problem.ts';
import { pathProblem } from '../../media/open-file.ts';
import { migrations } from '../../store/migrations.ts';

/** The application id in the SQLite header of a library backup: "LHLB". */
export const backupApplicationId = 0x4c_48_4c_42;

/** The version of the format, which is that of the schema. */
export const backupVersion = migrations.at(-1)?.version ?? 0;

/** The default extension of backups. */
export const backupExtension = 'longhand';

/** The only table that a library does not have: facts about the backup. */
export const backupFactsTable =
  'CREATE TABLE backup_facts (created_at INTEGER NOT NULL, program TEXT NOT NULL) STRICT';

const magic = 'SQLite format 3\0';
// https://www.sqlite.org/fileformat2.html#the_database_header
const headerBytes = 100;
const versionOffset = 60;
const applicationOffset = 68;

/**
 * Checks the first bytes of a file that should be a backup, without trusting any of it.
 *
 * @throws ProblemError `path_missing`, `path_unreadable`, `backup_foreign` or `backup_newer`.
 */
export function checkBackupHeader(path: string): void {
  const header = readHeader(path);
  const isOurs =
    header.toString('latin1', 0, magic.length) === magic &&
    header.readUInt32BE(applicationOffset) === backupApplicationId;
  if (!isOurs) throw new ProblemError({ code: 'backup_foreign', params: { path } });
  const version = header.readUInt32BE(versionOffset);
  if (version > backupVersion) throw new ProblemError({ code: 'backup_newer', params: { path } });
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerBytes);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, headerBytes, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new ProblemError(pathProblem(path, error), { cause: error });
  }
  return header;
}
