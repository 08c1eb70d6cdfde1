import { delay } from '../delay.ts';
import type { Clock } from '../ports.ts';
import type { HttpBody } from './http.ts';

/** The approximate duration of each piece of a limited upload: short enough to look neither bursty nor stalled. */
const pieceMs = 100;
const minPieceBytes = 4 * 1024;
/** No piece waits this long unless the clock has been set back. */
const maxWaitMs = 10_000;

/** The bandwidth that all uploads to cloud accounts share. */
export class Bandwidth {
  readonly #clock: Clock;
  readonly #limit: () => number | null;
  /** When the reserved bandwidth is used up, Unix milliseconds. */
  #freeAt = 0;

  /** @param limit Returns bytes per second for each piece; `null`: unlimited. */
  constructor(clock: Clock, limit: () => number | null) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Returns the same body, throttled to the limit. Stops waiting when `signal` is aborted. */
  throttle(body: HttpBody, signal: AbortSignal): HttpBody {
    return { length: body.length, chunks: (onProgress) => this.#throttledChunks(body, onProgress, signal) };
  }

  async *#throttledChunks(
    body: HttpBody,
    onProgress: Parameters<HttpBody['chunks']>[0],
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    // Progress is reported for each piece below, not for the whole chunk.
    for await (const chunk of body.chunks(() => undefined)) {
      for (let start = 0; start < chunk.length;) {
        const limit = this.#limit();
        const size =
          limit === null ? chunk.length : Math.max(minPieceBytes, Math.floor((limit * pieceMs) / 1000));
        const piece = start === 0 && size >= chunk.length ? chunk : chunk.subarray(start, start + size);
        const throttledMs = limit === null ? 0 : await this.#reserve(piece.length, limit, signal);
        yield piece;
        onProgress(piece.length, throttledMs);
        start += piece.length;
      }
    }
  }

  /** Reserves the bandwidth for `bytes`, waits until it is free, and returns for how long, in milliseconds. */
  async #reserve(bytes: number, bytesPerSecond: number, signal: AbortSignal): Promise<number> {
    const now = this.#clock.now();
    const start = this.#freeAt - now > maxWaitMs ? now : Math.max(now, this.#freeAt);
    this.#freeAt = start + (bytes / bytesPerSecond) * 1000;
    if (start > now) await delay(this.#clock, start - now, signal);
    return start - now;
  }
}
