import type Database from 'better-sqlite3';
import { Statements } from '../../../sqlite/statements.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../contract/queue.ts';
import type { ItemStore } from './item-store.ts';
import { sortedOrder, spreadOrder, type NewOrder } from './new-order.ts';
import { rankColumns, swapRankColumns } from './rank-columns.ts';

/**
 * The order of the queue. Items have ranks with gaps between them, so that a move is one write, however long the queue
 * is. A new order of all items is staged next to the active one, in as many commits as it takes.
 */
export class ItemOrder {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #items: Pick<ItemStore, 'orderIndex'>;

  constructor(database: Database.Database, items: Pick<ItemStore, 'orderIndex'>) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#items = items;
  }

  /**
   * Moves items, which keep their order among each other. Call it in a transaction. Returns `false` when the gap between
   * the ranks there is too small; {@link spread} widens it.
   */
  move(ids: readonly ItemId[], place: QueuePosition): boolean {
    const { orderIndex } = this.#items;
    const moved = orderIndex.inOrder(ids);
    if (moved.length === 0) return true;
    const gap = orderIndex.gap(place, new Set(moved), 2 * moved.length + 2);
    if (gap === null) return true;
    const [low, high] = gap;
    const step = (high - low) / (moved.length + 1);
    if (!isRoom(low, step) || !isRoom(high, step)) return false;
    const positions = moved.map((_, index) => low + step * (index + 1));
    const { active } = rankColumns(this.#database);
    const statement = this.#statements.prepare(`UPDATE ranks SET ${active} = ? WHERE item_id = ?`);
    moved.forEach((id, index) => statement.run(positions[index], id));
    orderIndex.move(moved, positions);
    return true;
  }

  /** Returns the order with the waiting items sorted; `null` when they are sorted already. */
  sorted(sort: QueueSort): NewOrder | null {
    return sortedOrder(this.#database, sort);
  }

  /** Returns the present order with gaps between all ranks. */
  spread(): NewOrder {
    return spreadOrder(this.#database);
  }

  /**
   * Stages a part of a new order, which {@link commitOrder} activates. Call it in a transaction.
   *
   * @param first how many ranks were staged before
   */
  stageOrder(order: NewOrder, first: number, count: number): void {
    const { ids, positions, changed } = order;
    const { staging } = rankColumns(this.#database);
    const statement = this.#statements.prepare(`UPDATE ranks SET ${staging} = ? WHERE item_id = ?`);
    for (const index of changed.subarray(first, first + count)) statement.run(positions[index], ids[index]);
    this.#items.orderIndex.stageOrder(order, first, count);
  }

  /**
   * Activates an order, all of which is staged. Items that were added or restored meanwhile keep their ranks; none may
   * have been moved since the order was computed. Call it in a transaction.
   */
  commitOrder(order: NewOrder): void {
    swapRankColumns(this.#database);
    this.#items.orderIndex.commitOrder(order);
  }
}

/** Whether ranks `distance` away from `position` can be told from it. */
const isRoom = (position: number, distance: number): boolean =>
  distance > Math.max(1, Math.abs(position)) * Number.EPSILON * 4;
