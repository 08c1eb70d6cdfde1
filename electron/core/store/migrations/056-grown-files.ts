import type { Migration } from '../../../sqlite/open-database.ts';

/** What tells a file of a watched folder that has grown from one that was replaced, and how often it was added again. */
export const grownFiles: Migration = {
  version: 56,
  sql: `
    -- The hash of a part of its content; NULL: unknown.
    ALTER TABLE watched_files ADD COLUMN sample TEXT;
    ALTER TABLE watched_files ADD COLUMN resent_count INTEGER NOT NULL DEFAULT 0;
  `,
};
