import type { Migration } from '../../../sqlite/open-database.ts';

/** An index that finds the few failed auto exports among many. */
export const failedAutoExports: Migration = {
  version: 19,
  sql: `
    CREATE INDEX wanted_files_failed ON wanted_files (item_id) WHERE problem IS NOT NULL;
  `,
};
