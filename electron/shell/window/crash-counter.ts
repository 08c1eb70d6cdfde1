/** More crashes than this within {@link periodMs} are a loop. */
const maxCrashes = 3;
const periodMs = 60_000;

/** Counts the crashes of a page, to know when reopening it without asking is pointless. */
export class CrashCounter {
  #times: readonly number[] = [];

  /**
   * Counts one more crash.
   *
   * @param now Unix time in milliseconds
   * @returns whether the crashes are a loop
   */
  recordCrash(now: number): boolean {
    this.#times = [...this.#times.filter((time) => now - time < periodMs), now];
    return this.#times.length > maxCrashes;
  }
}
