import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { ProblemError } from '../../../contract/problem.ts';
import { NotAFileError, openRegularFileSync, pathProblem } from '../../media/open-file.ts';
import {
  transcriptColumns,
  transcriptTables,
  type TranscriptTable,
} from '../../store/library/transcript-tables.ts';
import { migrations } from '../../store/migrations.ts';

/** The application id in the SQLite header of a library backup: "LHLB". */
export const backupApplicationId = 0x4c_48_4c_42;

/** The version of the format, which is that of the schema. */
export const backupVersion = migrations.at(-1)?.version ?? 0;

/** The only table that a library does not have: metadata of the backup. */
export const backupFactsTable =
  'CREATE TABLE backup_facts (created_at INTEGER NOT NULL, program TEXT NOT NULL) STRICT';

/** Returns the tables whose rows are backed up, in addition to `tags`; each row belongs to a transcript. */
export const tablesInBackup = (database: Database.Database): readonly TranscriptTable[] => [
  { name: 'transcripts', owner: 'id', columns: transcriptColumns(database), key: null },
  ...transcriptTables(database),
  { name: 'transcript_tags', owner: 'transcript_id', columns: ['tag_id'], key: null },
];

/** Runs work without the triggers of the main database: they update the search index, which is not backed up. */
export function withoutTriggers<T>(database: Database.Database, work: () => T): T {
  const triggers = database
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'",
    )
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER main."${name}"`);
  const result = work();
  for (const { sql } of triggers) database.exec(sql);
  return result;
}

const magic = 'SQLite format 3\0';
// https://www.sqlite.org/fileformat2.html#the_database_header
const headerBytes = 100;
const versionOffset = 60;
const applicationOffset = 68;

/**
 * Checks the first bytes of a file that should be a backup, without trusting any of it.
 *
 * @throws ProblemError `backup_missing`, `backup_unreadable`, `backup_foreign` or `backup_newer`.
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
    const file = openRegularFileSync(path);
    try {
      readSync(file, header, 0, headerBytes, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadableBackup(path, error);
  }
  return header;
}

/**
 * Returns why a backup could not be read. A folder is not a backup, even if its permissions forbid reading it, and neither
 * is a pipe or a device.
 */
export function unreadableBackup(path: string, error: unknown): ProblemError {
  const options = { cause: error };
  if (error instanceof NotAFileError || isFolder(path))
    return new ProblemError({ code: 'backup_foreign', params: { path } }, options);
  const problem = pathProblem(path, error);
  const code = problem.code === 'path_missing' ? 'backup_missing' : 'backup_unreadable';
  return new ProblemError({ ...problem, code }, options);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// https://www.sqlite.org/fileformat2.html#b_tree_pages
const pageSizeOffset = 16;
const interiorPage = 5;
const leafPage = 13;
/** Several times as many as the schema has. */
const maxSchemaRows = 1000;
/** Several times as long as the longest row of the schema. */
const maxSchemaRowBytes = 65_536;

/**
 * Asserts that the pages of a database's schema form a small tree. SQLite reads all of them when it opens the file, and
 * would take practically forever if pages repeat; nothing can interrupt it, not even the end of its thread.
 *
 * @throws Error if they do not; the error of reading
 */
export function assertSchemaIsTree(path: string): void {
  const file = openRegularFileSync(path);
  try {
    const sizeField = Buffer.alloc(2);
    readSync(file, sizeField, 0, 2, pageSizeOffset);
    const pageBytes = sizeField.readUInt16BE(0) === 1 ? 65_536 : sizeField.readUInt16BE(0);
    if (pageBytes < 512) throw new Error('the page size is not valid');
    const pageCount = Math.floor(fstatSync(file).size / pageBytes);
    const page = Buffer.alloc(pageBytes);
    const visited = new Set<number>();
    const pending = [1];
    let rows = 0;
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      if (number < 1 || number > pageCount || visited.has(number))
        throw new Error(`page ${number} of the schema is missing or repeated`);
      visited.add(number);
      readSync(file, page, 0, pageBytes, (number - 1) * pageBytes);
      const start = number === 1 ? headerBytes : 0;
      const cellCount = page.readUInt16BE(start + 3);
      if (page[start] === leafPage) {
        rows += cellCount;
        assertShortRows(page, start, cellCount);
      } else if (page[start] === interiorPage) pending.push(...childrenOf(page, start, cellCount));
      else throw new Error(`page ${number} does not belong to a schema`);
      if (rows > maxSchemaRows) throw new Error('the schema is too large');
    }
  } finally {
    closeSync(file);
  }
}

/** Returns the numbers of the pages below an interior page. */
function childrenOf(page: Buffer, start: number, cellCount: number): readonly number[] {
  const children = [page.readUInt32BE(start + 8)];
  for (let cell = 0; cell < cellCount; cell += 1)
    children.push(page.readUInt32BE(page.readUInt16BE(start + 12 + cell * 2)));
  return children;
}

/** Asserts that a leaf page has no long rows: the pages on which a row continues could repeat. */
function assertShortRows(page: Buffer, start: number, cellCount: number): void {
  for (let cell = 0; cell < cellCount; cell += 1) {
    const at = page.readUInt16BE(start + 8 + cell * 2);
    // The length has seven bits in each byte; the high bit of all bytes but the last is set.
    const bytes = [...page.subarray(at, at + 4)];
    const last = bytes.findIndex((byte) => byte < 0x80);
    const length = bytes.slice(0, last + 1).reduce((sum, byte) => sum * 128 + (byte % 128), 0);
    if (last === -1 || length > maxSchemaRowBytes) throw new Error('a row of the schema is too long');
  }
}
