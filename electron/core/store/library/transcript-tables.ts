import type Database from 'better-sqlite3';

/** A table whose rows belong to one transcript each. */
export interface TranscriptTable {
  readonly name: string;
  /** The column with the transcript's number. */
  readonly owner: string;
  /** All other columns that hold values of their own; a number that SQLite gives to each row is none. */
  readonly columns: readonly string[];
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

/** Columns of `transcripts` that mean something in this database alone. */
const ownColumns: ReadonlySet<string> = new Set(['id', 'item_id']);

/** The columns of `transcripts` that another database can take over. */
export const transcriptColumns = (database: Database.Database): readonly string[] =>
  columnsOf(database, 'transcripts').flatMap(({ name }) => (ownColumns.has(name) ? [] : [name]));

/**
 * Every table whose rows go when their transcript goes, as the schema says it; so what later versions keep of
 * transcripts is among them by itself. Tags are not: their rows point at another table as well.
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
    return {
      name,
      owner,
      columns: columns
        .filter((column) => column.name !== owner && !isRowNumber(column))
        .map((column) => column.name),
    };
  });
}

/** Removes tags that no transcript has. */
export function forgetUnusedTags(database: Database.Database): void {
  database.exec('DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)');
}
