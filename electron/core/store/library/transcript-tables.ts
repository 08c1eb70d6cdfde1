import type Database from 'better-sqlite3';

/** The service column of transcripts that were imported from files. */
export const importService = 'import';

/** The service column of a second version of a transcript: the other version has the real service and job ID. */
export const restoredService = 'restored';

/** A table in which each row belongs to one transcript. */
export interface TranscriptTable {
  readonly name: string;
  /** The column with the transcript's ID. */
  readonly owner: string;
  /** All other columns, without a row ID that SQLite assigns. */
  readonly columns: readonly string[];
  /** The column that orders the rows of a transcript and differs in each; `null`: a transcript has few rows. */
  readonly key: 'number' | 'finding' | null;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly hidden: number;
}

const columnsOf = (database: Database.Database, table: string): readonly Column[] =>
  database
    .prepare<[string], Column>('SELECT name, type, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table);

/** Columns of `transcripts` whose values are valid in this database only. */
const localColumns: ReadonlySet<string> = new Set(['id', 'item_id']);

/** Returns the columns of `transcripts` that can be copied to another database. */
export const transcriptColumns = (database: Database.Database): readonly string[] =>
  columnsOf(database, 'transcripts').flatMap(({ name }) => (localColumns.has(name) ? [] : [name]));

/**
 * Returns every table whose rows the schema deletes with their transcript, so tables of later versions are included
 * automatically. Tags are not: their rows refer to another table as well.
 */
export function transcriptTables(database: Database.Database): readonly TranscriptTable[] {
  const owned = database
    .prepare<[], { name: string; owner: string }>(
      `SELECT t.name, k."from" AS owner FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
       WHERE t.type = 'table' AND k."table" = 'transcripts' AND t.name <> 'transcript_tags' ORDER BY t.name`,
    )
    .all();
  return owned.map(({ name, owner }) => {
    const columns = columnsOf(database, name);
    const keys = columns.filter(({ pk }) => pk > 0);
    const isRowNumber = ({ pk, type }: Column): boolean => pk > 0 && keys.length === 1 && type === 'INTEGER';
    const rest = columns
      .filter((column) => column.name !== owner && !isRowNumber(column))
      .map((column) => column.name);
    const key = (['number', 'finding'] as const).find((column) => rest.includes(column)) ?? null;
    return { name, owner, columns: rest, key };
  });
}

/** The maximum bytes that a commit copies or removes, except for a single row: a few milliseconds. */
const maxBytesPerCommit = 1024 * 1024;

/** The key of a row; see {@link TranscriptTable}. */
export type RowKey = number | string;

/**
 * Returns a function that returns the key of the last row of the piece after `after` for one commit; `null` if there is
 * none. Rows may have any size, so a piece ends with the first row beyond {@link maxBytesPerCommit}.
 *
 * @param schema the database, such as `main`.
 * @param maxRows the maximum rows of a piece
 */
export function preparePieceEnds(
  database: Database.Database,
  schema: string,
  { name, owner, columns, key }: TranscriptTable,
  maxRows: number,
): (id: number, after: RowKey) => RowKey | null {
  const bytes = columns.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ');
  const rows = database.prepare<[number, RowKey], { key: RowKey; bytes: number }>(
    `SELECT "${key}" AS key, ${bytes} AS bytes FROM ${schema}."${name}"
     WHERE "${owner}" = ? AND "${key}" > ? ORDER BY "${key}" LIMIT ${maxRows}`,
  );
  return (id, after) => {
    let end: RowKey | null = null;
    let sum = 0;
    for (const row of rows.iterate(id, after)) {
      sum += row.bytes;
      if (end !== null && sum > maxBytesPerCommit) break;
      end = row.key;
    }
    return end;
  };
}

/** Returns a value before the key of every row that the program writes. */
export const beforeFirst = (key: 'number' | 'finding'): RowKey => (key === 'number' ? -1 : '');

/** Deletes tags that no transcript has. */
export function deleteUnusedTags(database: Database.Database): void {
  database.exec('DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)');
}
