import { creditsFor } from '../../contract/pricing.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import { isFinished, type Item } from '../item/item.ts';
import { statInside } from '../media/file-inside.ts';
import { creditsOf, monthStart } from '../queue/services/spending-limits.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';
import type { StableFile } from './pending-files.ts';

/**
 * How long a file must stay unchanged that has grown after it was added, in milliseconds, and its maximum: twice as long
 * each time it is added again. Each time, all of it is sent and paid for again.
 */
const grownStableMs = 600_000;
const maxGrownStableMs = 3_600_000;

interface ModifiedFile {
  /** The file in its current state. */
  readonly file: SeenFile;
  readonly itemId: ItemId;
  readonly isRetried: boolean;
  /** The start of the month whose limit is too low for its additional cost, in Unix milliseconds; `null` if there is none. */
  readonly refusedMonth: number | null;
}

/**
 * The files of a watched folder that were modified after they had been added, until it is known whether their items have
 * the current content. Until then it is not recorded as seen, so that a restart compares it again. Items are retried once
 * they are blocked because of the change. One whose file has become longer than the folder's limit allows stays blocked
 * until the next month, or until the limit is changed, which restarts the watcher.
 */
export class ModifiedFiles {
  readonly #options: FolderWatcherOptions;
  readonly #onFinished: (path: string) => void;
  readonly #files = new Map<string, ModifiedFile>();
  /** The credits counted for each file, by path; its duration in the queue may still be unknown. */
  readonly #countedCredits = new Map<string, number>();
  /** How often files were added again after they had grown, by path; since the folder is watched. */
  readonly #resentCounts = new Map<string, number>();

  /**
   * @param onFinished Called with the path of a file whose item has finished, or was removed, without its current content:
   *   it must be compared with what was transcribed.
   */
  constructor(options: FolderWatcherOptions, onFinished: (path: string) => void) {
    this.#options = options;
    this.#onFinished = onFinished;
  }

  /** Returns the item that was created from a file, if it is unfinished. */
  unfinishedItem(seen: SeenFile | null): Item | null {
    const item = seen === null || seen.itemId === null ? null : this.#options.item(seen.itemId);
    return item === null || isFinished(item.state.kind) ? null : item;
  }

  /**
   * Returns how long a file must stay unchanged because it has grown after it was added, in milliseconds; 0 for others. A
   * file with an unfinished item is only compared: it is added once that has finished.
   */
  stableMsAfterGrowth({ path, sizeBytes }: StableFile): number {
    const { folder, store } = this.#options;
    const seen = store.seen(folder.id, path);
    if (seen === null || seen.itemId === null || sizeBytes <= seen.sizeBytes) return 0;
    if (this.unfinishedItem(seen) !== null) return 0;
    return Math.min(grownStableMs * 2 ** (this.#resentCounts.get(path) ?? 0), maxGrownStableMs);
  }

  /** Counts the files that are added again. Call it before they are recorded as seen. */
  countResent(files: readonly SeenFile[]): void {
    const { folder, store } = this.#options;
    for (const { path } of files)
      if ((store.seen(folder.id, path)?.itemId ?? null) !== null)
        this.#resentCounts.set(path, (this.#resentCounts.get(path) ?? 0) + 1);
  }

  add(file: SeenFile, { id }: Item): void {
    this.#files.set(file.path, { file, itemId: id, isRetried: false, refusedMonth: null });
  }

  /** Whether one of the files has this content now. */
  hasContent(fingerprint: string): boolean {
    return [...this.#files.values()].some(({ file }) => file.fingerprint === fingerprint);
  }

  /** Records what was counted for a new file. */
  recordCounted(path: string, credits: number): void {
    this.#countedCredits.set(path, credits);
  }

  /** Retries the blocked items, and records what items have received as seen. */
  async update(): Promise<void> {
    const { folder, store, item, retry, clock } = this.#options;
    const month = monthStart(clock.now());
    for (const [path, modified] of this.#files) {
      const { file, itemId, isRetried, refusedMonth } = modified;
      const current = item(itemId);
      if (current === null || isFinished(current.state.kind)) {
        this.#files.delete(path);
        this.#onFinished(path);
      } else if (hasState(current, file)) {
        store.recordSeen(folder.id, [{ ...file, itemId }], null);
        this.#files.delete(path);
      } else if (isBlockedByModification(current) && !isRetried && refusedMonth !== month) {
        if ((await statInside(folder.path, path).catch(() => null)) === null) continue;
        if (await this.#countGrowth(path, current, month)) {
          this.#files.set(path, { ...modified, isRetried: true });
          await retry(itemId);
        } else this.#files.set(path, { ...modified, refusedMonth: month });
      }
    }
  }

  /** Counts the additional cost of a modified file towards the folder's limit. Returns whether the limit allows it. */
  async #countGrowth(path: string, modifiedItem: Item, month: number): Promise<boolean> {
    const { folder, store, probeDuration } = this.#options;
    if (folder.creditLimit === null || folder.service === 'on-device') return true;
    const cost = creditsFor((await probeDuration(path)).seconds ?? 0);
    const credits = cost - (this.#countedCredits.get(path) ?? creditsOf(modifiedItem));
    if (credits <= 0) return true;
    if (store.creditsSince(folder.id, month) + credits > folder.creditLimit) return false;
    store.recordSeen(folder.id, [], { count: 0, credits, monthStart: month });
    this.#countedCredits.set(path, cost);
    return true;
  }
}

/** Whether two states of a file look the same. */
export const isSameState = (one: StableFile, other: StableFile): boolean =>
  one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs;

/** Whether an item has a file in this state. An item that is blocked because of a change does not accept it. */
export const hasState = (item: Item, file: SeenFile): boolean =>
  !isBlockedByModification(item) &&
  item.source.kind === 'file' &&
  item.source.fingerprint === file.fingerprint &&
  isSameState(item.source, file);

const isBlockedByModification = ({ state }: Item): boolean =>
  state.kind === 'blocked' && state.problem.code === 'file_changed';
