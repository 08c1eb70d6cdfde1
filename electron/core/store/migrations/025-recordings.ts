import type { Migration } from '../../../sqlite/open-database.ts';

/** An index that lists all recordings without reading the texts, which come before the paths in each row. */
export const recordings: Migration = {
  version: 25,
  sql: `CREATE INDEX transcripts_by_recording ON transcripts (recording_path) WHERE recording_path IS NOT NULL`,
};
