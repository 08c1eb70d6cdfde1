import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import type { Clock } from '../../core/ports.ts';

/**
 * Checks bearer keys (API part 5). Only a digest of the key is kept, and only in memory. Jobs belong to the data folder,
 * not to the key, so they survive a change of the key.
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

/**
 * Limits the connections that have not shown the key yet: the oldest is closed for a new one, so that silent or slow
 * connections do not keep out the owner of the key.
 */
export class UnauthenticatedConnections {
  readonly #sockets = new Set<Socket>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    for (const oldest of this.#sockets) {
      if (this.#sockets.size <= this.#max) break;
      this.#sockets.delete(oldest);
      oldest.destroy();
    }
  }

  /** Removes a connection from the limit, since a request on it had the key. */
  markAuthenticated(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}

/** The capacity of the bucket, as the milliseconds in which it fills. */
const burstMs = 10_000;
/** One token less a tolerance for rounding, so that a client that waited as long as requested is served. */
const oneToken = 1 - 1e-9;

/**
 * Limits the rate of requests (API part 7, `rate_limited`) with a token bucket: one token per request. Short bursts pass;
 * a client that exceeds the rate for longer gets a `Retry-After`.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #msPerToken: number;
  #tokens: number;
  #filledAt: number;

  /** @param perMinute sustained requests per minute; `Infinity`: no limit. */
  constructor(perMinute: number, clock: Clock) {
    this.#clock = clock;
    this.#msPerToken = 60_000 / perMinute;
    this.#capacity = Math.max(1, (burstMs / 60_000) * perMinute);
    this.#tokens = this.#capacity;
    this.#filledAt = clock.now();
  }

  /** Takes a token and returns 0, or the milliseconds until there is one. */
  take(): number {
    if (this.#msPerToken === 0) return 0;
    const now = this.#clock.now();
    // A clock that was set back must not remove tokens.
    const gained = Math.max(0, now - this.#filledAt) / this.#msPerToken;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#filledAt = now;
    if (this.#tokens < oneToken) return (1 - this.#tokens) * this.#msPerToken;
    this.#tokens--;
    return 0;
  }
}

/**
 * Whether a `Host` header names this service. IP addresses and this computer's names pass; any other name is rejected,
 * because a web page may have resolved its own name to this computer (DNS rebinding).
 *
 * @param host the header, with or without a port.
 * @param ownHost the host that the service listens on.
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
