import type { Migration } from '../../../sqlite/open-database.ts';

/** The durations that files state: of a damaged one, the service reads less than that. */
export const statedDurations: Migration = {
  version: 49,
  sql: `
    ALTER TABLE items ADD COLUMN stated_seconds REAL;
    ALTER TABLE transcripts ADD COLUMN stated_seconds REAL;
  `,
};
