import type { Migration } from '../../../sqlite/open-database.ts';

/** Whether the transcript of a job is returned with its words. They are stored in any case. */
export const wordsMigration: Migration = {
  version: 37,
  sql: `ALTER TABLE jobs ADD COLUMN words INTEGER NOT NULL DEFAULT 0 CHECK (words IN (0, 1))`,
};
