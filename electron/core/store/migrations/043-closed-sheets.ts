import type { Migration } from '../../../sqlite/open-database.ts';

/** Whether the user has closed an add sheet, which is not offered at the next start and can be reopened until then. */
export const closedSheets: Migration = {
  version: 43,
  sql: 'ALTER TABLE sheets ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;',
};
