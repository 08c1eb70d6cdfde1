import type { Clock, Logger } from '../../core/ports.ts';
import type { Job } from '../jobs/job.ts';

interface RunningJob {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** What one lane does. */
export interface LaneWork {
  /** For the log. */
  readonly name: string;
  /** How many jobs are worked on at once. */
  readonly width: number;
  /** Jobs that wait for this lane, the next first; those under way may be among them. */
  waiting(): readonly Job[];
  /** Does the lane's part of the work and leaves the job in another state. Rejects only on a fault of the service. */
  run(job: Job, signal: AbortSignal): Promise<void>;
}

/** After a fault of the service itself a job, or the whole lane, is left alone this long. */
const retryAfterFaultMs = 30_000;

/** Works on jobs in their order, a few at once. What waits is in the database; nothing is kept here but what runs. */
export class Lane {
  readonly #work: LaneWork;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #running = new Map<string, RunningJob>();
  readonly #resting = new Map<string, () => void>();
  /** Calls off the next look at what waits, when the last one failed. */
  #nextLook: (() => void) | null = null;
  #stopped = false;

  constructor(work: LaneWork, clock: Clock, logger: Logger) {
    this.#work = work;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Begins whatever can begin. */
  wake(): void {
    if (this.#stopped || this.#running.size >= this.#work.width) return;
    const free = this.#waiting()
      .filter(({ id }) => !this.#running.has(id) && !this.#resting.has(id))
      .slice(0, this.#work.width - this.#running.size);
    for (const job of free) this.#begin(job);
  }

  /** Ends the work on one job, and waits until it has ended. */
  async cancel(jobId: string): Promise<void> {
    const running = this.#running.get(jobId);
    running?.abort.abort();
    await running?.ended;
  }

  /** Ends all work for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#nextLook?.();
    for (const callOff of this.#resting.values()) callOff();
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  /** What waits; nothing while that cannot be read: whoever wakes the lane has work of its own that is done by now. */
  #waiting(): readonly Job[] {
    try {
      return this.#work.waiting();
    } catch (error) {
      this.#logger.error('What waits cannot be read.', { lane: this.#work.name, error });
      this.#nextLook ??= this.#clock.schedule(retryAfterFaultMs, () => {
        this.#nextLook = null;
        this.wake();
      });
      return [];
    }
  }

  #begin(job: Job): void {
    const abort = new AbortController();
    this.#running.set(job.id, { abort, ended: this.#run(job, abort.signal) });
  }

  async #run(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.#work.run(job, signal);
    } catch (error) {
      this.#rest(job.id, error);
    }
    this.#running.delete(job.id);
    this.wake();
  }

  #rest(jobId: string, error: unknown): void {
    if (this.#stopped) return;
    this.#logger.error('The work on a job was interrupted.', { lane: this.#work.name, jobId, error });
    const callOff = this.#clock.schedule(retryAfterFaultMs, () => {
      this.#resting.delete(jobId);
      this.wake();
    });
    this.#resting.set(jobId, callOff);
  }
}
