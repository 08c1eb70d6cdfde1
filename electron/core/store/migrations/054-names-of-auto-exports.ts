import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The name that an auto export has instead of its item's: that of the copy of the recording that a command named. Empty:
 * that of the item. Several copies can be in one folder.
 */
export const namesOfAutoExports: Migration = {
  version: 54,
  sql: `
    CREATE TABLE named_files (
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      format TEXT NOT NULL,
      folder TEXT NOT NULL,
      name TEXT NOT NULL,
      written_path TEXT,
      problem TEXT CHECK (problem IS NULL OR json_valid(problem)),
      PRIMARY KEY (item_id, format, folder, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO named_files SELECT item_id, format, folder, '', written_path, problem FROM wanted_files;
    DROP TABLE wanted_files;
    ALTER TABLE named_files RENAME TO wanted_files;
    CREATE INDEX wanted_files_failed ON wanted_files (item_id) WHERE problem IS NOT NULL;
    CREATE INDEX wanted_files_by_path ON wanted_files (written_path);
  `,
};
