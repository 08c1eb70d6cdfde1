import type { Migration } from '../../../sqlite/open-database.ts';

/** A watched folder counts what it did not add, because the content was in the queue or had been transcribed. */
export const knownRecordings: Migration = {
  version: 36,
  sql: 'ALTER TABLE watched_folders ADD COLUMN known_count INTEGER NOT NULL DEFAULT 0;',
};
