import type { Clock } from '../../ports.ts';

/** What was finished longer ago says little of now, unless little else was. */
const windowMs = 30 * 60_000;
const minFinished = 10;
/** Over less time than this, chance alone decides. */
const minMs = 10_000;

interface Finished {
  readonly at: number;
  readonly seconds: number;
}

/**
 * How fast recordings have been transcribed of late: the length of those that were finished, by the time that passed
 * while there was work. Says nothing before one has been finished.
 */
export class SpeedMeter {
  readonly #clock: Clock;
  readonly #finished: Finished[] = [];
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether anything is being worked on now: the time in between says nothing of the speed. */
  observe(isWorking: boolean): void {
    if (isWorking) this.#since ??= this.#clock.now();
    else if (this.#since !== null) this.#forget();
  }

  #forget(): void {
    this.#since = null;
    this.#finished.length = 0;
  }

  /** A recording of so many seconds has been transcribed. */
  finish(seconds: number): void {
    const now = this.#clock.now();
    this.#since ??= now;
    this.#finished.push({ at: now, seconds });
    for (let [first] = this.#finished; first !== undefined; [first] = this.#finished) {
      if (this.#finished.length <= minFinished || first.at > now - windowMs) break;
      this.#finished.shift();
      this.#since = first.at;
    }
  }

  /** Seconds of recordings in a second; `null` while nothing tells. */
  get timesRealTime(): number | null {
    const last = this.#finished.at(-1);
    if (this.#since === null || last === undefined) return null;
    const now = this.#clock.now();
    // From one end to the next the speed stands still; once the next is overdue it falls.
    const measuredMs = last.at - this.#since;
    const elapsedMs = now - last.at > measuredMs ? now - this.#since : measuredMs;
    if (elapsedMs < minMs) return null;
    const seconds = this.#finished.reduce((sum, one) => sum + one.seconds, 0);
    return seconds / (elapsedMs / 1000);
  }
}
