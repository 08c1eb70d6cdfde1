import { delay } from './delay.ts';
import type { Clock } from './ports.ts';

/** What is begun within this time after a rest runs to its end before the next one. */
const sliceMs = 3;
const pauseMs = 1;

/**
 * Long work of the main process in short stretches. Each rest costs some time by itself, so that there is none between
 * steps that are over at once.
 */
export class Yielder {
  readonly #clock: Clock;
  #begunAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begunAt = clock.now();
  }

  /** Gives everything else its turn, if it had none for some milliseconds. */
  async yieldIfDue(): Promise<void> {
    const worked = this.#clock.now() - this.#begunAt;
    // A clock that was set back tells nothing.
    if (worked >= 0 && worked < sliceMs) return;
    await delay(this.#clock, pauseMs);
    this.#begunAt = this.#clock.now();
  }
}
