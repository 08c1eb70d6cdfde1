import { z } from 'zod';
import type { Sql } from './service-database.ts';

/** What is on the disk of a file that is being downloaded. */
export interface StoredDownload {
  /** The server's word for this very version of the file (RFC 9110, part 8.8): an `ETag`, or a `Last-Modified`. */
  readonly validator: string;
  /** Length of the whole file; `null` when the server does not tell. */
  readonly totalBytes: number | null;
  /** How many of its bytes are there, from the first on. */
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

/** How far the downloads of links have come, and how long they have taken. */
export class DownloadStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** What is there of a job's file; `null` when nothing of it can be counted on. */
  get(jobId: string): StoredDownload | null {
    const row = this.#sql.row(
      `SELECT validator, total_bytes, stored_bytes FROM downloads JOIN jobs ON number = job_number WHERE id = ?`,
      jobId,
    );
    return row === undefined ? null : downloadRow.parse(row);
  }

  /** Bytes are on the disk. Does nothing for a job that does not wait for them any more. */
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

  /** Before bytes that were counted are touched: nothing of the file is there any more. */
  clear(jobId: string): void {
    this.#sql.run('DELETE FROM downloads WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', jobId);
  }

  /** How long a job's download has been at it so far, over all runs, in milliseconds. */
  timeSpent(jobId: string): number {
    const row = this.#sql.row('SELECT download_ms FROM jobs WHERE id = ?', jobId);
    return row === undefined ? 0 : timeRow.parse(row).download_ms;
  }

  recordTimeSpent(jobId: string, ms: number): void {
    this.#sql.run(`UPDATE jobs SET download_ms = ? WHERE id = ? AND status = 'uploading'`, ms, jobId);
  }
}
