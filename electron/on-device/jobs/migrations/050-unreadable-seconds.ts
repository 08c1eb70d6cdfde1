import type { Migration } from '../../../sqlite/open-database.ts';

/** How many seconds of each job's recording could not be decoded. */
export const unreadableSecondsMigration: Migration = {
  version: 50,
  sql: 'ALTER TABLE jobs ADD COLUMN unreadable_seconds REAL',
};
