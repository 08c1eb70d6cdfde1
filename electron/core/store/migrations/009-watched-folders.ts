import type { Migration } from '../../../sqlite/open-database.ts';

/** The folders whose new recordings are added automatically, and the files seen in them. */
export const watchedFolders: Migration = {
  version: 9,
  sql: `
    CREATE TABLE watched_folders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL UNIQUE,
      polled INTEGER NOT NULL,
      paused INTEGER NOT NULL,
      skips_present INTEGER NOT NULL,
      added_count INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE watched_files (
      folder_id INTEGER NOT NULL REFERENCES watched_folders (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL,
      fingerprint TEXT NOT NULL,
      item_id INTEGER,
      PRIMARY KEY (folder_id, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX watched_files_by_content ON watched_files (fingerprint);
  `,
};
