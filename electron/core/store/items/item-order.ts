import type Database from 'better-sqlite3';
import { Statements } from '../../../sqlite/statements.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../contract/queue.ts';
import type { ItemStore } from './item-store.ts';
import { sortedOrder, spreadOrder, type NewOrder } from './new-order.ts';
import { rankColumns, swapRankColumns } from './rank-columns.ts';

/**
 * The order of the queue. Items have ranks with room between them, so that one move is one write, however long the
 * queue is. A new order of all is written beside the one that counts, in as many commits as it takes.
 */
export class ItemOrder {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #items: Pick<ItemStore, 'line'>;

  constructor(database: Database.Database, items: Pick<ItemStore, 'line'>) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#items = items;
  }

  /**
   * Moves items to a place, in the order that they have among each other. To be called in a transaction. `false`: there
   * is no room left between the ranks there; {@link spread} makes it.
   */
  move(ids: readonly ItemId[], place: QueuePosition): boolean {
    const { line } = this.#items;
    const moved = line.inOrder(ids);
    if (moved.length === 0) return true;
    const gap = line.gap(place, new Set(moved), 2 * moved.length + 2);
    if (gap === null) return true;
    const [low, high] = gap;
    const step = (high - low) / (moved.length + 1);
    if (!isRoom(low, step) || !isRoom(high, step)) return false;
    const positions = moved.map((_, index) => low + step * (index + 1));
    const { counting } = rankColumns(this.#database);
    const statement = this.#statements.prepare(`UPDATE ranks SET ${counting} = ? WHERE item_id = ?`);
    moved.forEach((id, index) => statement.run(positions[index], id));
    line.move(moved, positions);
    return true;
  }

  /** The order in which what waits is sorted; `null`: it has it. */
  sorted(sort: QueueSort): NewOrder | null {
    return sortedOrder(this.#database, sort);
  }

  /** The order that there is, with room between all ranks. */
  spread(): NewOrder {
    return spreadOrder(this.#database);
  }

  /**
   * Takes in a piece of a new order, which does not count before {@link adopt}. To be called in a transaction.
   *
   * @param first how many were taken in before.
   */
  prepare(order: NewOrder, first: number, count: number): void {
    const { ids, positions, unwritten } = order;
    const { spare } = rankColumns(this.#database);
    const statement = this.#statements.prepare(`UPDATE ranks SET ${spare} = ? WHERE item_id = ?`);
    for (const index of unwritten.subarray(first, first + count)) statement.run(positions[index], ids[index]);
    this.#items.line.prepare(order, first, count);
  }

  /**
   * From now on this order counts, all of which was prepared. What was added or put back meanwhile has its own place in
   * it; nothing may have been moved since the order was found. To be called in a transaction.
   */
  adopt(order: NewOrder): void {
    swapRankColumns(this.#database);
    this.#items.line.adopt(order);
  }
}

/** Whether ranks `distance` away from `position` are other numbers than it. */
const isRoom = (position: number, distance: number): boolean =>
  distance > Math.max(1, Math.abs(position)) * Number.EPSILON * 4;
