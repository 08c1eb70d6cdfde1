import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Takes texts in Arabic letters, with ß or the Turkish ı, and in half-width katakana into the search anew: their words
 * are folded in another way since. From the first of them to the last everything is read once more, piece by piece; a
 * library without any is left alone.
 */
export const foldedLetters: Migration = {
  version: 24,
  sql: `
    INSERT INTO search_backlog (kind, next_id, last_id)
      SELECT 'segments', min(id), max(id) FROM segments WHERE text GLOB '*[ةۃہىیکۀıßẞﭐ-ﻼｦ-ﾟ]*' HAVING count(*) > 0
      ON CONFLICT (kind) DO UPDATE SET last_id = max(last_id, excluded.last_id),
        next_id = min(next_id, excluded.next_id);
    INSERT INTO search_backlog (kind, next_id, last_id)
      SELECT 'names', min(id), max(id) FROM search_names WHERE words GLOB '*[ةۃہىیکۀıßẞﭐ-ﻼｦ-ﾟ]*' HAVING count(*) > 0
      ON CONFLICT (kind) DO UPDATE SET last_id = max(last_id, excluded.last_id),
        next_id = min(next_id, excluded.next_id);
  `,
};
