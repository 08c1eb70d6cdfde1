import type { Migration } from '../../../sqlite/open-database.ts';

/** The first schema: one account, its jobs with their uploaded parts and transcripts, and idempotency keys. */
export const jobsMigration: Migration = {
  version: 10,
  sql: `
    CREATE TABLE account (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- NULL: no limit is felt
      balance_credits INTEGER CHECK (balance_credits >= 0)
    ) STRICT;

    CREATE TABLE jobs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      status TEXT NOT NULL CHECK (status IN ('accepted', 'uploading', 'inspecting', 'preprocessing', 'queued',
        'processing', 'merging', 'completed', 'failed', 'deleted')),
      file_name TEXT NOT NULL,
      mime_type TEXT NOT NULL,
      source_kind TEXT NOT NULL CHECK (source_kind IN ('audio', 'video')),
      url TEXT,
      size_bytes INTEGER CHECK (size_bytes > 0),
      part_size INTEGER,
      part_count INTEGER,
      upload_expires_at INTEGER,
      language TEXT NOT NULL,
      accuracy TEXT NOT NULL CHECK (accuracy IN ('fast', 'balanced', 'accurate')),
      translate_to_english INTEGER NOT NULL CHECK (translate_to_english IN (0, 1)),
      duration_seconds REAL,
      credits_charged INTEGER NOT NULL DEFAULT 0 CHECK (credits_charged >= 0),
      error_code TEXT,
      error_message TEXT,
      created_at INTEGER NOT NULL,
      -- when all of the media was there, which is the order of the work
      ready_at INTEGER,
      ended_at INTEGER,
      -- a file with its plan of parts, or a link
      CHECK ((url IS NULL) = (size_bytes IS NOT NULL)),
      CHECK ((size_bytes IS NULL) = (part_size IS NULL)),
      CHECK ((size_bytes IS NULL) = (part_count IS NULL)),
      CHECK ((size_bytes IS NULL) = (upload_expires_at IS NULL)),
      CHECK ((error_code IS NULL) = (error_message IS NULL)),
      CHECK ((ended_at IS NOT NULL) = (status IN ('completed', 'failed', 'deleted')))
    ) STRICT;
    CREATE INDEX jobs_by_status ON jobs (status, ready_at, number);
    CREATE INDEX jobs_by_end ON jobs (ended_at) WHERE ended_at IS NOT NULL;

    -- a row says that the part is whole and on the disk
    CREATE TABLE parts (
      job_number INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
      part_number INTEGER NOT NULL CHECK (part_number >= 1),
      PRIMARY KEY (job_number, part_number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE transcripts (
      job_number INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
      language TEXT,
      text TEXT NOT NULL,
      segments TEXT NOT NULL CHECK (json_valid(segments))
    ) STRICT;

    CREATE TABLE idempotency_keys (
      key TEXT PRIMARY KEY,
      -- digest of the parameters
      fingerprint TEXT NOT NULL,
      job_number INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_keys_by_job ON idempotency_keys (job_number);
  `,
};
