import type { ItemId, QueuePlace, QueueSort } from '../../contract/model/queue.ts';
import { pause } from '../pause.ts';
import type { Clock } from '../ports.ts';
import type { NewRanks } from '../store/new-ranks.ts';
import type { Store } from '../store/store.ts';
import { kindsUnder } from '../store/tally.ts';

/** Finds the ranks with which what waits is sorted; `null`: only once there is room between the ranks. */
export type Rank = (sort: QueueSort) => Promise<NewRanks | null>;

/** To sort so many items takes less time than to ask another thread. */
const shortQueue = 1000;
/** So many ranks are stored in one commit: fewer would write the same pages of the indexes more often. */
const storedAtOnce = 1000;
/** Then other work has its turn, in milliseconds. */
const restMs = 4;

export interface ArrangingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Does its work in another thread, for a long queue; absent: this thread does it. */
  readonly rank?: Rank;
  /** The queue has another order, or its head has. */
  readonly onArranged: () => void;
}

/**
 * Changes the order of the queue as people ask for it, one wish after the other: each finds what the one before has
 * made of it.
 *
 * A long queue is sorted piece by piece, its head first, and after each piece the order is sound: all items are there,
 * each at a place of its own, those that have been moved at their new one. What begins, is added or put back meanwhile
 * stays where it is.
 */
export class Arranging {
  readonly #options: ArrangingOptions;
  #last: Promise<unknown> = Promise.resolve();
  #abandoned = false;

  constructor(options: ArrangingOptions) {
    this.#options = options;
  }

  /** @throws the database's error when it cannot be stored. */
  move(ids: readonly ItemId[], place: QueuePlace): Promise<void> {
    const { store, onArranged } = this.#options;
    return this.#inTurn(() => {
      store.transaction(() => store.order.move(ids, place));
      onArranged();
    });
  }

  /** Sorts the items that wait for their turn. @throws the database's error; what is stored by then stays. */
  sort(sort: QueueSort): Promise<void> {
    const { store, rank } = this.#options;
    return this.#inTurn(async () => {
      const isShort = store.items.tally.count(kindsUnder('all')) <= shortQueue;
      const ranks = isShort || rank === undefined ? null : await rank(sort);
      if (this.#abandoned) return;
      await this.#store(ranks ?? store.transaction(() => store.order.newRanks(sort)));
    });
  }

  async #store(ranks: NewRanks): Promise<void> {
    const { store, clock, onArranged } = this.#options;
    const tell = (): void => {
      if (!this.#abandoned) onArranged();
    };
    try {
      for (let first = 0; first < ranks.ids.length; first += storedAtOnce) {
        if (first > 0) await pause(clock, restMs);
        if (this.#abandoned) return;
        store.transaction(() => store.order.setRanks(ranks, first, storedAtOnce));
        if (first < ranks.head && first + storedAtOnce >= ranks.head) tell();
      }
    } finally {
      tell();
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
