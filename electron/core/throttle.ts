import type { Clock } from './ports.ts';

/** Something that is done a moment after it was asked for, once however often it was asked for meanwhile. */
export class Throttle {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #work: () => void;
  #callOff: (() => void) | null = null;
  #ended = false;

  constructor(clock: Clock, delayMs: number, work: () => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#work = work;
  }

  schedule(): void {
    if (this.#ended) return;
    this.#callOff ??= this.#clock.schedule(this.#delayMs, () => {
      this.#callOff = null;
      this.#work();
    });
  }

  /** Nothing is done any more. */
  end(): void {
    this.#ended = true;
    this.#callOff?.();
  }
}
