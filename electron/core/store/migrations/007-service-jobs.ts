import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * What is known of jobs at a service beyond the queue: when the jobs of saved transcripts were asked for at the
 * earliest, which of them are gone there, and which jobs of others are followed.
 *
 * The trigger notes the time while the item that asked for the job is still there; its row may be cleared a moment later.
 */
export const serviceJobs: Migration = {
  version: 7,
  sql: `
    CREATE TABLE service_jobs (
      service TEXT NOT NULL,
      job_id TEXT NOT NULL,
      requested_at INTEGER,
      gone_at INTEGER,
      noted INTEGER NOT NULL DEFAULT 0,
      followed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (service, job_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO service_jobs (service, job_id, requested_at)
      SELECT t.service, t.job_id, i.added_at FROM transcripts t LEFT JOIN items i ON i.id = t.item_id;
    CREATE TRIGGER transcripts_note_job AFTER INSERT ON transcripts BEGIN
      INSERT INTO service_jobs (service, job_id, requested_at)
        SELECT NEW.service, NEW.job_id, (SELECT added_at FROM items WHERE id = NEW.item_id)
        WHERE true
        ON CONFLICT (service, job_id) DO UPDATE SET gone_at = NULL, noted = 0, followed = 0;
    END;
  `,
};
