import { creditsFor } from '../../contract/pricing.ts';
import { monthStart } from '../queue/services/spending-limits.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';

/**
 * The complete recordings of a watched folder that wait for the next month, because they would exceed the folder's limit.
 * They are not recorded as seen, so the next start finds them too.
 */
export class PostponedFiles {
  readonly #options: FolderWatcherOptions;
  readonly #paths = new Set<string>();
  /** The start of the month whose limit they would exceed, Unix milliseconds. */
  #month = 0;

  constructor(options: FolderWatcherOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#paths.size;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Removes a file that is gone. Returns whether it was postponed. */
  delete(path: string): boolean {
    return this.#paths.delete(path);
  }

  clear(): void {
    this.#paths.clear();
  }

  /** Removes and returns the files that are to be considered again, because a new month has begun. */
  takeResumable(now: number): readonly string[] {
    if (this.#paths.size === 0 || monthStart(now) === this.#month) return [];
    const resumed = [...this.#paths];
    this.#paths.clear();
    return resumed;
  }

  /**
   * Removes the first file that would exceed the folder's limit and all files after it from `files`, and postpones
   * them to the next month.
   *
   * @returns the credits of the remaining files by path; empty without a limit
   */
  async postponeBeyondLimit(
    files: Map<string, SeenFile>,
    month: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const { folder, store, probeDuration } = this.#options;
    const credits = new Map<string, number>();
    if (folder.creditLimit === null || folder.service === 'on-device') return credits;
    let spent = store.creditsSince(folder.id, month);
    for (const path of files.keys()) {
      if (signal.aborted) break;
      const cost = creditsFor((await probeDuration(path)).seconds ?? 0);
      if (this.#paths.size > 0 || spent + cost > folder.creditLimit) {
        files.delete(path);
        this.#paths.add(path);
        this.#month = month;
      } else {
        spent += cost;
        credits.set(path, cost);
      }
    }
    return credits;
  }
}
