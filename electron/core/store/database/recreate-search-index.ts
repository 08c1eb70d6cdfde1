import Database from 'better-sqlite3';
import { assertIntact, DamagedDatabaseError, isDamage } from '../../../sqlite/open-database.ts';
import { steadyMerging } from '../migrations/028-steady-merging.ts';

/** The table of the search index and those in which FTS5 keeps it: https://www.sqlite.org/fts5.html#fts5_data_structures */
const indexTables = ['search', 'search_data', 'search_idx', 'search_docsize', 'search_config'];

/**
 * Recreates the search index of a damaged database, if everything else in it is intact. The index is empty then; it is
 * filled in the background from the texts, see `search-index.ts`. The damaged pages are not freed, as `DROP TABLE` would
 * do, but left out when the database is rewritten: they may refer to pages with texts.
 *
 * @returns whether it was recreated; if not, the database is still damaged
 * @throws UnreadableDatabaseError if the drive fails to read it; SqliteError, for example if the disk is full.
 */
export function recreateSearchIndex(path: string): boolean {
  const database = new Database(path, { fileMustExist: true });
  try {
    for (const table of tablesOf(database)) if (!indexTables.includes(table)) assertIntact(database, table);
    // Otherwise the schema cannot be written.
    database.unsafeMode();
    database.transaction(replaceIndex)(database);
    // If the process ends before this, the next start finds pages without a table, and does the same again.
    database.exec('VACUUM');
    return true;
  } catch (error) {
    if (error instanceof DamagedDatabaseError || isDamage(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}

const tablesOf = (database: Database.Database): readonly string[] => [
  'sqlite_schema',
  ...database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
];

/** @throws DamagedDatabaseError if there is no index. */
function replaceIndex(database: Database.Database): void {
  const sql = database
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'search'")
    .pluck()
    .get();
  if (sql === undefined) throw new DamagedDatabaseError('no search index');
  database.pragma('writable_schema = ON');
  const remove = database.prepare('DELETE FROM sqlite_schema WHERE name = ?');
  for (const table of indexTables) remove.run(table);
  database.pragma('writable_schema = RESET');
  database.exec(sql);
  database.exec(steadyMerging.sql);
  database.exec(`
    DELETE FROM search_backlog;
    INSERT INTO search_backlog SELECT 'names', min(id), max(id) FROM transcripts HAVING count(*) > 0;
    INSERT INTO search_backlog SELECT 'segments', min(id), max(id) FROM segments HAVING count(*) > 0;
  `);
}
