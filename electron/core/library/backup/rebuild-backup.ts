import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openDatabase } from '../../../sqlite/open-database.ts';
import { migrations } from '../../store/migrations.ts';
import type { TaskContext } from '../task/run-task.ts';
import { boundJson, rowFilter } from './restorable-values.ts';
import { assertSchemaIsTree, backupFactsTable, tablesInBackup, withoutTriggers } from './backup-file.ts';

/** Rows copied between two checks for cancellation. */
const rowsPerCheck = 100;

/**
 * Creates a database of the backup's version at `target` and inserts the rows of the untrusted backup at `source`.
 *
 * Nothing can interrupt a statement of SQLite, so none may run for long, whatever is in the file. The file must have
 * the schema that this program creates, which is compared before any of it is used, and is read in one way only: each
 * table that is backed up, from its first row to its last. No expression, view, trigger, index or search index of the
 * file is evaluated, and no page is looked up by its content. A row that violates the schema (keys, references, types,
 * JSON) fails when it is inserted; JSON that is too long to be checked is replaced before, see {@link boundJson}. Pages
 * that repeat lead to keys that repeat, or to more content than the file is long.
 *
 * @throws CancelledError; Error or SqliteError if the backup is not one of this program or damaged
 */
export function rebuildBackup(source: string, target: string, context: TaskContext): void {
  assertSchemaIsTree(source);
  forbidWriteAheadLog(source);
  const backup = new Database(source, { readonly: true, fileMustExist: true });
  try {
    backup.pragma('trusted_schema = OFF');
    backup.pragma('cell_size_check = ON');
    const version = Number(backup.pragma('user_version', { simple: true }));
    const copy = createEmpty(target, version);
    try {
      assertSameSchema(backup, copy);
      copyRows(backup, copy, { fileBytes: statSync(source).size, context });
    } finally {
      copy.close();
    }
  } finally {
    backup.close();
  }
}

// https://www.sqlite.org/fileformat2.html#file_format_version_numbers
const formatVersions = { offset: 18, value: Buffer.from([1, 1]) } as const;

/** SQLite would create a write-ahead log for a database whose header asks for one, even to read it. */
function forbidWriteAheadLog(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, formatVersions.value, 0, formatVersions.value.length, formatVersions.offset);
  } finally {
    closeSync(file);
  }
}

/** Creates an empty backup of a version. */
function createEmpty(path: string, version: number): Database.Database {
  const database = openDatabase(
    path,
    migrations.filter((migration) => migration.version <= version),
  );
  // It is deleted after an error, and synced when it is migrated.
  database.pragma('journal_mode = DELETE');
  database.pragma('synchronous = OFF');
  database.exec(backupFactsTable);
  return database;
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

const selectSchema = 'SELECT type, name, sql FROM sqlite_schema';

/** Asserts that a database has exactly the tables, indexes, views and triggers of another one. */
function assertSameSchema(database: Database.Database, model: Database.Database): void {
  const schemaOf = (one: Database.Database): Set<string> =>
    new Set(one.prepare<[], SchemaRow>(selectSchema).all().map(schemaKey));
  const expected = schemaOf(model);
  const rows = database.prepare<[], SchemaRow>(selectSchema).all();
  const unexpected = rows.find((row) => !expected.delete(schemaKey(row)));
  if (unexpected !== undefined)
    throw new Error(`${unexpected.type} ${unexpected.name} does not belong to this program`);
  if (expected.size > 0) throw new Error(`the schema lacks ${[...expected].join(', ')}`);
}

const schemaKey = ({ type, name, sql }: SchemaRow): string => JSON.stringify([type, name, sql]);

interface CopyOptions {
  readonly fileBytes: number;
  readonly context: TaskContext;
}

function copyRows(backup: Database.Database, copy: Database.Database, options: CopyOptions): void {
  const { fileBytes, context } = options;
  const tables = [
    { name: 'backup_facts', columns: ['created_at', 'program'] },
    { name: 'tags', columns: ['id', 'name'] },
    ...tablesInBackup(copy).map(({ name, owner, columns }) => ({ name, columns: [owner, ...columns] })),
  ];
  let doneBytes = 0;
  let doneRows = 0;
  const copyTable = ({ name, columns }: (typeof tables)[number]): void => {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const insert = copy.prepare<unknown[]>(
      `INSERT INTO "${name}" (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const isRestored = rowFilter(name);
    // An index of the file could contradict its table.
    const rows = backup.prepare<[], unknown[]>(`SELECT ${list} FROM "${name}" NOT INDEXED`).raw().iterate();
    for (const row of rows) {
      if (doneRows % rowsPerCheck === 0) {
        context.throwIfCancelled();
        context.reportProgress({ done: doneBytes, total: fileBytes, unit: 'bytes' });
      }
      doneRows += 1;
      doneBytes += minBytes(row);
      if (doneBytes > fileBytes) throw new Error('the rows are longer than the file');
      if (isRestored(row)) insert.run(row.map((value, index) => boundJson(columns[index] ?? '', value)));
    }
  };
  copy.transaction(() => withoutTriggers(copy, () => tables.forEach(copyTable)))();
}

/** Returns how many bytes a row takes at least. */
const minBytes = (row: readonly unknown[]): number =>
  row.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 1);
