import type { Migration } from '../../../sqlite/open-database.ts';

/** When items reached their milestones, and the add sheets that are open. */
export const timesAndSheets: Migration = {
  version: 15,
  sql: `
    ALTER TABLE items ADD COLUMN started_at INTEGER;
    ALTER TABLE items ADD COLUMN sent_at INTEGER;
    ALTER TABLE items ADD COLUMN ended_at INTEGER;

    CREATE TABLE sheets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      options TEXT NOT NULL CHECK (json_valid(options))
    ) STRICT;

    CREATE TABLE sheet_additions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sheet_id INTEGER NOT NULL REFERENCES sheets (id) ON DELETE CASCADE,
      paths TEXT NOT NULL CHECK (json_valid(paths)),
      links TEXT NOT NULL CHECK (json_valid(links))
    ) STRICT;
    CREATE INDEX sheet_additions_by_sheet ON sheet_additions (sheet_id);

    CREATE TABLE sheet_choices (
      sheet_id INTEGER NOT NULL REFERENCES sheets (id) ON DELETE CASCADE,
      location TEXT NOT NULL,
      included INTEGER,
      options TEXT NOT NULL CHECK (json_valid(options)),
      PRIMARY KEY (sheet_id, location)
    ) STRICT, WITHOUT ROWID;
  `,
};
