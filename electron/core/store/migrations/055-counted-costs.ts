import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * What is counted for each recording towards its folder's limit, so that it can be corrected once its duration is known.
 * Recordings that were counted before have no cost of their own.
 */
export const countedCosts: Migration = {
  version: 55,
  sql: `
    -- NULL: nothing is counted.
    ALTER TABLE watched_files ADD COLUMN credits INTEGER;
    -- The start of the month in which it is counted, in Unix milliseconds.
    ALTER TABLE watched_files ADD COLUMN credits_since INTEGER NOT NULL DEFAULT 0;
    -- 1: its duration is not known yet, so that it counts as one credit.
    ALTER TABLE watched_files ADD COLUMN is_unmeasured INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX watched_files_counted ON watched_files (item_id) WHERE credits IS NOT NULL;
    CREATE INDEX watched_files_unmeasured ON watched_files (folder_id) WHERE is_unmeasured = 1;
  `,
};
