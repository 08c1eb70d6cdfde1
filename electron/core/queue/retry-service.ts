import { isDeepStrictEqual } from 'node:util';
import type { ItemId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import { inspectFile } from '../media/inspect-files.ts';
import type { Store } from '../store/store.ts';
import { fileSourceOf } from './adding/intake-queue.ts';
import { isSameRecording } from './adding/duplicates.ts';
import type { FileSource, Item } from '../item/item.ts';
import type { Scheduler } from './scheduling/scheduler.ts';

export interface RetryServiceOptions {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'dispatch'>;
}

/** Tries again what failed or waits for the user, with the file as it is by then. */
export class RetryService {
  readonly #options: RetryServiceOptions;
  #ended = false;

  constructor(options: RetryServiceOptions) {
    this.#options = options;
  }

  /** A file that is being examined leads to nothing any more. */
  end(): void {
    this.#ended = true;
  }

  /** Tries items again; a file that had changed is taken as it is now. */
  async retry(ids: readonly ItemId[]): Promise<void> {
    const { store, scheduler } = this.#options;
    const changed = new Set(store.items.blockedBy('file_changed'));
    const away = new Set([
      ...store.items.blockedBy('file_missing'),
      ...store.items.blockedBy('file_unreadable'),
    ]);
    const others = ids.filter((id) => !changed.has(id) && !away.has(id));
    scheduler.dispatch(others, { kind: 'retry' });
    for (const id of ids) {
      if (changed.has(id)) await this.#retryWithCurrentFile(id, () => true);
      // Put back as a copy it is another file to the system, but the same recording.
      else if (away.has(id)) await this.#retryWithCurrentFile(id, isSameRecording);
    }
  }

  /** All that failed or waits for the user, but for what only a new request mends: that one is asked for. */
  async retryAll(): Promise<void> {
    const { items } = this.#options.store;
    const conflicts = new Set(items.blockedBy('idempotency_conflict'));
    await this.retry(items.orderIndex.ids(new Set(['failed', 'blocked'])).filter((id) => !conflicts.has(id)));
  }

  /** Gives an item the file at `path`. @throws ProblemError when it is no recording or another content. */
  async locate(id: ItemId, path: string): Promise<void> {
    const { store, scheduler } = this.#options;
    const item = store.items.get(id);
    if (item === null || item.source.kind !== 'file') return;
    const examined = await inspectFile(path);
    if (!this.#isUnchanged(item)) return;
    if (examined.kind === 'rejected') throw new ProblemError(examined.problem);
    const source = fileSourceOf(examined);
    // Another content is another recording: it is never sent, nor paid for, in the place of this one.
    if (!isSameRecording(source, item.source))
      throw new ProblemError({ code: 'other_content', params: { path } });
    store.items.setSource(id, source, examined.name, examined.place);
    scheduler.dispatch([id], { kind: 'retry' });
  }

  /** Tries again with the file as it is now if it `mayBe` that, and otherwise with the file that was added. */
  async #retryWithCurrentFile(
    id: ItemId,
    mayBe: (found: FileSource, wanted: FileSource) => boolean,
  ): Promise<void> {
    const { store, scheduler } = this.#options;
    const item = store.items.get(id);
    if (item?.source.kind !== 'file') return;
    const examined = await inspectFile(item.source.path);
    if (!this.#isUnchanged(item)) return;
    if (examined.kind === 'file' && mayBe(fileSourceOf(examined), item.source))
      store.items.setSource(id, fileSourceOf(examined), examined.name, examined.place);
    scheduler.dispatch([id], { kind: 'retry' });
  }

  /** Whether nothing has happened to an item meanwhile that makes a wish from before void. */
  #isUnchanged({ id, state, source }: Item): boolean {
    if (this.#ended) return false;
    const now = this.#options.store.items.get(id);
    return now?.state.kind === state.kind && isDeepStrictEqual(now.source, source);
  }
}
