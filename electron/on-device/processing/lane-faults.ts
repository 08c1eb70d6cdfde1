import type { Clock } from '../../core/ports.ts';

/** After this many consecutive faults, the lane pauses. */
const maxConsecutiveFaults = 3;
const pauseMs = 60_000;

/** A job counts as the cause after this many faults of its own; see {@link JobFaults.ownCount}. */
const maxOwnFaults = 3;

/**
 * After this many faults the job is given up, even if nothing else succeeded meanwhile. With the pauses, they take about
 * 20 minutes.
 */
const maxFaults = 20;

interface JobFaults {
  readonly count: number;
  /** How many of them came after a success of another job since this job's previous fault. */
  readonly ownCount: number;
  /** The number of successes of the lane before the last one. */
  readonly successesBefore: number;
}

/**
 * The faults of a lane that say nothing about the recording: too little memory, too many open files, a drive that is
 * not mounted, an engine that crashed. Their jobs are retried; after several consecutive ones the lane pauses, and tries one
 * job after each pause. So no job fails because of the computer, and a job that causes its faults itself is given up in
 * the end. Only in memory: a restart may have removed the cause.
 */
export class LaneFaults {
  readonly #clock: Clock;
  readonly #jobs = new Map<string, JobFaults>();
  #successes = 0;
  #consecutive = 0;
  #lastAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a fault during a job, and returns whether the job must be given up. */
  record(jobId: string): boolean {
    this.#consecutive += 1;
    this.#lastAt = this.#clock.now();
    const earlier = this.#jobs.get(jobId);
    const isOwn = earlier !== undefined && this.#successes > earlier.successesBefore;
    const count = (earlier?.count ?? 0) + 1;
    const ownCount = (earlier?.ownCount ?? 0) + (isOwn ? 1 : 0);
    this.#jobs.set(jobId, { count, ownCount, successesBefore: this.#successes });
    return ownCount >= maxOwnFaults || count >= maxFaults;
  }

  /** Records that the lane has done a job, which ends a pause. */
  recordSuccess(): void {
    this.#successes += 1;
    this.#consecutive = 0;
  }

  /** Forgets the faults of a job that has left the lane. */
  forget(jobId: string): void {
    this.#jobs.delete(jobId);
  }

  /** Returns the milliseconds until the lane continues; 0 when it is not paused. */
  pauseLeftMs(): number {
    const left = this.#lastAt + pauseMs - this.#clock.now();
    // A longer pause means that the clock was set back.
    return this.#consecutive < maxConsecutiveFaults || left > pauseMs ? 0 : Math.max(0, left);
  }

  /** Returns the jobs that may start now; after a fault, those with the fewest faults first. */
  startable<Job extends { readonly id: string }>(jobs: readonly Job[]): readonly Job[] {
    if (this.#consecutive === 0) return jobs;
    if (this.pauseLeftMs() > 0) return [];
    const countOf = ({ id }: Job): number => this.#jobs.get(id)?.count ?? 0;
    return jobs.toSorted((a, b) => countOf(a) - countOf(b));
  }
}
