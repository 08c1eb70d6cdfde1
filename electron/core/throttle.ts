import type { Clock } from './ports.ts';

/** Runs work after a delay, once for all requests made in the meantime. */
export class Throttle {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #work: () => void;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(clock: Clock, delayMs: number, work: () => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#work = work;
  }

  schedule(): void {
    if (this.#isStopped) return;
    this.#cancel ??= this.#clock.schedule(this.#delayMs, () => {
      this.#cancel = null;
      this.#work();
    });
  }

  /** Cancels pending work and ignores further requests. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }
}
