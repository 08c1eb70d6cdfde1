import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../contract/queue-commands.ts';
import type { Store } from '../../store/store.ts';
import { allStates } from '../../item/item-filter.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import type { SortHandlers } from './sort-worker.ts';

/** Returns the order with the waiting items sorted; `null` when they are sorted already. */
export type FindOrder = (sort: QueueSort) => Promise<Uint32Array | null>;

/** Up to this many items, sorting here is faster than starting a thread. */
const maxItemsSortedHere = 1000;

export interface QueueReordererOptions {
  readonly store: Store;
  /** Sorts a long queue in another thread; absent: this thread does it. */
  readonly findOrder?: FindOrder;
  /** Called when the order has changed. */
  readonly onReordered: () => void;
}

/** Changes the order of the queue at the user's request, one request after the other. */
export class QueueReorderer {
  readonly #options: QueueReordererOptions;
  #lastChange: Promise<unknown> = Promise.resolve();
  #abandoned = false;

  constructor(options: QueueReordererOptions) {
    this.#options = options;
  }

  /** @throws the database's error when it cannot be stored. */
  move(ids: readonly ItemId[], position: QueuePosition): Promise<void> {
    const { store, onReordered } = this.#options;
    return this.#enqueue(() => {
      store.transaction(() => store.order.move(ids, position));
      onReordered();
    });
  }

  /** Sorts the waiting items. @throws the database's error; the order is unchanged then. */
  sort(sort: QueueSort): Promise<void> {
    const { store, findOrder, onReordered } = this.#options;
    return this.#enqueue(async () => {
      const isShort = store.items.totals.count(allStates) <= maxItemsSortedHere;
      const order = await (isShort || findOrder === undefined ? store.order.sorted(sort) : findOrder(sort));
      if (order === null || this.#abandoned) return;
      store.transaction(() => store.order.set(order));
      onReordered();
    });
  }

  /** Resolves when all requested changes are done. */
  async close(): Promise<void> {
    await this.#lastChange;
  }

  /** Stores nothing more. */
  abandon(): void {
    this.#abandoned = true;
  }

  #enqueue(work: () => Promise<void> | void): Promise<void> {
    const done = this.#lastChange.then(() => (this.#abandoned ? undefined : work()));
    this.#lastChange = done.catch(() => undefined);
    return done;
  }
}

/** Enough for the names of the longest queue. */
const maxHeapMb = 1024;

/**
 * Computes the sorted order of a queue in a thread of its own.
 *
 * @param url of `sort-worker.ts`
 * @param path the database file, which the thread only reads
 * @throws an error when the thread crashes.
 */
export async function sortInThread(url: URL, path: string, sort: QueueSort): Promise<Uint32Array | null> {
  const worker = new WorkerClient<SortHandlers>({ name: 'sort', url, maxHeapMb });
  try {
    return await worker.request('sort', { path, sort });
  } finally {
    await worker.close();
  }
}
