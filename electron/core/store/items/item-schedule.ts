import type { ItemId } from '../../../contract/identifiers.ts';
import type { Statements } from '../../../sqlite/statements.ts';
import type { Item, StateKind } from '../../item/item.ts';
import type { ItemReader } from './item-row.ts';
import type { QueueOrderIndex } from './queue-order-index.ts';

/** The longest possible wait: a `Retry-After` is limited to an hour. */
const maxWaitMs = 61 * 60_000;

/** The items of the queue whose next request, or start, is due. */
export class ItemSchedule {
  readonly #statements: Statements;
  readonly #reader: ItemReader;
  readonly #order: () => QueueOrderIndex;

  /** @param order returns the current order of the queue: reloading the items replaces it */
  constructor(statements: Statements, reader: ItemReader, order: () => QueueOrderIndex) {
    this.#statements = statements;
    this.#reader = reader;
    this.#order = order;
  }

  /**
   * Returns items of one service in one of `kinds` whose next attempt is due. A time further away than the longest wait
   * also counts as due: the clock has been set back since.
   */
  due(
    service: string,
    kinds: readonly StateKind[],
    now: number,
    limit: number,
    order: 'queue' | 'longest due' = 'queue',
  ): readonly Item[] {
    const due = this.#statements
      .prepare<[string, number, number], ItemId>(
        `SELECT id FROM items
         WHERE ${kindCondition(kinds)} AND service = ? AND (next_attempt_at <= ? OR next_attempt_at > ?)
         ${order === 'queue' ? '' : 'ORDER BY next_attempt_at'}`,
      )
      .pluck()
      .all(service, now, now + maxWaitMs);
    return this.#reader.getMany((order === 'queue' ? this.#order().inOrder(due) : due).slice(0, limit));
  }

  /** Returns the first waiting items of one service, in the order of the queue. */
  waiting(service: string, limit: number): readonly Item[] {
    return this.#reader.getMany(this.#order().waiting(service, limit));
  }

  /** Returns the first waiting items of one service that need at most `credits`, in the order of the queue. */
  waitingUpTo(service: string, credits: number, includesUnknown: boolean, limit: number): readonly Item[] {
    const affordable = this.#statements
      .prepare<[string, number, number], ItemId>(
        `SELECT id FROM items
         WHERE kind = 'waiting' AND service = ? AND coalesce(round(duration_seconds * 1000) <= ?, ?)`,
      )
      .pluck()
      .all(service, credits * 60_000, Number(includesUnknown));
    return this.#reader.getMany(this.#order().inOrder(affordable).slice(0, limit));
  }

  /** Returns when the next attempt of an item in one of `kinds` is due, Unix milliseconds; `null`: never. */
  nextDueAt(kinds: readonly StateKind[], after: number): number | null {
    return (
      this.#statements
        .prepare<[number, number], number | null>(
          `SELECT min(next_attempt_at) FROM items
           WHERE ${kindCondition(kinds)} AND next_attempt_at > ? AND next_attempt_at <= ?`,
        )
        .pluck()
        .get(after, after + maxWaitMs) ?? null
    );
  }
}

/**
 * Returns the SQL condition that an item is in one of `kinds`. The names are literals: with a bound list, SQLite would
 * read the whole queue instead of an index.
 */
export const kindCondition = (kinds: readonly StateKind[]): string =>
  `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
