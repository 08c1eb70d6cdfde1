import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Whether subtitles are saved for the recordings of an add sheet: 1 or 0 as chosen on it, `NULL` as in the settings.
 */
export const batchSubtitles: Migration = {
  version: 32,
  sql: `
    ALTER TABLE sheets ADD COLUMN subtitles INTEGER CHECK (subtitles IN (0, 1));
    ALTER TABLE items ADD COLUMN subtitles INTEGER CHECK (subtitles IN (0, 1));
  `,
};
