import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Makes the cost of an edit independent of the length of the transcript: `text` keeps the original, and the current
 * text is joined from the segments when needed; the words are counted with the edits; only changed segments of the
 * original are copied.
 *
 * A transcript without times is edited as one text, which is stored with its edits.
 */
export const transcriptTexts: Migration = {
  version: 13,
  sql: `
    ALTER TABLE edit_states ADD COLUMN word_count INTEGER NOT NULL DEFAULT 0;
    -- Original segments have numbers below this.
    ALTER TABLE edit_states ADD COLUMN original_count INTEGER NOT NULL DEFAULT 0;
    -- The current text of a transcript without times; NULL for one that has them.
    ALTER TABLE edit_states ADD COLUMN text TEXT;
    UPDATE edit_states SET
      word_count = (SELECT word_count FROM transcripts WHERE id = transcript_id),
      original_count = (SELECT coalesce(max(number) + 1, 0) FROM original_segments o
                        WHERE o.transcript_id = edit_states.transcript_id);

    DROP TRIGGER names_found_anew;
    DROP VIEW search_names;
    CREATE VIEW timeless_texts AS SELECT t.id AS transcript_id, coalesce(e.text, t.text) AS text
      FROM transcripts t LEFT JOIN edit_states e ON e.transcript_id = t.id
      WHERE e.text IS NOT NULL OR (e.transcript_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM segments s WHERE s.transcript_id = t.id));
    -- A transcript without times has no segments: its text is found with its name.
    CREATE VIEW search_names AS SELECT id, name || coalesce(
      char(10) || (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id), '') AS words
      FROM transcripts;
    CREATE TRIGGER names_found_anew AFTER UPDATE OF name ON transcripts WHEN old.name IS NOT new.name BEGIN
      DELETE FROM search WHERE rowid = -old.id;
      INSERT INTO search (rowid, plain, accented)
        SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = new.id;
    END;
    CREATE TRIGGER timeless_found AFTER INSERT ON edit_states WHEN new.text IS NOT NULL BEGIN
      DELETE FROM search WHERE rowid = -new.transcript_id;
      INSERT INTO search (rowid, plain, accented)
        SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = new.transcript_id;
    END;
    CREATE TRIGGER timeless_found_anew AFTER UPDATE OF text ON edit_states WHEN old.text IS NOT new.text BEGIN
      DELETE FROM search WHERE rowid = -new.transcript_id;
      INSERT INTO search (rowid, plain, accented)
        SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = new.transcript_id;
    END;
  `,
};
