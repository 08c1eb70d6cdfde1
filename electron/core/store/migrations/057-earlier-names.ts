import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The names that transcripts had before they were renamed, which their exports still have. A trigger adds them, so that
 * no way of renaming can forget it. For renames of older versions, the name of the recording in the queue is known.
 */
export const earlierNames: Migration = {
  version: 57,
  sql: `
    CREATE TABLE earlier_names (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      PRIMARY KEY (transcript_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX earlier_names_by_name ON earlier_names (name);
    INSERT OR IGNORE INTO earlier_names SELECT t.id, i.name FROM transcripts t JOIN items i ON i.id = t.item_id
      WHERE i.name <> t.name;
    CREATE TRIGGER earlier_name_added AFTER UPDATE OF name ON transcripts WHEN old.name IS NOT new.name BEGIN
      INSERT OR IGNORE INTO earlier_names VALUES (old.id, old.name);
    END;
  `,
};
