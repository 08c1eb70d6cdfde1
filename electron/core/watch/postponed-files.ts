import { creditsFor } from '../../contract/pricing.ts';
import { monthStart } from '../queue/services/spending-limits.ts';
import { baseNameOf } from '../media/inspect-files.ts';
import type { CountedCost, SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';

/**
 * Why a recording is not added: it would exceed the limit of this month; it alone costs more than the limit of any; or
 * its duration is unknown, and so is that of another one, whose cost would be corrected only after both were sent.
 */
type PostponeReason = 'month' | 'too-expensive' | 'unmeasured';

/**
 * The complete recordings of a watched folder that are not added because of the folder's limit. They are not recorded as
 * seen, so the next start finds them too.
 */
export class PostponedFiles {
  readonly #options: FolderWatcherOptions;
  readonly #onResumed: (path: string) => void;
  readonly #reasons = new Map<string, PostponeReason>();
  /** The start of the month whose limit they would exceed, Unix milliseconds. */
  #month = 0;
  /** The credits that were counted in it when the first of them was postponed. */
  #spent = 0;

  /** @param onResumed Called with the path of a postponed file that must be considered again. */
  constructor(options: FolderWatcherOptions, onResumed: (path: string) => void) {
    this.#options = options;
    this.#onResumed = onResumed;
  }

  /** The number of those that wait for the next month. */
  get count(): number {
    return this.#countOf('month');
  }

  /** The number of those that no month's limit allows; they hold back no others. */
  get tooExpensiveCount(): number {
    return this.#countOf('too-expensive');
  }

  /** The number of those that wait until the duration of another one is known. */
  get unmeasuredCount(): number {
    return this.#countOf('unmeasured');
  }

  #countOf(reason: PostponeReason): number {
    return [...this.#reasons.values()].filter((one) => one === reason).length;
  }

  has(path: string): boolean {
    return this.#reasons.has(path);
  }

  /** Removes a file that is gone or has changed. It may have held back others, which are considered again. */
  delete(path: string): void {
    const reason = this.#reasons.get(path);
    if (reason === undefined) return;
    this.#reasons.delete(path);
    if (reason === 'month') this.#resumeAll('month');
    this.#options.onChange();
  }

  clear(): void {
    this.#reasons.clear();
  }

  /**
   * Considers postponed files again once nothing holds them back any more: a new month has begun, a recording costs less
   * than was counted for it, or no duration is unknown any more.
   */
  resume(now: number): void {
    const { folder, store } = this.#options;
    if (this.count > 0) {
      const month = monthStart(now);
      if (month !== this.#month || store.creditsSince(folder.id, month) < this.#spent)
        this.#resumeAll('month');
    }
    if (this.unmeasuredCount > 0 && !store.hasUnmeasured(folder.id)) this.#resumeAll('unmeasured');
  }

  #resumeAll(reason: PostponeReason): void {
    for (const [path, one] of this.#reasons) {
      if (one !== reason) continue;
      this.#reasons.delete(path);
      this.#onResumed(path);
    }
  }

  /**
   * Removes the first file that would exceed what is left of the folder's limit and all files after it from `files`, and
   * postpones them to the next month; removes those that alone exceed the limit, wherever they are, and all but one of
   * unknown duration.
   *
   * @returns what is counted for the remaining files by path; empty without a limit
   */
  async postponeBeyondLimit(
    files: Map<string, SeenFile>,
    month: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CountedCost>> {
    const { folder, store, probeDuration, onChange, onLimitReached } = this.#options;
    const costs = new Map<string, CountedCost>();
    if (folder.creditLimit === null || folder.service === 'on-device') return costs;
    const beyondLimitBefore = this.count + this.tooExpensiveCount;
    let isMonthOver = this.count > 0;
    const postpone = (path: string, reason: PostponeReason): void => {
      files.delete(path);
      this.#reasons.set(path, reason);
    };
    let spent = store.creditsSince(folder.id, month);
    let hasUnmeasured = store.hasUnmeasured(folder.id);
    for (const path of files.keys()) {
      if (signal.aborted) break;
      const cost = costOf((await probeDuration(path)).seconds);
      if (cost.credits > folder.creditLimit) postpone(path, 'too-expensive');
      else if (isMonthOver || spent + cost.credits > folder.creditLimit) {
        postpone(path, 'month');
        if (!isMonthOver) this.#spent = spent;
        this.#month = month;
        isMonthOver = true;
      } else if (!cost.isMeasured && hasUnmeasured) postpone(path, 'unmeasured');
      else {
        hasUnmeasured ||= !cost.isMeasured;
        spent += cost.credits;
        costs.set(path, cost);
      }
    }
    if (this.#reasons.size > 0) onChange();
    const beyondLimit = this.count + this.tooExpensiveCount;
    if (beyondLimitBefore === 0 && beyondLimit > 0) onLimitReached(baseNameOf(folder.path));
    return costs;
  }
}

/** Returns what is counted for a recording. @param seconds its duration; `null`: unknown, one credit until it is known */
export const costOf = (seconds: number | null): CountedCost => ({
  credits: creditsFor(seconds ?? 0),
  isMeasured: seconds !== null,
});
