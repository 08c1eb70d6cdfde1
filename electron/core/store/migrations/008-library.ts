import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The library: the location of each recording, tags, the trash, and the full-text index.
 *
 * Segments have IDs that stay the same when others are inserted or removed. The index refers to a segment by its `id`
 * and to a transcript's name by the negative `id` of the transcript. Triggers update the index in the commit that
 * changes either table; they call functions of `search-index.ts`. Existing rows are indexed afterwards, in pieces:
 * `search_backlog` has the range that is left.
 */
export const library: Migration = {
  version: 8,
  sql: `
    ALTER TABLE transcripts ADD COLUMN trashed_at INTEGER;
    ALTER TABLE transcripts ADD COLUMN recording_path TEXT;
    ALTER TABLE transcripts ADD COLUMN recording_bytes INTEGER;
    ALTER TABLE transcripts ADD COLUMN recording_fingerprint TEXT;
    UPDATE transcripts SET (recording_path, recording_bytes, recording_fingerprint) =
      (SELECT json_extract(source, '$.path'), size_bytes, fingerprint FROM items
       WHERE items.id = transcripts.item_id AND json_extract(source, '$.kind') = 'file');
    DROP INDEX transcripts_by_age;
    CREATE INDEX transcripts_by_age ON transcripts (created_at, id) WHERE trashed_at IS NULL;
    CREATE INDEX transcripts_by_name ON transcripts (name COLLATE NOCASE, id) WHERE trashed_at IS NULL;
    CREATE INDEX transcripts_by_length ON transcripts (duration_seconds, id) WHERE trashed_at IS NULL;
    CREATE INDEX transcripts_trashed ON transcripts (trashed_at, id) WHERE trashed_at IS NOT NULL;
    CREATE INDEX transcripts_by_content ON transcripts (recording_fingerprint);

    CREATE TABLE tags (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE
    ) STRICT;
    CREATE TABLE transcript_tags (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
      PRIMARY KEY (transcript_id, tag_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX transcript_tags_by_tag ON transcript_tags (tag_id, transcript_id);

    ALTER TABLE segments RENAME TO segments_before;
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY,
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      start_seconds REAL NOT NULL,
      end_seconds REAL NOT NULL,
      text TEXT NOT NULL,
      position INTEGER,
      place INTEGER GENERATED ALWAYS AS (coalesce(position, (number + 1) * 1048576)) VIRTUAL,
      speaker INTEGER,
      UNIQUE (transcript_id, number)
    ) STRICT;
    INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text, position, speaker)
      SELECT transcript_id, number, start_seconds, end_seconds, text, position, speaker FROM segments_before
      ORDER BY transcript_id, number;
    DROP TABLE segments_before;

    CREATE VIRTUAL TABLE search USING fts5 (
      plain, accented, content='', contentless_delete=1, prefix='2 3',
      tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
    );
    CREATE TABLE search_backlog (
      kind TEXT PRIMARY KEY CHECK (kind IN ('names', 'segments')),
      next_id INTEGER NOT NULL,
      last_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO search_backlog SELECT 'names', min(id), max(id) FROM transcripts HAVING count(*) > 0;
    INSERT INTO search_backlog SELECT 'segments', min(id), max(id) FROM segments HAVING count(*) > 0;

    -- A transcript without times has no segments: its text is found with its name.
    CREATE VIEW search_names AS SELECT id, name || iif(
      EXISTS (SELECT 1 FROM segments WHERE transcript_id = transcripts.id), '', char(10) || text) AS words
      FROM transcripts;
    CREATE TRIGGER segments_found AFTER INSERT ON segments WHEN search_is_deferred() = 0 BEGIN
      INSERT INTO search (rowid, plain, accented)
        VALUES (new.id, search_plain(new.text), search_accented(new.text));
    END;
    CREATE TRIGGER segments_found_anew AFTER UPDATE OF text ON segments WHEN old.text IS NOT new.text BEGIN
      DELETE FROM search WHERE rowid = old.id;
      INSERT INTO search (rowid, plain, accented)
        VALUES (new.id, search_plain(new.text), search_accented(new.text));
    END;
    CREATE TRIGGER segments_found_no_more AFTER DELETE ON segments BEGIN
      DELETE FROM search WHERE rowid = old.id;
    END;
    CREATE TRIGGER names_found AFTER INSERT ON transcripts BEGIN
      INSERT INTO search (rowid, plain, accented)
        VALUES (-new.id, search_plain(new.name), search_accented(new.name));
    END;
    CREATE TRIGGER names_found_anew AFTER UPDATE OF name ON transcripts WHEN old.name IS NOT new.name BEGIN
      DELETE FROM search WHERE rowid = -old.id;
      INSERT INTO search (rowid, plain, accented)
        SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = new.id;
    END;
    CREATE TRIGGER names_found_no_more AFTER DELETE ON transcripts BEGIN
      DELETE FROM search WHERE rowid = -old.id;
    END;
  `,
};
