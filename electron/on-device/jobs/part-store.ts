import { z } from 'zod';
import type { Sql } from './service-database.ts';

const partRow = z.object({ part_number: z.int() });

/** Which parts of an upload are whole and on the disk. */
export class PartStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Before a part's bytes are touched: until they are whole again, the part is not there.
   *
   * @returns `false` when the job does not wait for parts any more.
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
   * The part's bytes are on the disk. The upload session lives on until `expiresAt`.
   *
   * @returns `false` when the job does not wait for parts any more.
   */
  markStored(jobId: string, part: number, expiresAt: number): boolean {
    return this.#sql.transaction(() => {
      const waits = this.#sql.run(
        `UPDATE jobs SET status = 'uploading', upload_expires_at = ?
         WHERE id = ? AND status IN ('accepted', 'uploading')`,
        expiresAt,
        jobId,
      );
      if (waits === 0) return false;
      this.#sql.run(
        `INSERT INTO parts (job_number, part_number) SELECT number, ? FROM jobs WHERE id = ?
         ON CONFLICT DO NOTHING`,
        part,
        jobId,
      );
      return true;
    });
  }

  /** Nothing of the upload can be counted on. */
  clear(jobId: string): void {
    this.#sql.run('DELETE FROM parts WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', jobId);
  }

  /** Numbers of the parts that are there, rising. */
  storedParts(jobId: string): readonly number[] {
    const rows = this.#sql.rows(
      `SELECT part_number FROM parts JOIN jobs ON number = job_number WHERE id = ? ORDER BY part_number`,
      jobId,
    );
    return rows.map((row) => partRow.parse(row).part_number);
  }
}
