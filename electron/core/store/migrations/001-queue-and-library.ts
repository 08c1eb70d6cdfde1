import type { Migration } from '../../../sqlite/open-database.ts';

/** The queue, the saved transcripts, their auto exports, and the lease. */
export const queueAndLibrary: Migration = {
  version: 1,
  sql: `
    CREATE TABLE items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      position REAL NOT NULL,
      service TEXT NOT NULL,
      source TEXT NOT NULL CHECK (json_valid(source)),
      fingerprint TEXT NOT NULL,
      name TEXT NOT NULL,
      place TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      duration_seconds REAL,
      options TEXT NOT NULL CHECK (json_valid(options)),
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (json_valid(state)),
      idempotency_key TEXT UNIQUE,
      attempts INTEGER NOT NULL,
      next_attempt_at INTEGER NOT NULL,
      last_problem TEXT CHECK (last_problem IS NULL OR json_valid(last_problem)),
      renewals INTEGER NOT NULL,
      resends INTEGER NOT NULL,
      added_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX items_by_turn ON items (kind, service, position);
    CREATE INDEX items_by_attempt ON items (kind, service, next_attempt_at);
    CREATE INDEX items_by_position ON items (position, kind);
    CREATE INDEX items_by_content ON items (fingerprint);

    CREATE TABLE transcripts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item_id INTEGER REFERENCES items (id) ON DELETE SET NULL,
      service TEXT NOT NULL,
      job_id TEXT NOT NULL,
      name TEXT NOT NULL,
      language TEXT,
      duration_seconds REAL,
      word_count INTEGER NOT NULL,
      text TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (service, job_id)
    ) STRICT;
    CREATE INDEX transcripts_by_age ON transcripts (created_at);
    CREATE INDEX transcripts_by_item ON transcripts (item_id);

    CREATE TABLE segments (
      transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      start_seconds REAL NOT NULL,
      end_seconds REAL NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (transcript_id, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE wanted_files (
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      format TEXT NOT NULL,
      folder TEXT NOT NULL,
      written_path TEXT,
      problem TEXT CHECK (problem IS NULL OR json_valid(problem)),
      PRIMARY KEY (item_id, format, folder)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE flags (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE lease (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      owner TEXT NOT NULL,
      program TEXT NOT NULL,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      renewed_at INTEGER NOT NULL
    ) STRICT;
  `,
};
