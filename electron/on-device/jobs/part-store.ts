import type Database from 'better-sqlite3';
import { z } from 'zod';

/** Which parts of an upload are whole and on the disk. */
export class PartStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /**
   * Before a part's bytes are touched: until they are whole again, the part is not there.
   *
   * @returns `false` when the job does not wait for parts any more.
   */
  begin(jobId: string, part: number): boolean {
    const forget = this.#database.transaction(() => {
      const job = this.#database
        .prepare(`SELECT number FROM jobs WHERE id = ? AND status IN ('accepted', 'uploading')`)
        .pluck()
        .get(jobId);
      if (job === undefined) return false;
      this.#database.prepare('DELETE FROM parts WHERE job_number = ? AND part_number = ?').run(job, part);
      return true;
    });
    return forget.immediate();
  }

  /**
   * The part's bytes are on the disk. The upload session lives on until `expiresAt`.
   *
   * @returns `false` when the job does not wait for parts any more.
   */
  record(jobId: string, part: number, expiresAt: number): boolean {
    const write = this.#database.transaction(() => {
      const waits = this.#database
        .prepare(
          `UPDATE jobs SET status = 'uploading', upload_expires_at = ?
           WHERE id = ? AND status IN ('accepted', 'uploading')`,
        )
        .run(expiresAt, jobId).changes;
      if (waits === 0) return false;
      this.#database
        .prepare(
          `INSERT INTO parts (job_number, part_number) SELECT number, ? FROM jobs WHERE id = ?
           ON CONFLICT DO NOTHING`,
        )
        .run(part, jobId);
      return true;
    });
    return write.immediate();
  }

  /** Nothing of the upload can be counted on. */
  forgetAll(jobId: string): void {
    this.#database
      .prepare('DELETE FROM parts WHERE job_number = (SELECT number FROM jobs WHERE id = ?)')
      .run(jobId);
  }

  /** Numbers of the parts that are there, rising. */
  present(jobId: string): readonly number[] {
    const numbers = this.#database
      .prepare(
        `SELECT part_number FROM parts JOIN jobs ON number = job_number WHERE id = ? ORDER BY part_number`,
      )
      .pluck()
      .all(jobId);
    return z.array(z.int()).parse(numbers);
  }
}
