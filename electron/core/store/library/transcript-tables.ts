import type Database from 'better-sqlite3';

/** The service column of a second version of a transcript: the other version has the real service and job ID. */
export const restoredService = 'restored';

/** A table in which each row belongs to one transcript. */
export interface TranscriptTable {
  readonly name: string;
  /** The column with the transcript's ID. */
  readonly owner: string;
  /** All other columns, without a row ID that SQLite assigns. */
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

/** Columns of `transcripts` whose values are valid in this database only. */
const ownColumns: ReadonlySet<string> = new Set(['id', 'item_id']);

/** Returns the columns of `transcripts` that can be copied to another database. */
export const transcriptColumns = (database: Database.Database): readonly string[] =>
  columnsOf(database, 'transcripts').flatMap(({ name }) => (ownColumns.has(name) ? [] : [name]));

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
    return {
      name,
      owner,
      columns: columns
        .filter((column) => column.name !== owner && !isRowNumber(column))
        .map((column) => column.name),
    };
  });
}

/** Deletes tags that no transcript has. */
export function deleteUnusedTags(database: Database.Database): void {
  database.exec('DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)');
}
