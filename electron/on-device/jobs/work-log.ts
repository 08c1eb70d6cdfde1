import type { JobStore } from './job-store.ts';
import type { ServiceJob, ServiceJobError } from './job.ts';
import type { Sql } from './service-database.ts';

/**
 * What ended the previous run, if it was in the middle of work: a crash of the service while the program went on, or
 * the end of the whole program. A kill or a power failure says nothing about the recording, but a recording that takes
 * up all memory also ends the whole program, at every start.
 */
export const interruptions = ['crash', 'program-end'] as const;
export type Interruption = (typeof interruptions)[number];

/** What one interruption adds to the crash score of the only job in progress. */
const crashScores: Readonly<Record<Interruption, number>> = { crash: 2, 'program-end': 1 };

/**
 * Records work before it starts: if the service crashes meanwhile, the recording is suspected of having caused it. It is
 * the certain cause only if no other was in progress.
 */
export class WorkLog {
  readonly #sql: Sql;
  readonly #store: JobStore;
  /** The jobs whose end could not be stored yet, because the disk was full. */
  readonly #ended = new Set<string>();

  constructor(sql: Sql, store: JobStore) {
    this.#sql = sql;
    this.#store = store;
  }

  /** @throws the database's error; the work must not start then. */
  start(id: string): void {
    this.#storeEnds();
    this.#sql.run('UPDATE jobs SET under_way = 1 WHERE id = ?', id);
  }

  /** Never throws: an end that cannot be stored now is stored before the next start. */
  finish(id: string): void {
    this.#ended.add(id);
    try {
      this.#storeEnds();
    } catch {
      // Whatever writes next reports the database's error.
    }
  }

  #storeEnds(): void {
    for (const id of this.#ended) {
      this.#sql.run('UPDATE jobs SET under_way = 0 WHERE id = ?', id);
      this.#ended.delete(id);
    }
  }

  /** Returns the jobs between {@link start} and {@link finish}. */
  inProgress(): readonly ServiceJob[] {
    return this.#sql.jobs('SELECT * FROM jobs WHERE under_way = 1').filter(({ id }) => !this.#ended.has(id));
  }

  /**
   * Restarts the steps that were in progress when the service ended, and marks their jobs as suspects; charges stay.
   * Fails a job that was the only one in progress at `maxCrashes` crashes, or at twice as many ends of the whole program,
   * since its last checkpoint.
   */
  recover(interruption: Interruption, maxCrashes: number): void {
    const jobsToFail = this.#sql.transaction(() => {
      if (this.inProgress().length === 1)
        this.#sql.run('UPDATE jobs SET crashes = crashes + ? WHERE under_way = 1', crashScores[interruption]);
      this.#sql.run('UPDATE jobs SET suspected = 1, under_way = 0 WHERE under_way = 1');
      this.#sql.run(`UPDATE jobs SET status = 'inspecting' WHERE status = 'preprocessing'`);
      this.#sql.run(`UPDATE jobs SET status = 'queued' WHERE status IN ('processing', 'merging')`);
      return this.#sql.jobs(
        'SELECT * FROM jobs WHERE ended_at IS NULL AND crashes >= ?',
        maxCrashes * crashScores.crash,
      );
    });
    // Not in the transaction, in which deleted text cannot be removed from the WAL.
    for (const { id } of jobsToFail) this.#store.fail(id, tooManyCrashesError);
  }
}

const tooManyCrashesError: ServiceJobError = {
  code: 'provider_unavailable',
  message:
    'The service, or the whole program, ended repeatedly while it worked on this recording, and stopped trying: ' +
    'the recording may be damaged, or the computer may have too little free memory. Nothing was charged for it.',
};
