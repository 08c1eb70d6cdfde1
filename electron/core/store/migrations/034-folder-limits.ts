import type { Migration } from '../../../sqlite/open-database.ts';

/** A watched folder can have a limit: the credits that its recordings may cost in a calendar month. */
export const folderLimits: Migration = {
  version: 34,
  sql: `
    -- NULL: no limit.
    ALTER TABLE watched_folders ADD COLUMN credit_limit INTEGER;
    -- What the recordings cost that were added since this time, the start of a month in Unix milliseconds.
    ALTER TABLE watched_folders ADD COLUMN credits_since INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE watched_folders ADD COLUMN credits INTEGER NOT NULL DEFAULT 0;
  `,
};
