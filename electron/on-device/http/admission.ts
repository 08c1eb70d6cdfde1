import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Clock } from '../../core/ports.ts';

/**
 * Checks bearer keys (API part 5). The key itself is not kept, neither on the disk nor here: only its digest is, for as
 * long as the service runs. Jobs belong to the data folder, so they outlive a change of the key.
 */
export class BearerCheck {
  readonly #digest: Buffer;

  constructor(key: string) {
    this.#digest = digestOf(key);
  }

  /** @param header the `Authorization` header. */
  accepts(header: string | undefined): boolean {
    const key = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
    return key !== undefined && timingSafeEqual(digestOf(key), this.#digest);
  }
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** So many milliseconds' worth of requests may come at once. */
const burstMs = 10_000;
/** A token, but for what rounding may take of it: who waited as long as told is not sent away again for that. */
const wholeToken = 1 - 1e-9;

/**
 * How many requests are served in a time (API part 7, `rate_limited`): a bucket of tokens that fills up evenly, one token
 * for each request. Short bursts go through; who keeps asking faster than allowed is told when to come back.
 */
export class RateLimiter {
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

/**
 * Whether a `Host` header names this service. A web page that resolves its own name to this computer ("DNS
 * rebinding") is turned away: addresses are fine, foreign names are not.
 *
 * @param host the header, with or without a port.
 * @param ownHost what the service was told to listen on.
 */
export function isOwnHost(host: string, ownHost: string): boolean {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]]+))(?::\d{1,5})?$/.exec(host);
  const v6 = match?.groups?.['v6'];
  if (v6 !== undefined) return isIP(v6) === 6;
  const name = match?.groups?.['name']?.toLowerCase();
  if (name === undefined) return false;
  const computer = hostname().toLowerCase();
  return (
    isIP(name) === 4 || ['localhost', ownHost.toLowerCase(), computer, `${computer}.local`].includes(name)
  );
}
