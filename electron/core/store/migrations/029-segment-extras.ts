import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Everything that a segment has in addition to its times, text and speaker, as a JSON object; `NULL` if it has nothing
 * else. It is the last column and has no constraint, so that adding it reads and rewrites no row.
 */
export const segmentExtras: Migration = {
  version: 29,
  sql: `
    ALTER TABLE segments ADD COLUMN extras TEXT;
    ALTER TABLE original_segments ADD COLUMN extras TEXT;
  `,
};
