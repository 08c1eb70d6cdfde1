import { creditsFor } from '../../contract/pricing.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import { isFinished, type Item } from '../item/item.ts';
import { statInside } from '../media/file-inside.ts';
import { creditsOf, monthStart } from '../queue/services/spending-limits.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';

interface ModifiedFile {
  readonly itemId: ItemId;
  /** The month whose limit does not allow what it costs in addition, by its start, Unix milliseconds; `null`: none. */
  readonly refusedMonth: number | null;
}

/**
 * The files of a watched folder that were modified after they had been added. Their items are retried once they are
 * blocked because of that. One that has become longer than the folder's limit allows stays blocked until the next month,
 * or until the limit is changed, which restarts the watcher.
 */
export class ModifiedFiles {
  readonly #options: FolderWatcherOptions;
  readonly #files = new Map<string, ModifiedFile>();
  /** The credits counted for each file, by path; its duration in the queue may still be unknown. */
  readonly #countedCredits = new Map<string, number>();

  constructor(options: FolderWatcherOptions) {
    this.#options = options;
  }

  add(path: string, itemId: ItemId): void {
    this.#files.set(path, { itemId, refusedMonth: null });
  }

  /** Adds a file that is as it was seen if an earlier watcher of the folder has left its item blocked. */
  addIfBlocked({ path, itemId }: SeenFile): void {
    if (itemId !== null && isBlockedByModification(this.#options.item(itemId))) this.add(path, itemId);
  }

  /** Records what was counted for a new file. */
  recordCounted(path: string, credits: number): void {
    this.#countedCredits.set(path, credits);
  }

  /** Retries the blocked items. */
  async retry(): Promise<void> {
    const { folder, item, retry, clock } = this.#options;
    const month = monthStart(clock.now());
    for (const [path, { itemId, refusedMonth }] of this.#files) {
      const modifiedItem = item(itemId);
      if (modifiedItem === null || isFinished(modifiedItem.state.kind)) this.#files.delete(path);
      if (!isBlockedByModification(modifiedItem) || refusedMonth === month) continue;
      this.#files.delete(path);
      if ((await statInside(folder.path, path).catch(() => null)) === null) continue;
      if (await this.#countGrowth(path, modifiedItem, month)) await retry(itemId);
      else this.#files.set(path, { itemId, refusedMonth: month });
    }
  }

  /** Counts what a modified file costs in addition for the folder's limit. Returns whether the limit allows it. */
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

const isBlockedByModification = (item: Item | null): item is Item =>
  item?.state.kind === 'blocked' && item.state.problem.code === 'file_changed';
