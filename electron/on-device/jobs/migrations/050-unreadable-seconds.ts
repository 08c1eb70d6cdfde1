import type { Migration } from '../../../sqlite/open-database.ts';

/** How many seconds of each job's recording could not be decoded, and are part of its duration or not. */
export const unreadableSecondsMigration: Migration = {
  version: 50,
  sql: `
    ALTER TABLE jobs ADD COLUMN unreadable_seconds REAL;
    ALTER TABLE jobs ADD COLUMN omitted_seconds REAL;
  `,
};
