import type { Clock } from '../../../electron/core/ports.ts';

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Map<object, { readonly at: number; readonly callback: () => void }>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = {};
    this.#timers.set(timer, { at: this.#now + delayMs, callback });
    return () => this.#timers.delete(timer);
  }

  /** When the next timer is due, in Unix milliseconds; `null` when none is set. */
  get nextAt(): number | null {
    const times = [...this.#timers.values()].map(({ at }) => at);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Advances by `ms`; timers that are due are called in order, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      const [timer, { at, callback }] = due;
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, at);
      callback();
    }
    this.#now = end;
  }
}
