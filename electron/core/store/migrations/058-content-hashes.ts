import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The SHA-256 of the whole recording that was sent, and when the file was last modified (Unix milliseconds), so that
 * another file can be compared with it although it is gone or was replaced; `NULL` if unknown.
 */
export const contentHashes: Migration = {
  version: 58,
  sql: `
    ALTER TABLE items ADD COLUMN content_hash TEXT;
    ALTER TABLE transcripts ADD COLUMN content_hash TEXT;
    ALTER TABLE transcripts ADD COLUMN content_mtime_ms REAL;
  `,
};
