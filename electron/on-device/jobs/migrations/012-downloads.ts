import type { Migration } from '../../../sqlite/open-database.ts';

/** The progress of the download of a link, so that it resumes after a restart. */
export const downloadsMigration: Migration = {
  version: 12,
  sql: `
    -- a row says that the first stored_bytes are on the disk and of the version that validator names
    CREATE TABLE downloads (
      job_number INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
      validator TEXT NOT NULL,
      -- NULL: the server does not tell
      total_bytes INTEGER,
      stored_bytes INTEGER NOT NULL CHECK (stored_bytes > 0)
    ) STRICT;
  `,
};
