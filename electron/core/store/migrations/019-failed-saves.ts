import type { Migration } from '../../../sqlite/open-database.ts';

/** Finds the few wanted files that could not be written among a great many. */
export const failedSaves: Migration = {
  version: 19,
  sql: `
    CREATE INDEX wanted_files_failed ON wanted_files (item_id) WHERE problem IS NOT NULL;
  `,
};
