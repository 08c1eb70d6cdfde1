import type { Migration } from '../../../sqlite/open-database.ts';

/** How much of each transcript's recording its service could not read. Items have it in their state. */
export const unreadableDurations: Migration = {
  version: 51,
  sql: 'ALTER TABLE transcripts ADD COLUMN unreadable_seconds REAL',
};
