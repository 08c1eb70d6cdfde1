import type { Clock } from '../../core/ports.ts';
import { ServiceError } from '../service-error.ts';

/** How often the elapsed time is recorded: a kill loses no more than this. */
const recordIntervalMs = 5 * 60_000;

/** How long a download has run, over all runs of the service. */
export interface TimeSpent {
  readonly ms: number;
  record(ms: number): void;
}

/**
 * Aborts a download that takes too long. Only running time counts, so neither a restart nor a computer that was off changes
 * the limit.
 */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #spent: TimeSpent;
  readonly #abort = new AbortController();
  #spentMs: number;
  #intervalStartedAt = 0;
  #cancelTimer: () => void = () => undefined;

  /** Counts from now on, until {@link stop}. */
  constructor(clock: Clock, limitMs: number, spent: TimeSpent) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#spent = spent;
    this.#spentMs = spent.ms;
    this.#scheduleNext();
  }

  /** Aborted with the reason when the time is over or cannot be recorded. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Records the time up to now for a later run. */
  record(): void {
    // The clock may have been changed meanwhile.
    const elapsedMs = Math.max(this.#clock.now() - this.#intervalStartedAt, 0);
    this.#spent.record(this.#spentMs + Math.min(elapsedMs, recordIntervalMs));
  }

  stop(): void {
    this.#cancelTimer();
  }

  #scheduleNext(): void {
    const ms = Math.min(recordIntervalMs, this.#limitMs - this.#spentMs);
    if (ms <= 0) {
      this.#abort.abort(new ServiceError('request_failed', 'The download took too long.'));
      return;
    }
    this.#intervalStartedAt = this.#clock.now();
    this.#cancelTimer = this.#clock.schedule(ms, () => {
      this.#spentMs += ms;
      try {
        this.#spent.record(this.#spentMs);
        this.#scheduleNext();
      } catch (error) {
        this.#abort.abort(error);
      }
    });
  }
}
