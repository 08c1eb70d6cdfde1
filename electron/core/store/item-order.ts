import type Database from 'better-sqlite3';
import { Statements } from '../../sqlite/statements.ts';
import type { ItemId, QueuePlace, QueueSort } from '../../contract/model/queue.ts';

interface Ranked {
  readonly id: ItemId;
  readonly position: number;
}

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

  /** Sorts the items that wait for their turn among the places that they have. To be called in a transaction. */
  sortWaiting({ by, descending }: QueueSort): void {
    const { compare } = new Intl.Collator('en', { numeric: true });
    const rows = this.#database
      .prepare<[], Ranked & { name: string; duration: number | null; size: number; added: number }>(
        `SELECT id, position, name, duration_seconds AS duration, size_bytes AS size, added_at AS added
         FROM items WHERE kind = 'waiting' ORDER BY position`,
      )
      .all();
    const sign = descending ? -1 : 1;
    const sorted = [...rows].sort((a, b) => {
      if (by === 'name') return sign * compare(a.name, b.name);
      if (by === 'added') return sign * (a.added - b.added || a.id - b.id);
      const [one, other] = by === 'length' ? [a.duration, b.duration] : [a.size, b.size];
      // What is not known comes last, whichever way.
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return sign * (one - other);
    });
    sorted.forEach(({ id, position }, index) => {
      const wanted = rows[index]?.position;
      if (wanted !== undefined && wanted !== position) this.#rank(id, wanted);
    });
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
  return step > Math.max(1, Math.abs(low), Math.abs(high)) * Number.EPSILON * 4;
}
