import type { Clock } from '../../core/ports.ts';
import { ServiceError } from '../service-error.ts';

/** How long a download has taken is written down this often: a kill forgets no more. */
const recordIntervalMs = 5 * 60_000;

/** How long a download has been at it, over all runs of the service. */
export interface TimeSpent {
  readonly ms: number;
  record(ms: number): void;
}

/**
 * Ends a download that has taken too long. What counts is the time that it was at work, so that neither a restart gives
 * it its time anew nor a computer that was off overnight takes it away.
 */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #spent: TimeSpent;
  readonly #over = new AbortController();
  #spentMs: number;
  #beatBegunAt = 0;
  #callOff: () => void = () => undefined;

  /** Counts from now on, until {@link stop}. */
  constructor(clock: Clock, limitMs: number, spent: TimeSpent) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#spent = spent;
    this.#spentMs = spent.ms;
    this.#next();
  }

  /** Is aborted with the reason when the time is over, or when it cannot be written down. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Writes down the time up to now, for a later run to go on from. */
  record(): void {
    // The time of the day may be set back or on meanwhile.
    const elapsedMs = Math.max(this.#clock.now() - this.#beatBegunAt, 0);
    this.#spent.record(this.#spentMs + Math.min(elapsedMs, recordIntervalMs));
  }

  stop(): void {
    this.#callOff();
  }

  #next(): void {
    const ms = Math.min(recordIntervalMs, this.#limitMs - this.#spentMs);
    if (ms <= 0) {
      this.#over.abort(new ServiceError('request_failed', 'The download took too long.'));
      return;
    }
    this.#beatBegunAt = this.#clock.now();
    this.#callOff = this.#clock.schedule(ms, () => {
      this.#spentMs += ms;
      try {
        this.#spent.record(this.#spentMs);
        this.#next();
      } catch (error) {
        this.#over.abort(error);
      }
    });
  }
}
