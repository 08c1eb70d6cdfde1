import type { Clock } from '../ports.ts';
import type { HttpBody } from './http.ts';

/** A limited upload moves in pieces that take about so long, so that it neither bursts nor looks stalled. */
const pieceMs = 100;
const minPieceBytes = 4 * 1024;
/** No piece waits so long; if one should, the clock has been set back. */
const maxWaitMs = 10_000;

/** What all uploads to cloud accounts may take of the line together. */
export class Bandwidth {
  readonly #clock: Clock;
  readonly #limit: () => number | null;
  /** When the line is free again, Unix milliseconds. */
  #freeAt = 0;

  /** @param limit bytes per second, asked anew for each piece; `null`: as many as the line takes. */
  constructor(clock: Clock, limit: () => number | null) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** The same body, no faster than the limit lets it. Ends waiting when `signal` is aborted. */
  pace(body: HttpBody, signal: AbortSignal): HttpBody {
    return { length: body.length, chunks: (alive) => this.#paced(body, alive, signal) };
  }

  async *#paced(body: HttpBody, alive: () => void, signal: AbortSignal): AsyncIterable<Uint8Array> {
    for await (const chunk of body.chunks(alive)) {
      for (let start = 0; start < chunk.length;) {
        const limit = this.#limit();
        const size =
          limit === null ? chunk.length : Math.max(minPieceBytes, Math.floor((limit * pieceMs) / 1000));
        const piece = start === 0 && size >= chunk.length ? chunk : chunk.subarray(start, start + size);
        if (limit !== null) await this.#reserve(piece.length, limit, signal);
        yield piece;
        alive();
        start += piece.length;
      }
    }
  }

  /** Waits until the line is free and takes it for as long as `bytes` need. */
  async #reserve(bytes: number, bytesPerSecond: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const start = this.#freeAt - now > maxWaitMs ? now : Math.max(now, this.#freeAt);
    this.#freeAt = start + (bytes / bytesPerSecond) * 1000;
    if (start <= now) return;
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#clock.schedule(start - now, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      const stop = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    });
  }
}
