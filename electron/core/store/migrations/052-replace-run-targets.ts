import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The transcripts that a replacement in all transcripts has still to change. Until none is left, a replacement that the
 * end of the program interrupted is reported.
 */
export const replaceRunTargets: Migration = {
  version: 52,
  sql: `
    CREATE TABLE replace_run_targets (
      run INTEGER NOT NULL REFERENCES replace_runs ON DELETE CASCADE,
      transcript_id INTEGER NOT NULL,
      PRIMARY KEY (run, transcript_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
