import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The last replacements in all transcripts with their edits, so that they can be undone after a restart, including one
 * that the end of the program interrupted. Without foreign keys: they are not part of a transcript or its backup.
 */
export const replaceRuns: Migration = {
  version: 37,
  sql: `
    CREATE TABLE replace_runs (
      run INTEGER PRIMARY KEY,
      text TEXT NOT NULL,
      replacement TEXT NOT NULL,
      -- How many transcripts were to be changed.
      total INTEGER NOT NULL,
      is_finished INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE replace_run_edits (
      run INTEGER NOT NULL REFERENCES replace_runs ON DELETE CASCADE,
      transcript_id INTEGER NOT NULL,
      -- The number of the edit in the history of the transcript.
      edit INTEGER NOT NULL,
      PRIMARY KEY (run, transcript_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
