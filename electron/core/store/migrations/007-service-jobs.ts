import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * What is known of jobs at a service in addition to the queue: the earliest time at which the jobs of saved transcripts
 * were requested, which of them are gone, and which jobs of other origin are followed.
 *
 * The trigger records the time while the item of the job still exists; its row may be deleted a moment later.
 */
export const serviceJobs: Migration = {
  version: 7,
  sql: `
    CREATE TABLE service_jobs (
      service TEXT NOT NULL,
      job_id TEXT NOT NULL,
      requested_at INTEGER,
      gone_at INTEGER,
      -- 1 once the user knows that it is gone.
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
