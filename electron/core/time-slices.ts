import { pause } from './pause.ts';
import type { Clock } from './ports.ts';

/** What is begun within this time after a rest runs to its end before the next one. */
const sliceMs = 3;
const restMs = 1;

/**
 * Long work of the main process in short stretches. Each rest costs some time by itself, so that there is none between
 * steps that are over at once.
 */
export class TimeSlices {
  readonly #clock: Clock;
  #begunAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begunAt = clock.now();
  }

  /** Gives everything else its turn, if it had none for some milliseconds. */
  async rest(): Promise<void> {
    const worked = this.#clock.now() - this.#begunAt;
    // A clock that was set back tells nothing.
    if (worked >= 0 && worked < sliceMs) return;
    await pause(this.#clock, restMs);
    this.#begunAt = this.#clock.now();
  }
}
