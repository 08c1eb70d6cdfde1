import type { Clock } from '../../electron/core/ports.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly process: number;
  readonly callback: () => void;
}

/** Time that jumps from one event to the next. The shown time can be set like a computer's clock. */
export class VirtualClock implements Clock {
  /** Milliseconds since the start; never goes back. */
  elapsed = 0;
  #wallClockStart = Date.UTC(2026, 0, 1);
  #order = 0;
  #process = 1;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#wallClockStart + this.elapsed;
  }

  /** Schedules a timer outside the program, which survives a crash. */
  schedule(delayMs: number, callback: () => void): () => void {
    return this.#schedule(delayMs, callback, 0);
  }

  /** Returns the clock of a new process and clears the timers of the previous one. */
  startProcess(): Clock {
    for (const timer of this.#timers) if (timer.process > 0) this.#timers.delete(timer);
    this.#process += 1;
    const process = this.#process;
    return {
      now: () => this.now(),
      schedule: (delayMs, callback) =>
        process === this.#process ? this.#schedule(delayMs, callback, process) : () => undefined,
    };
  }

  /** Shifts the shown time. */
  shift(byMs: number): void {
    this.#wallClockStart += byMs;
  }

  /** Runs the next event; `false` when there is none. */
  step(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
        next = timer;
    }
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.elapsed = Math.max(this.elapsed, next.at);
    next.callback();
    return true;
  }

  #schedule(delayMs: number, callback: () => void, process: number): () => void {
    this.#order += 1;
    const timer = { at: this.elapsed + Math.max(0, delayMs), order: this.#order, process, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
