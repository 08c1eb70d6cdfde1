import { isDeepStrictEqual } from 'node:util';
import type { ItemId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import { isBelow } from '../media/file-inside.ts';
import { inspectFile, inspectLink } from '../media/inspect-files.ts';
import type { Store } from '../store/store.ts';
import { fileSourceOf } from './adding/item-adder.ts';
import { isSameRecording } from './adding/duplicates.ts';
import { hasEditableOptions } from './view/queue-row-view.ts';
import type { FileSource, Item } from '../item/item.ts';
import type { Scheduler } from './scheduling/scheduler.ts';

export interface ItemRetrierOptions {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'dispatch' | 'changeItems'>;
  /** Called when an item has another file, whose duration may be unknown. */
  readonly onSourceChanged: (id: ItemId) => void;
}

/** Retries failed and blocked items with the current state of their files. */
export class ItemRetrier {
  readonly #options: ItemRetrierOptions;
  #isStopped = false;
  #isCheckingMissing = false;
  /**
   * Items that were continued because their unreadable file became readable, with the number of parts sent until then. If
   * the file becomes unreadable again before another part is sent, the next part of the file is probably damaged.
   */
  readonly #continuedUnreadable = new Map<ItemId, number>();

  constructor(options: ItemRetrierOptions) {
    this.#options = options;
  }

  /** Ends all work: inspections that are still running have no effect. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Retries items; a file that has changed is accepted in its current form. */
  async retry(ids: readonly ItemId[]): Promise<void> {
    const { store, scheduler } = this.#options;
    const changed = new Set(store.items.blockedBy('file_changed'));
    const missing = new Set([
      ...store.items.blockedBy('file_missing'),
      ...store.items.blockedBy('file_unreadable'),
    ]);
    for (const id of ids) this.#continuedUnreadable.delete(id);
    const others = ids.filter((id) => !changed.has(id) && !missing.has(id));
    scheduler.dispatch(others, { kind: 'retry' });
    for (const id of ids) {
      if (!changed.has(id) && !missing.has(id)) continue;
      const outcome = await this.#takeCurrentFile(id, changed.has(id) ? () => true : isSameRecording);
      if (outcome !== 'item-changed') scheduler.dispatch([id], { kind: 'retry' });
    }
  }

  /**
   * Continues the items whose files were missing or unreadable and are back. Does nothing while an earlier check is running:
   * a drive may hang.
   */
  async retryReturnedFiles(): Promise<void> {
    if (this.#isCheckingMissing) return;
    this.#isCheckingMissing = true;
    const { store, scheduler } = this.#options;
    const continued = this.#continuedUnreadable;
    try {
      const unreadable = new Set(store.items.blockedBy('file_unreadable'));
      for (const id of [...store.items.blockedBy('file_missing'), ...unreadable]) {
        if (this.#isStopped) return;
        const partsSent = partsSentBefore(store.items.get(id));
        const mayBeDamaged = unreadable.has(id) && partsSent <= (continued.get(id) ?? -1);
        const outcome = await this.#takeCurrentFile(
          id,
          (current, added) => !mayBeDamaged && isSameRecording(current, added),
        );
        if (outcome === 'not-found') continued.delete(id);
        if (outcome !== 'taken') continue;
        if (unreadable.has(id)) continued.set(id, partsSent);
        scheduler.dispatch([id], { kind: 'file-found' });
      }
    } finally {
      this.#isCheckingMissing = false;
    }
  }

  /** See {@link Queue.retryAll}. */
  async retryAll(): Promise<void> {
    const { items } = this.#options.store;
    const conflicts = new Set(items.blockedBy('idempotency_conflict'));
    const retryable = items.orderIndex.ids((kind) => kind === 'failed' || kind === 'blocked');
    await this.retry(retryable.filter((id) => !conflicts.has(id)));
  }

  /** Makes the file at `path` the source of an item. @throws ProblemError when it is not the same recording. */
  async locate(id: ItemId, path: string): Promise<void> {
    const { store, scheduler, onSourceChanged } = this.#options;
    const item = store.items.get(id);
    if (item === null || item.source.kind !== 'file') return;
    const { watchedFolder } = item.source;
    // A file outside the watched folder was chosen by the user: links to it may be followed.
    const folder = watchedFolder !== undefined && isBelow(watchedFolder, path) ? watchedFolder : undefined;
    const inspected = await inspectFile(path, folder);
    if (!this.#isUnchanged(item)) return;
    if (inspected.kind === 'rejected') throw new ProblemError(inspected.problem);
    const source = { ...fileSourceOf(inspected), watchedFolder: folder };
    // Different content is a different recording: it must not be sent, or paid for, under this item.
    if (!isSameRecording(source, item.source))
      throw new ProblemError({ code: 'other_content', params: { path } });
    store.items.setSource(id, source, inspected.name, inspected.folderLabel);
    onSourceChanged(id);
    scheduler.dispatch([id], { kind: 'retry' });
  }

  /**
   * Replaces the link of an item that has no job, and retries it.
   *
   * @throws ProblemError when it is not a link to a file.
   */
  setLink(id: ItemId, link: string): void {
    const { store, scheduler } = this.#options;
    const inspected = inspectLink(link);
    if (inspected.kind === 'rejected') throw new ProblemError(inspected.problem);
    const { url, name, folderLabel } = inspected;
    let needsRetry = false;
    scheduler.changeItems(() => {
      const item = store.items.get(id);
      if (item === null || item.source.kind !== 'link' || !hasEditableOptions(item.state)) return [];
      store.items.setSource(id, { kind: 'link', url }, name, folderLabel);
      needsRetry = item.state.kind !== 'waiting' && item.state.kind !== 'paused';
      return [id];
    });
    if (needsRetry) scheduler.dispatch([id], { kind: 'retry' });
  }

  /**
   * Makes the file that is now at an item's path its source, if `accepts` allows it. A file that was restored from a copy is
   * a different file to the system, but may be the same recording.
   */
  async #takeCurrentFile(
    id: ItemId,
    accepts: (current: FileSource, added: FileSource) => boolean,
  ): Promise<'taken' | 'not-found' | 'not-accepted' | 'item-changed'> {
    const { store, onSourceChanged } = this.#options;
    const item = store.items.get(id);
    if (item?.source.kind !== 'file') return 'item-changed';
    const { path, watchedFolder } = item.source;
    const inspected = await inspectFile(path, watchedFolder);
    if (!this.#isUnchanged(item)) return 'item-changed';
    if (inspected.kind !== 'file') return 'not-found';
    const current = { ...fileSourceOf(inspected), watchedFolder };
    if (!accepts(current, item.source)) return 'not-accepted';
    store.items.setSource(id, current, inspected.name, inspected.folderLabel);
    onSourceChanged(id);
    return 'taken';
  }

  /** Whether an item still has the state and source that it had when the user asked for a retry. */
  #isUnchanged({ id, state, source }: Item): boolean {
    if (this.#isStopped) return false;
    const current = this.#options.store.items.get(id);
    return current?.state.kind === state.kind && isDeepStrictEqual(current.source, source);
  }
}

/** Returns how many parts of a blocked item's file were acknowledged. */
const partsSentBefore = (item: Item | null): number =>
  item?.state.kind === 'blocked' && item.state.at.kind === 'uploading' ? item.state.at.partsSent : 0;
