import type { Clock } from '../../core/ports.ts';

/** So many milliseconds' worth of requests may come at once. */
const burstMs = 10_000;
/** A token, but for what rounding may take of it: who waited as long as told is not sent away again for that. */
const wholeToken = 1 - 1e-9;

/**
 * How many requests are served in a time (API part 7, `rate_limited`): a bucket of tokens that fills up evenly, one token
 * for each request. Short bursts go through; who keeps asking faster than allowed is told when to come back.
 */
export class RequestRate {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #msPerToken: number;
  #tokens: number;
  #filledAt: number;

  /** @param perMinute how many requests a minute are served for ever; `Infinity`: all. */
  constructor(perMinute: number, clock: Clock) {
    this.#clock = clock;
    this.#msPerToken = 60_000 / perMinute;
    this.#capacity = Math.max(1, (burstMs / 60_000) * perMinute);
    this.#tokens = this.#capacity;
    this.#filledAt = clock.now();
  }

  /** Takes a request's token: 0, or how many milliseconds from now there will be one. */
  take(): number {
    if (this.#msPerToken === 0) return 0;
    const now = this.#clock.now();
    // A clock that was set back takes no tokens away.
    const gained = Math.max(0, now - this.#filledAt) / this.#msPerToken;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#filledAt = now;
    if (this.#tokens < wholeToken) return (1 - this.#tokens) * this.#msPerToken;
    this.#tokens--;
    return 0;
  }
}
