import type { Migration } from '../../../sqlite/open-database.ts';

/** The credits that the last start named, so that a restart with the same number changes nothing. */
export const grantedCreditsMigration: Migration = {
  version: 46,
  sql: 'ALTER TABLE account ADD COLUMN granted_credits INTEGER',
};
