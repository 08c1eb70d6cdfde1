import type { Clock } from '../../ports.ts';

/** Older recordings are ignored, unless fewer than {@link minFinished} were finished since. */
const windowMs = 30 * 60_000;
const minFinished = 10;
/** A shorter measurement is too noisy. */
const minMeasuredMs = 10_000;

interface FinishedRecording {
  readonly at: number;
  readonly seconds: number;
}

/**
 * Measures how fast recordings have been transcribed recently: the duration of the finished ones divided by the time
 * that was spent working. Unknown until one has been finished.
 */
export class QueueSpeedMeter {
  readonly #clock: Clock;
  readonly #finished: FinishedRecording[] = [];
  /** When the measured work began, Unix milliseconds; `null` while idle. */
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records whether any item is being worked on: idle time does not count. */
  observe(isWorking: boolean): void {
    if (isWorking) this.#since ??= this.#clock.now();
    else if (this.#since !== null) this.#reset();
  }

  #reset(): void {
    this.#since = null;
    this.#finished.length = 0;
  }

  /** Records that a recording of this duration was transcribed. */
  recordFinished(seconds: number): void {
    const now = this.#clock.now();
    this.#since ??= now;
    this.#finished.push({ at: now, seconds });
    for (let [first] = this.#finished; first !== undefined; [first] = this.#finished) {
      if (this.#finished.length <= minFinished || first.at > now - windowMs) break;
      this.#finished.shift();
      this.#since = first.at;
    }
  }

  /** Seconds of audio per second of work; `null` while unknown. */
  get timesRealTime(): number | null {
    const last = this.#finished.at(-1);
    if (this.#since === null || last === undefined) return null;
    const now = this.#clock.now();
    // The speed is constant between two finished recordings and falls once the next one is overdue.
    const measuredMs = last.at - this.#since;
    const elapsedMs = now - last.at > measuredMs ? now - this.#since : measuredMs;
    if (elapsedMs < minMeasuredMs) return null;
    const seconds = this.#finished.reduce((sum, one) => sum + one.seconds, 0);
    return seconds / (elapsedMs / 1000);
  }
}
