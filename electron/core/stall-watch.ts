import type { Clock } from './ports.ts';

/** A connection without any data for this long has stalled. */
const stallMs = 120_000;
/**
 * A connection that transfers fewer bytes per second has stalled too: a few bytes now and then must not hold a request
 * forever. The time for which our own upload limit delays a body does not count.
 */
const minRate = 4 * 1024;

/** What arrives until a connection stalls is a trickle up to this size. */
const trickleBytes = 8 * 1024 * 1024;

/** Called with the number of bytes that were just transferred; `throttledMs`: how long our own limit delayed them. */
export type OnProgress = (bytes: number, throttledMs?: number) => void;

/**
 * Aborts when there was no progress for {@link stallMs}, or too little: each byte moves the deadline by the time that it
 * takes at {@link minRate}, to at most {@link stallMs} from now.
 */
export class StallWatch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  /** Unix milliseconds. */
  #deadline: number;
  #cancel: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#deadline = clock.now() + stallMs;
    this.#cancel = clock.schedule(stallMs, this.#check);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly onProgress: OnProgress = (bytes, throttledMs = 0) => {
    const earnedMs = (bytes / minRate) * 1000 + throttledMs;
    this.#deadline = Math.min(this.#clock.now() + stallMs, this.#deadline + earnedMs);
  };

  /** Whether an attempt in which this many bytes arrived was one with progress: once it has stalled, a trickle is none. */
  isProgress(bytes: number): boolean {
    return bytes > (this.#controller.signal.aborted ? trickleBytes : 0);
  }

  stop(): void {
    this.#cancel();
  }

  readonly #check = (): void => {
    // A clock that was set back must not extend the time.
    const remainingMs = Math.min(stallMs, this.#deadline - this.#clock.now());
    if (remainingMs > 0) this.#cancel = this.#clock.schedule(remainingMs, this.#check);
    else this.#controller.abort(new Error(`less than ${minRate / 1024} KiB/s for ${stallMs / 1000} s`));
  };
}
