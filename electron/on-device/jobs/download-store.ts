import { z } from 'zod';
import type { Sql } from './service-database.ts';

/** The part of a download that is on the disk. */
export interface StoredDownload {
  /** Identifies this version of the file (RFC 9110, part 8.8): an `ETag` or a `Last-Modified`. */
  readonly validator: string;
  /** Size of the whole file; `null` when the server does not report it. */
  readonly totalBytes: number | null;
  /** How many bytes are stored, counted from the first. */
  readonly bytes: number;
}

const downloadRow = z
  .object({ validator: z.string(), total_bytes: z.int().nullable(), stored_bytes: z.int() })
  .transform((row): StoredDownload => ({
    validator: row.validator,
    totalBytes: row.total_bytes,
    bytes: row.stored_bytes,
  }));

const timeRow = z.object({ download_ms: z.int() });

/** Progress and duration of the downloads of links. */
export class DownloadStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the stored part of a job's file; `null` when nothing is reliable. */
  get(jobId: string): StoredDownload | null {
    const row = this.#sql.row(
      `SELECT validator, total_bytes, stored_bytes FROM downloads JOIN jobs ON number = job_number WHERE id = ?`,
      jobId,
    );
    return row === undefined ? null : downloadRow.parse(row);
  }

  /** Records bytes that are on the disk. Does nothing for a job that no longer waits for them. */
  record(jobId: string, { validator, totalBytes, bytes }: StoredDownload): void {
    this.#sql.run(
      `INSERT INTO downloads (job_number, validator, total_bytes, stored_bytes)
       SELECT number, ?, ?, ? FROM jobs WHERE id = ? AND status = 'uploading'
       ON CONFLICT (job_number) DO UPDATE SET validator = excluded.validator, total_bytes = excluded.total_bytes,
         stored_bytes = excluded.stored_bytes`,
      validator,
      totalBytes,
      bytes,
      jobId,
    );
  }

  /** Deletes the record of a job's download. Must be called before recorded bytes are overwritten. */
  clear(jobId: string): void {
    this.#sql.run('DELETE FROM downloads WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', jobId);
  }

  /** Returns how long a job's download has run, over all runs of the service, in milliseconds. */
  timeSpent(jobId: string): number {
    const row = this.#sql.row('SELECT download_ms FROM jobs WHERE id = ?', jobId);
    return row === undefined ? 0 : timeRow.parse(row).download_ms;
  }

  recordTimeSpent(jobId: string, ms: number): void {
    this.#sql.run(`UPDATE jobs SET download_ms = ? WHERE id = ? AND status = 'uploading'`, ms, jobId);
  }
}
