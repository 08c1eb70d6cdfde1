import type { Migration } from '../../../sqlite/open-database.ts';

/** Bytes of a text that is indexed at once. */
const maxBytesAtOnce = 40_000;

const indexAtOnce = (id: string): string => `
  DELETE FROM search WHERE rowid = -${id};
  INSERT INTO search (rowid, plain, accented)
    SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = ${id};`;

const indexLater = (id: string): string => `
  INSERT INTO search_backlog (kind, next_id, last_id) VALUES ('names', ${id}, ${id})
    ON CONFLICT (kind) DO UPDATE SET last_id = max(last_id, excluded.last_id),
      next_id = min(next_id, excluded.next_id);
  SELECT search_changed();`;

const untimedBytes = (id: string): string =>
  `coalesce((SELECT octet_length(text) FROM timeless_texts WHERE transcript_id = ${id}), 0)`;

/**
 * Leaves long texts without times to the background indexing: each edit indexed the whole text, which took half a second
 * for a million letters.
 */
export const longUntimedTexts: Migration = {
  version: 40,
  sql: `
    DROP TRIGGER names_found_anew;
    DROP TRIGGER timeless_found;
    DROP TRIGGER timeless_found_anew;
    CREATE TRIGGER name_changed AFTER UPDATE OF name ON transcripts
      WHEN old.name IS NOT new.name AND ${untimedBytes('new.id')} <= ${maxBytesAtOnce}
      BEGIN ${indexAtOnce('new.id')} END;
    CREATE TRIGGER name_of_long_text_changed AFTER UPDATE OF name ON transcripts
      WHEN old.name IS NOT new.name AND ${untimedBytes('new.id')} > ${maxBytesAtOnce}
      BEGIN ${indexLater('new.id')} END;
    CREATE TRIGGER untimed_text_edited AFTER INSERT ON edit_states
      WHEN octet_length(new.text) <= ${maxBytesAtOnce}
      BEGIN ${indexAtOnce('new.transcript_id')} END;
    CREATE TRIGGER long_untimed_text_edited AFTER INSERT ON edit_states
      WHEN octet_length(new.text) > ${maxBytesAtOnce}
      BEGIN ${indexLater('new.transcript_id')} END;
    CREATE TRIGGER untimed_text_changed AFTER UPDATE OF text ON edit_states
      WHEN old.text IS NOT new.text AND octet_length(new.text) <= ${maxBytesAtOnce}
      BEGIN ${indexAtOnce('new.transcript_id')} END;
    CREATE TRIGGER long_untimed_text_changed AFTER UPDATE OF text ON edit_states
      WHEN old.text IS NOT new.text AND octet_length(new.text) > ${maxBytesAtOnce}
      BEGIN ${indexLater('new.transcript_id')} END;
  `,
};
