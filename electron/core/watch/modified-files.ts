import type { ItemId } from '../../contract/identifiers.ts';
import { isFinished, type Item } from '../item/item.ts';
import { statInside } from '../media/file-inside.ts';
import { creditsOf, monthStart } from '../queue/services/spending-limits.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { FolderWatcherOptions } from './folder-watcher.ts';
import type { StableFile } from './pending-files.ts';
import { costOf } from './postponed-files.ts';
import { sampleInside } from './watched-files.ts';

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
  /** Whether it waits until the duration of another recording of the folder is known, because its own is not. */
  readonly waitsForMeasurement: boolean;
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
   * Returns how long a file must stay unchanged because it has grown after it was added, in milliseconds; 0 for others,
   * even for a longer one that has replaced it. A file with an unfinished item is only compared: it is added once that
   * has finished.
   */
  async stableMsAfterGrowth({ path, sizeBytes }: StableFile): Promise<number> {
    const { folder, store } = this.#options;
    const seen = store.seen(folder.id, path);
    if (seen === null || seen.itemId === null || sizeBytes <= seen.sizeBytes) return 0;
    if (this.unfinishedItem(seen) !== null) return 0;
    const { sample = null, resentCount } = seen;
    // Only once in a row: a recorder may move what it has written at each pause, such as behind the index of an MP4 file.
    if (sample !== null && resentCount === 0) {
      const current = await sampleInside(folder.path, path, seen.sizeBytes);
      if (current !== null && current !== sample) return 0;
    }
    return Math.min(grownStableMs * 2 ** resentCount, maxGrownStableMs);
  }

  add(file: SeenFile, { id }: Item): void {
    this.#files.set(file.path, {
      file,
      itemId: id,
      isRetried: false,
      refusedMonth: null,
      waitsForMeasurement: false,
    });
  }

  /** Whether one of the files has this content now. */
  hasContent(fingerprint: string): boolean {
    return [...this.#files.values()].some(({ file }) => file.fingerprint === fingerprint);
  }

  /** Retries the blocked items, and records what items have received as seen. */
  async update(): Promise<void> {
    const { folder, store, item, retry, clock } = this.#options;
    const month = monthStart(clock.now());
    for (const [path, modified] of this.#files) {
      const { file, itemId, isRetried, refusedMonth, waitsForMeasurement } = modified;
      const current = item(itemId);
      if (current === null || isFinished(current.state.kind)) {
        this.#files.delete(path);
        this.#onFinished(path);
      } else if (hasState(current, file)) {
        store.recordSeen(folder.id, [{ ...file, itemId }]);
        this.#files.delete(path);
      } else if (isBlockedByModification(current) && !isRetried && refusedMonth !== month) {
        if (waitsForMeasurement && store.hasUnmeasured(folder.id, path)) continue;
        if ((await statInside(folder.path, path).catch(() => null)) === null) continue;
        const result = await this.#countGrowth(path, current, month);
        this.#files.set(path, {
          ...modified,
          isRetried: result === 'counted',
          refusedMonth: result === 'beyond-limit' ? month : null,
          waitsForMeasurement: result === 'unmeasured',
        });
        if (result === 'counted') await retry(itemId);
      }
    }
  }

  /**
   * Counts the additional cost of a modified file towards the folder's limit, if that allows it. If its duration is
   * unknown, that of no other recording may be.
   */
  async #countGrowth(
    path: string,
    modifiedItem: Item,
    month: number,
  ): Promise<'counted' | 'beyond-limit' | 'unmeasured'> {
    const { folder, store, probeDuration } = this.#options;
    if (folder.creditLimit === null || folder.service === 'on-device') return 'counted';
    const cost = costOf((await probeDuration(path)).seconds);
    const counted = store.countedCredits(folder.id, path) ?? creditsOf(modifiedItem);
    const additional = Math.max(0, cost.credits - counted);
    if (additional > 0 && store.creditsSince(folder.id, month) + additional > folder.creditLimit)
      return 'beyond-limit';
    if (!cost.isMeasured && store.hasUnmeasured(folder.id, path)) return 'unmeasured';
    if (additional > 0 || !cost.isMeasured)
      store.recordGrowth(folder.id, path, { ...cost, credits: counted + additional }, additional, month);
    return 'counted';
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
