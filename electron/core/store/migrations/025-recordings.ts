import type { Migration } from '../../../sqlite/open-database.ts';

/** All recordings of the library are listed without reading the texts, which stand before their paths in the rows. */
export const recordings: Migration = {
  version: 25,
  sql: `CREATE INDEX transcripts_by_recording ON transcripts (recording_path) WHERE recording_path IS NOT NULL`,
};
