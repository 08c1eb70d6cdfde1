import type Database from 'better-sqlite3';
import { Statements } from '../../sqlite/statements.ts';
import type { ItemId, QueuePlace, QueueSort } from '../../contract/model/queue.ts';
import { isRoom, newRanks, type NewRanks } from './new-ranks.ts';

/**
 * The order of the queue. Items have ranks with room between them, so that one move is one write, however long the
 * queue is; only when there is no room left are all ranks given anew.
 */
export class ItemOrder {
  readonly #database: Database.Database;
  readonly #statements: Statements;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  /** Moves items to a place, in the order that they have among each other. To be called in a transaction. */
  move(ids: readonly ItemId[], place: QueuePlace): void {
    const moved = this.#inOrder(ids);
    if (moved.length === 0) return;
    let gap = this.#gapAt(place, ids);
    if (gap !== null && !hasRoom(gap, moved.length)) {
      this.#rankAnew();
      gap = this.#gapAt(place, ids);
    }
    if (gap === null) return;
    const [low, high] = gap;
    const step = (high - low) / (moved.length + 1);
    moved.forEach((id, index) => this.#rank(id, low + step * (index + 1)));
  }

  /**
   * Gives some of the items that are to be sorted their new ranks; what has begun meanwhile keeps its own. To be called
   * in a transaction.
   *
   * @param first the index of the first of them.
   */
  setRanks({ ids, positions }: NewRanks, first: number, count: number): void {
    const statement = this.#statements.prepare(
      "UPDATE items SET position = ? WHERE id = ? AND kind = 'waiting'",
    );
    for (let index = first; index < Math.min(first + count, ids.length); index += 1)
      statement.run(positions[index], ids[index]);
  }

  /** The ranks that {@link newRanks} finds, after room was made for them. To be called in a transaction. */
  newRanks(sort: QueueSort): NewRanks {
    const ranks = newRanks(this.#database, sort);
    if (ranks !== null) return ranks;
    this.#rankAnew();
    const roomy = newRanks(this.#database, sort);
    if (roomy === null) throw new Error('there is no room between whole numbers');
    return roomy;
  }

  /** How many items wait on the same service before this one, which waits there too. */
  waitingBefore(id: ItemId): number {
    return (
      this.#database
        .prepare<[ItemId], number>(
          `SELECT count(*) FROM items, (SELECT service AS own, position AS rank FROM items WHERE id = ?)
           WHERE kind = 'waiting' AND service = own AND position < rank`,
        )
        .pluck()
        .get(id) ?? 0
    );
  }

  #rank(id: ItemId, position: number): void {
    this.#statements.prepare('UPDATE items SET position = ? WHERE id = ?').run(position, id);
  }

  #inOrder(ids: readonly ItemId[]): readonly ItemId[] {
    return this.#database
      .prepare<[string], ItemId>(
        'SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?)) ORDER BY position, id',
      )
      .pluck()
      .all(JSON.stringify(ids));
  }

  /** The ranks between which a place lies, those of the moved items left out; `null` when there is no such place. */
  #gapAt(place: QueuePlace, moved: readonly ItemId[]): readonly [number, number] | null {
    const others = 'id NOT IN (SELECT value FROM json_each(@moved))';
    const given = { moved: JSON.stringify(moved), id: 'id' in place ? place.id : 0 };
    const one = (sql: string, more: object = {}): number | null =>
      this.#database
        .prepare<[object], number | null>(sql)
        .pluck()
        .get({ ...given, ...more }) ?? null;
    const below = (position: number): number =>
      one(
        `SELECT position FROM items WHERE position < @position AND ${others} AND @id = @id
         ORDER BY position DESC LIMIT 1`,
        { position },
      ) ?? position - 2 * moved.length - 2;
    const above = (position: number): number =>
      one(
        `SELECT position FROM items WHERE position > @position AND ${others} AND @id = @id
         ORDER BY position LIMIT 1`,
        { position },
      ) ?? position + 2 * moved.length + 2;

    if (place.kind === 'next') {
      const high = one(`SELECT min(position) FROM items WHERE kind = 'waiting' AND ${others} AND @id = @id`);
      return high === null ? null : [below(high), high];
    }
    const at = one(`SELECT position FROM items WHERE id = @id AND ${others}`);
    if (at === null) return null;
    return place.kind === 'before' ? [below(at), at] : [at, above(at)];
  }

  #rankAnew(): void {
    this.#database.exec(`
      UPDATE items SET position = ranked.rank
      FROM (SELECT id, row_number() OVER (ORDER BY position, id) AS rank FROM items) AS ranked
      WHERE items.id = ranked.id`);
  }
}

/** Whether so many ranks fit between two, each of them another number than its neighbours. */
function hasRoom([low, high]: readonly [number, number], count: number): boolean {
  const step = (high - low) / (count + 1);
  return isRoom(low, step) && isRoom(high, step);
}
