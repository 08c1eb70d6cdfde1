import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Transcripts whose speakers are still to be identified, or could not be. Without a foreign key, since it is not part of
 * a transcript: backups leave it out.
 */
export const speakerRequests: Migration = {
  version: 33,
  sql: `
    CREATE TABLE speaker_requests (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      transcript_id INTEGER NOT NULL UNIQUE,
      -- How many speak; NULL: unknown.
      speaker_count INTEGER,
      -- Why they could not be identified; NULL: still to be done.
      problem TEXT CHECK (json_valid(problem))
    ) STRICT;
    CREATE TRIGGER speaker_requests_end AFTER DELETE ON transcripts BEGIN
      DELETE FROM speaker_requests WHERE transcript_id = old.id;
    END;
  `,
};
