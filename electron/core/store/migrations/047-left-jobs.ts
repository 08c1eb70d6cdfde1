import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Jobs that were left at a service because their recordings were moved to another service; they may still be charged.
 */
export const leftJobs: Migration = {
  version: 47,
  sql: `
    CREATE TABLE left_jobs (
      id INTEGER PRIMARY KEY,
      service TEXT NOT NULL,
      left_at INTEGER NOT NULL,
      duration_seconds REAL
    ) STRICT;
    CREATE INDEX left_jobs_of_service ON left_jobs (service, left_at);
  `,
};
