import type { Migration } from '../../../sqlite/open-database.ts';

/** When a replacement was made, Unix milliseconds: the messages of the next start list it with its time. */
export const replaceRunTimes: Migration = {
  version: 45,
  sql: `
    ALTER TABLE replace_runs ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0;
    UPDATE replace_runs SET made_at = unixepoch() * 1000;
  `,
};
