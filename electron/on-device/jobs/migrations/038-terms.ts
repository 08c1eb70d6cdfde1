import type { Migration } from '../../../sqlite/open-database.ts';

/** The names and terms of a recording, as JSON. */
export const termsMigration: Migration = {
  version: 38,
  sql: `ALTER TABLE jobs ADD COLUMN terms TEXT NOT NULL DEFAULT '[]'`,
};
