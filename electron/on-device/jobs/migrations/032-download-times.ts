import type { Migration } from '../../../sqlite/open-database.ts';

/** How long the download of a link has run, so that a restart does not reset its time limit. */
export const downloadTimesMigration: Migration = {
  version: 32,
  sql: `
    ALTER TABLE jobs ADD COLUMN download_ms INTEGER NOT NULL DEFAULT 0 CHECK (download_ms >= 0);
  `,
};
