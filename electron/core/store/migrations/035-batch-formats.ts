import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The formats that are saved for the recordings of an add sheet, as a JSON array: those chosen on it, or `NULL` for
 * those of the settings. Earlier versions had a choice only for SRT. The other formats of that time are in the
 * settings, not in the database, so unfinished items of an older version are saved as SRT only.
 */
export const batchFormats: Migration = {
  version: 35,
  sql: `
    ALTER TABLE sheets ADD COLUMN formats TEXT;
    UPDATE sheets SET formats = iif(subtitles, '["srt"]', '[]') WHERE subtitles IS NOT NULL;
    ALTER TABLE sheets DROP COLUMN subtitles;
    ALTER TABLE items ADD COLUMN formats TEXT;
    UPDATE items SET formats = iif(subtitles, '["srt"]', '[]') WHERE subtitles IS NOT NULL;
    ALTER TABLE items DROP COLUMN subtitles;
    -- What will be saved of the unfinished items is read with each view of the queue.
    CREATE INDEX items_by_formats ON items (formats) WHERE kind NOT IN ('done', 'failed', 'cancelled');
  `,
};
