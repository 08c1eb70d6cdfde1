import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Reindexes texts with Arabic letters, ß, the Turkish ı or half-width katakana, whose words are folded differently from
 * now on. Everything from the first of them to the last is read again, in pieces; a library without any is not touched.
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
