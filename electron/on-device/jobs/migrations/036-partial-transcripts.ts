import type { Migration } from '../../../sqlite/open-database.ts';

/** What is transcribed of a job in progress, so that it can be read and a restart resumes it. */
export const partialTranscriptsMigration: Migration = {
  version: 36,
  sql: `
    CREATE TABLE partial_segments (
      job_number INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      segment TEXT NOT NULL CHECK (json_valid(segment)),
      PRIMARY KEY (job_number, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE partial_transcripts (
      job_number INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
      language TEXT,
      -- where the engine can resume, and how many segments precede that; NULL: only at the start
      checkpoint TEXT CHECK (json_valid(checkpoint)),
      checkpoint_segments INTEGER NOT NULL CHECK (checkpoint_segments >= 0)
    ) STRICT;
  `,
};
