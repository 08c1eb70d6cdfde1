/** So many crashes within {@link soonMs} are no accident. */
const most = 3;
const soonMs = 60_000;

/** Knows when a page has crashed too often to be opened anew without asking. */
export class CrashCount {
  #times: readonly number[] = [];

  /** Counts one more crash. @param now Unix time in milliseconds. */
  isOneTooMany(now: number): boolean {
    this.#times = [...this.#times.filter((time) => now - time < soonMs), now];
    return this.#times.length > most;
  }
}
