import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The original of a segment has the speaker that the segment had when it was last changed, so that a deleted segment is
 * restored with its speaker. `NULL` for segments changed by earlier versions.
 */
export const originalSpeakers: Migration = {
  version: 38,
  sql: 'ALTER TABLE original_segments ADD COLUMN speaker INTEGER;',
};
