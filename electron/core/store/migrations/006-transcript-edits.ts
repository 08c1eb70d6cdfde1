import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The users' edits of transcripts. `segments` holds the current text, so that every reader gets the edits; the original
 * is copied at the first edit. A segment keeps its number permanently; `place` is its position among the others, with
 * gaps in between.
 */
export const transcriptEdits: Migration = {
  version: 6,
  sql: `
    ALTER TABLE segments ADD COLUMN position INTEGER;
    ALTER TABLE segments ADD COLUMN place INTEGER
      GENERATED ALWAYS AS (coalesce(position, (number + 1) * 1048576)) VIRTUAL;
    ALTER TABLE segments ADD COLUMN speaker INTEGER;

    CREATE TABLE original_segments (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      start_seconds REAL NOT NULL,
      end_seconds REAL NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (transcript_id, number)
    ) STRICT, WITHOUT ROWID;

    -- The editing state of a transcript. No row: it was never edited.
    CREATE TABLE edit_states (
      transcript_id INTEGER PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
      revision INTEGER NOT NULL,
      -- The last edit that counts; NULL when all are undone.
      head INTEGER,
      next_id INTEGER NOT NULL,
      speakers TEXT NOT NULL CHECK (json_valid(speakers)),
      notes TEXT NOT NULL CHECK (json_valid(notes))
    ) STRICT;

    -- Every edit ever made, each on top of its parent. Nothing is removed: undoing only moves the head.
    CREATE TABLE edits (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      parent INTEGER,
      made_at INTEGER NOT NULL,
      operation TEXT NOT NULL CHECK (json_valid(operation)),
      change TEXT NOT NULL CHECK (json_valid(change)),
      PRIMARY KEY (transcript_id, number)
    ) STRICT;
    CREATE INDEX edits_by_parent ON edits (transcript_id, parent);

    CREATE TABLE accepted_findings (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      finding TEXT NOT NULL,
      PRIMARY KEY (transcript_id, finding)
    ) STRICT, WITHOUT ROWID;
  `,
};
