import type { Clock, Logger } from '../../core/ports.ts';
import type { ServiceJob } from '../jobs/job.ts';

interface RunningJob {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** The work of one lane. */
export interface LaneWork {
  /** For the log. */
  readonly name: string;
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  /** Returns the jobs that wait for this lane, next first; running ones may be included. */
  waiting(): readonly ServiceJob[];
  /** Does this lane's work and moves the job to another state. Rejects only on an internal error. */
  run(job: ServiceJob, signal: AbortSignal): Promise<void>;
  /** Called when the work on a job has ended, even if it was cancelled or failed. It must wake this lane. */
  onEnd(): void;
}

/** The delay before a retry after an internal error, of a job or of the whole lane. */
const retryAfterErrorMs = 30_000;

/** Works on jobs in order, a few at once. Waiting jobs are read from the database; only running ones are held here. */
export class Lane {
  readonly #work: LaneWork;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #running = new Map<string, RunningJob>();
  /** Cancels the retry of each job whose work failed. */
  readonly #jobRetries = new Map<string, () => void>();
  /** Cancels the next {@link wakeAfter}. */
  #cancelWake: (() => void) | null = null;
  /** How many calls of {@link runWhileIdle} are in progress. */
  #idleWaits = 0;
  #isStopped = false;

  constructor(work: LaneWork, clock: Clock, logger: Logger) {
    this.#work = work;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Starts as many waiting jobs as possible. */
  wake(): void {
    if (this.#isStopped || this.#idleWaits > 0 || this.#running.size >= this.#work.concurrency) return;
    const startable = this.#waiting()
      .filter(({ id }) => !this.#running.has(id) && !this.#jobRetries.has(id))
      .slice(0, this.#work.concurrency - this.#running.size);
    for (const job of startable) this.#start(job);
  }

  /** Whether work on a job is in progress. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Wakes the lane after some time, unless that is planned already. */
  wakeAfter(ms: number): void {
    if (this.#isStopped) return;
    this.#cancelWake ??= this.#clock.schedule(ms, () => {
      this.#cancelWake = null;
      this.wake();
    });
  }

  /** Stops the work on a job and waits for its end. */
  async cancel(jobId: string): Promise<void> {
    const running = this.#running.get(jobId);
    running?.controller.abort();
    await running?.ended;
  }

  /** Begins to cancel the work on the selected jobs, without waiting for its end. They then wait for this lane again. */
  cancelWhere(shouldCancel: (jobId: string) => boolean): void {
    for (const [id, { controller }] of this.#running) if (shouldCancel(id)) controller.abort();
  }

  /** Starts no job while `work` runs, which begins once the running ones have ended. */
  async runWhileIdle<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#idleWaits += 1;
    try {
      await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
      return await work();
    } finally {
      this.#idleWaits -= 1;
      this.wake();
    }
  }

  /** Stops all work permanently. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWake?.();
    for (const cancelTimer of this.#jobRetries.values()) cancelTimer();
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  /** Returns the waiting jobs; none while they cannot be read. Never throws, since the caller's own work succeeded. */
  #waiting(): readonly ServiceJob[] {
    try {
      return this.#work.waiting();
    } catch (error) {
      this.#logger.error('The waiting jobs cannot be read.', { lane: this.#work.name, error });
      this.wakeAfter(retryAfterErrorMs);
      return [];
    }
  }

  #start(job: ServiceJob): void {
    const controller = new AbortController();
    this.#running.set(job.id, { controller, ended: this.#run(job, controller.signal) });
  }

  async #run(job: ServiceJob, signal: AbortSignal): Promise<void> {
    try {
      await this.#work.run(job, signal);
    } catch (error) {
      this.#retryLater(job.id, error);
    }
    this.#running.delete(job.id);
    this.#work.onEnd();
  }

  #retryLater(jobId: string, error: unknown): void {
    if (this.#isStopped) return;
    this.#logger.error('The work on a job was interrupted.', { lane: this.#work.name, jobId, error });
    const cancelTimer = this.#clock.schedule(retryAfterErrorMs, () => {
      this.#jobRetries.delete(jobId);
      this.wake();
    });
    this.#jobRetries.set(jobId, cancelTimer);
  }
}
