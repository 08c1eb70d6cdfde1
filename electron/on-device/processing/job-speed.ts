import type { Clock } from '../../core/ports.ts';

/** Less sound than this tells little about a model's speed. */
const leastSeconds = 60;

/**
 * How quick a job goes: from the first progress on, so that neither the loading of the model nor the opening of the file
 * counts.
 */
export class JobSpeed {
  readonly #clock: Clock;
  #first: { readonly at: number; readonly seconds: number } | null = null;
  #last: { readonly at: number; readonly seconds: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(secondsDone: number): void {
    const point = { at: this.#clock.now(), seconds: secondsDone };
    this.#first ??= point;
    this.#last = point;
  }

  /** Seconds of sound in a second; `null` when there was too little of it to tell. */
  timesRealTime(): number | null {
    if (this.#first === null || this.#last === null) return null;
    const seconds = this.#last.seconds - this.#first.seconds;
    const tookMs = this.#last.at - this.#first.at;
    return seconds < leastSeconds || tookMs <= 0 ? null : seconds / (tookMs / 1000);
  }
}
