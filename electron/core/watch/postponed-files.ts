import { creditsFor } from '../../contract/pricing.ts';
import { monthStart } from '../queue/services/spending-limits.ts';
import { baseNameOf } from '../media/inspect-files.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';

/**
 * The complete recordings of a watched folder that are not added because of the folder's limit: until the next month, or
 * at all, because one costs more than a month allows. They are not recorded as seen, so the next start finds them too.
 */
export class PostponedFiles {
  readonly #options: FolderWatcherOptions;
  readonly #onResumed: (path: string) => void;
  readonly #paths = new Set<string>();
  /** Recordings that no month's limit allows; they hold back no others. */
  readonly #tooExpensivePaths = new Set<string>();
  /** The start of the month whose limit they would exceed, Unix milliseconds. */
  #month = 0;

  /** @param onResumed Called with the path of a postponed file that must be considered again. */
  constructor(options: FolderWatcherOptions, onResumed: (path: string) => void) {
    this.#options = options;
    this.#onResumed = onResumed;
  }

  /** The number of those that wait for the next month. */
  get count(): number {
    return this.#paths.size;
  }

  get tooExpensiveCount(): number {
    return this.#tooExpensivePaths.size;
  }

  get #totalCount(): number {
    return this.#paths.size + this.#tooExpensivePaths.size;
  }

  has(path: string): boolean {
    return this.#paths.has(path) || this.#tooExpensivePaths.has(path);
  }

  /** Removes a file that is gone or has changed. It may have held back others, which are considered again. */
  delete(path: string): void {
    if (this.#paths.delete(path)) this.#resumeAll();
    else if (!this.#tooExpensivePaths.delete(path)) return;
    this.#options.onChange();
  }

  clear(): void {
    this.#paths.clear();
    this.#tooExpensivePaths.clear();
  }

  /** Considers the postponed files again once a new month has begun. */
  resumeInNewMonth(now: number): void {
    if (monthStart(now) !== this.#month) this.#resumeAll();
  }

  #resumeAll(): void {
    for (const path of this.#paths) this.#onResumed(path);
    this.#paths.clear();
  }

  /**
   * Removes the first file that would exceed what is left of the folder's limit and all files after it from `files`, and
   * postpones them to the next month; removes those that alone exceed the limit, wherever they are.
   *
   * @returns the credits of the remaining files by path; empty without a limit
   */
  async postponeBeyondLimit(
    files: Map<string, SeenFile>,
    month: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const { folder, store, probeDuration, onChange, onLimitReached } = this.#options;
    const credits = new Map<string, number>();
    if (folder.creditLimit === null || folder.service === 'on-device') return credits;
    const countBefore = this.#totalCount;
    let spent = store.creditsSince(folder.id, month);
    for (const path of files.keys()) {
      if (signal.aborted) break;
      const cost = creditsFor((await probeDuration(path)).seconds ?? 0);
      if (cost > folder.creditLimit) {
        files.delete(path);
        this.#tooExpensivePaths.add(path);
      } else if (this.#paths.size > 0 || spent + cost > folder.creditLimit) {
        files.delete(path);
        this.#paths.add(path);
        this.#month = month;
      } else {
        spent += cost;
        credits.set(path, cost);
      }
    }
    if (this.#totalCount > 0) onChange();
    if (countBefore === 0 && this.#totalCount > 0) onLimitReached(baseNameOf(folder.path));
    return credits;
  }
}
