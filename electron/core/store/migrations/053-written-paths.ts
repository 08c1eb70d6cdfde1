import type { Migration } from '../../../sqlite/open-database.ts';

/** Finds an auto export by its path, and those that are not written yet, without reading all of them. */
export const writtenPaths: Migration = {
  version: 53,
  sql: 'CREATE INDEX wanted_files_by_path ON wanted_files (written_path)',
};
