import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Everything that a segment carries in addition to its times, text and speaker, as a JSON object; `NULL` where it
 * carries nothing. It is the last column and has no constraint, so that adding it rewrites and reads no row.
 */
export const segmentExtras: Migration = {
  version: 29,
  sql: `
    ALTER TABLE segments ADD COLUMN extras TEXT;
    ALTER TABLE original_segments ADD COLUMN extras TEXT;
  `,
};
