import { z } from 'zod';
import type { Sql } from './service-database.ts';

const partRow = z.object({ part_number: z.int() });

/** Records which parts of an upload are complete and on the disk. */
export class PartStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Deletes the record of a part. Must be called before its bytes are written: an incomplete part must not count as
   * stored.
   *
   * @returns `false` when the job no longer waits for parts.
   */
  invalidate(jobId: string, part: number): boolean {
    return this.#sql.transaction(() => {
      const job = this.#sql.row(
        `SELECT number FROM jobs WHERE id = ? AND status IN ('accepted', 'uploading')`,
        jobId,
      );
      if (job === undefined) return false;
      this.#sql.run(
        'DELETE FROM parts WHERE job_number = (SELECT number FROM jobs WHERE id = ?) AND part_number = ?',
        jobId,
        part,
      );
      return true;
    });
  }

  /**
   * Records that a part is on the disk, and extends the upload session to `expiresAt`.
   *
   * @returns `false` when the job no longer waits for parts.
   */
  markStored(jobId: string, part: number, expiresAt: number): boolean {
    return this.#sql.transaction(() => {
      const updatedRows = this.#sql.run(
        `UPDATE jobs SET status = 'uploading', upload_expires_at = ?
         WHERE id = ? AND status IN ('accepted', 'uploading')`,
        expiresAt,
        jobId,
      );
      if (updatedRows === 0) return false;
      this.#sql.run(
        `INSERT INTO parts (job_number, part_number) SELECT number, ? FROM jobs WHERE id = ?
         ON CONFLICT DO NOTHING`,
        part,
        jobId,
      );
      return true;
    });
  }

  /** Deletes the records of all parts, since none is reliable. */
  clear(jobId: string): void {
    this.#sql.run('DELETE FROM parts WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', jobId);
  }

  /** Returns the numbers of the parts that exist, in ascending order. */
  storedParts(jobId: string): readonly number[] {
    const rows = this.#sql.rows(
      `SELECT part_number FROM parts JOIN jobs ON number = job_number WHERE id = ? ORDER BY part_number`,
      jobId,
    );
    return rows.map((row) => partRow.parse(row).part_number);
  }
}
