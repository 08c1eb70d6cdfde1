import type Database from 'better-sqlite3';

/**
 * Returns the durations in seconds of a service's transcripts that were saved since `since`, Unix milliseconds. Leaves
 * out those of backups, which this library has not paid for: they have no item, and no known request of their job.
 */
export const savedDurations = (
  database: Database.Database,
  service: string,
  since: number,
): readonly number[] =>
  database
    .prepare<[number, string], number>(
      `SELECT coalesce(t.duration_seconds, 0) FROM transcripts t
         LEFT JOIN service_jobs j ON j.service = t.service AND j.job_id = t.job_id
       WHERE t.created_at >= ? AND t.service = ? AND coalesce(t.item_id, j.requested_at) IS NOT NULL`,
    )
    .pluck()
    .all(since, service);
