import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The original of a segment knows the speaker that the segment had when it was last changed, so that a deleted one comes
 * back with its speaker. `NULL` for those changed by earlier versions.
 */
export const originalSpeakers: Migration = {
  version: 38,
  sql: 'ALTER TABLE original_segments ADD COLUMN speaker INTEGER;',
};
