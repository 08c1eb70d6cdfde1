import type { JobStore } from './job-store.ts';
import type { Job, JobError } from './job.ts';
import type { Sql } from './service-database.ts';

/**
 * What is being worked on, written down before it begins: should the service end in the midst of it, the recording is
 * suspected of having ended it.
 */
export class WorkLog {
  readonly #sql: Sql;
  readonly #store: JobStore;

  constructor(sql: Sql, store: JobStore) {
    this.#sql = sql;
    this.#store = store;
  }

  /** The work on a job's recording begins. */
  start(id: string): void {
    this.#sql.run('UPDATE jobs SET under_way = 1 WHERE id = ?', id);
  }

  /** The work on a job's recording has ended, in whatever way. */
  finish(id: string): void {
    this.#sql.run('UPDATE jobs SET under_way = 0 WHERE id = ?', id);
  }

  /** Jobs between {@link start} and {@link finish}. */
  inProgress(): readonly Job[] {
    return this.#sql.jobs('SELECT * FROM jobs WHERE under_way = 1');
  }

  /**
   * After a start: what was under way when the service ended begins its step anew. Charges stay as they are. A job that
   * has seen the service break down `maxCrashes` times is given up.
   */
  recover(maxCrashes: number): void {
    this.#sql.transaction(() => {
      this.#sql.run('UPDATE jobs SET crashes = crashes + 1, under_way = 0 WHERE under_way = 1');
      const given = this.#sql.jobs('SELECT * FROM jobs WHERE ended_at IS NULL AND crashes >= ?', maxCrashes);
      for (const { id, crashes } of given) this.#store.fail(id, givenUpError(crashes));
      this.#sql.run(`UPDATE jobs SET status = 'inspecting' WHERE status = 'preprocessing'`);
      this.#sql.run(`UPDATE jobs SET status = 'queued' WHERE status IN ('processing', 'merging')`);
    });
  }
}

const givenUpError = (times: number): JobError => ({
  code: 'provider_unavailable',
  message:
    `The service broke down ${times} times while it worked on this recording, so it was given up. ` +
    'Nothing was charged for it.',
});
