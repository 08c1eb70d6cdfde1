import { delay } from './delay.ts';
import type { Clock } from './ports.ts';

/** How long work may run between two pauses. */
const sliceMs = 3;
const pauseMs = 1;

/**
 * Splits long work of the main process into short slices. A pause has a cost of its own, so quick steps run without
 * pauses between them.
 */
export class Yielder {
  readonly #clock: Clock;
  #sliceStart: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sliceStart = clock.now();
  }

  /** Yields to other work if this work has run for some milliseconds. */
  async yieldIfDue(): Promise<void> {
    const elapsedMs = this.#clock.now() - this.#sliceStart;
    // If the clock was set back, the elapsed time is unknown.
    if (elapsedMs >= 0 && elapsedMs < sliceMs) return;
    await delay(this.#clock, pauseMs);
    this.#sliceStart = this.#clock.now();
  }
}
