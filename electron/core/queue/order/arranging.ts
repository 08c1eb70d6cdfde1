import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../contract/queue.ts';
import { pause } from '../../pause.ts';
import type { Clock } from '../../ports.ts';
import type { NewOrder } from '../../store/items/new-order.ts';
import type { Store } from '../../store/store.ts';
import { kindsUnder } from '../../store/items/tally.ts';

/** Finds the order in which what waits is sorted; `null`: it has it. */
export type FindOrder = (sort: QueueSort) => Promise<NewOrder | null>;

/** To sort so many items takes less time than to ask another thread. */
const shortQueue = 1000;
/** So many ranks are stored in one commit. */
const storedAtOnce = 500;
/** Then other work has its turn, in milliseconds. */
const restMs = 4;

export interface ArrangingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Does its work in another thread, for a long queue; absent: this thread does it. */
  readonly findOrder?: FindOrder;
  /** The queue has another order. */
  readonly onArranged: () => void;
}

/**
 * Changes the order of the queue as people ask for it, one wish after the other: each finds what the one before has
 * made of it.
 *
 * The order of a long queue is written piece by piece, and counts once all of it is there: whenever the program ends,
 * the queue has the one or the other. What is added or put back meanwhile stays where it is.
 */
export class Arranging {
  readonly #options: ArrangingOptions;
  #last: Promise<unknown> = Promise.resolve();
  #abandoned = false;

  constructor(options: ArrangingOptions) {
    this.#options = options;
  }

  /** @throws the database's error when it cannot be stored. */
  move(ids: readonly ItemId[], place: QueuePosition): Promise<void> {
    const { store, onArranged } = this.#options;
    const move = (): boolean => store.transaction(() => store.order.move(ids, place));
    return this.#inTurn(async () => {
      if (!move()) {
        await this.#take(store.order.spread());
        if (this.#abandoned) return;
        move();
      }
      onArranged();
    });
  }

  /** Sorts the items that wait for their turn. @throws the database's error; the order is then as it was. */
  sort(sort: QueueSort): Promise<void> {
    const { store, findOrder, onArranged } = this.#options;
    return this.#inTurn(async () => {
      const isShort = store.items.tally.count(kindsUnder('all')) <= shortQueue;
      const order = await (isShort || findOrder === undefined ? store.order.sorted(sort) : findOrder(sort));
      if (order === null || this.#abandoned) return;
      await this.#take(order);
      if (!this.#abandoned) onArranged();
    });
  }

  /** Gives the queue an order that nothing has changed since it was found. */
  async #take(order: NewOrder): Promise<void> {
    const { store, clock } = this.#options;
    for (let first = 0; first < order.ids.length; first += storedAtOnce) {
      if (first > 0) await pause(clock, restMs);
      if (this.#abandoned) return;
      store.transaction(() => {
        store.order.prepare(order, first, storedAtOnce);
        if (first + storedAtOnce >= order.ids.length) store.order.adopt(order);
      });
    }
  }

  /** Resolves when everything that was asked for is done. */
  async close(): Promise<void> {
    await this.#last;
  }

  /** Stores nothing more. */
  abandon(): void {
    this.#abandoned = true;
  }

  #inTurn(work: () => Promise<void> | void): Promise<void> {
    const done = this.#last.then(() => (this.#abandoned ? undefined : work()));
    this.#last = done.catch(() => undefined);
    return done;
  }
}
