import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../contract/queue-commands.ts';
import { Statements } from '../../../sqlite/statements.ts';
import type { ItemStore } from './item-store.ts';

/** The order of the queue: one row of the database, which every change replaces. */
export class ItemOrder {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #items: Pick<ItemStore, 'orderIndex'>;

  constructor(database: Database.Database, items: Pick<ItemStore, 'orderIndex'>) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#items = items;
  }

  /** Moves items, which keep their relative order. Call it in a transaction. */
  move(ids: readonly ItemId[], position: QueuePosition): void {
    const overtakable = position.kind === 'next' ? this.#overtakableBy(ids) : undefined;
    if (this.#items.orderIndex.move(ids, position, overtakable)) this.#write();
  }

  /**
   * Returns the items that the on-device service has but does not transcribe yet: it works in the order of the queue, so
   * other items can be moved ahead of them. A cloud service has an order of its own.
   */
  #overtakableBy(ids: readonly ItemId[]): ReadonlySet<ItemId> {
    const moved = this.#items.orderIndex.existing(ids);
    if (!moved.some(({ service }) => service === 'on-device')) return new Set();
    const overtakable = this.#statements
      .prepare<[], ItemId>(
        `SELECT id FROM items
         WHERE kind IN ('creating', 'uploading', 'completing', 'transcribing') AND service = 'on-device'
           AND coalesce(state ->> '$.status', '') NOT IN ('processing', 'merging')`,
      )
      .pluck()
      .all();
    return new Set(overtakable);
  }

  /** Returns the order with the waiting items sorted; `null` if they are sorted already. */
  sorted(sort: QueueSort): Uint32Array | null {
    return sortedOrder(this.#database, sort);
  }

  /**
   * Puts the items of `ids` that exist first, without repetitions; the others follow in their order. Call it in a
   * transaction.
   */
  set(ids: Iterable<ItemId>): void {
    this.#items.orderIndex.reorder(ids);
    this.#write();
  }

  #write(): void {
    this.#statements
      .prepare('INSERT OR REPLACE INTO queue_order (id, item_ids) VALUES (1, ?)')
      .run(packOrder(this.#items.orderIndex.ids(null)));
  }
}

/** Reads the order of the queue. It may contain removed items; items that it lacks follow, by ID. */
export function readOrder(database: Database.Database): Uint32Array {
  const bytes = database.prepare<[], Buffer>('SELECT item_ids FROM queue_order').pluck().get();
  if (bytes === undefined) return new Uint32Array();
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(4 * index));
}

function packOrder(ids: readonly ItemId[]): Buffer {
  const bytes = Buffer.alloc(4 * ids.length);
  ids.forEach((id, index) => bytes.writeUInt32BE(id, 4 * index));
  return bytes;
}

/** The properties by which items are sorted. */
interface Row {
  readonly id: ItemId;
  readonly isWaiting: 0 | 1;
  readonly name: string | null;
  readonly duration: number | null;
  readonly size: number;
  readonly added: number;
}

/** Returns all items with the waiting ones sorted among their current positions; `null` if they are sorted already. */
export function sortedOrder(database: Database.Database, sort: QueueSort): Uint32Array<ArrayBuffer> | null {
  const rows = rowsInOrder(database);
  const sorted = rows.filter(({ isWaiting }) => isWaiting === 1).sort(comparison(sort));
  let next = 0;
  const ordered = rows.map((row) => (row.isWaiting === 1 ? (sorted[next++] ?? row) : row));
  if (ordered.every((row, index) => row === rows[index])) return null;
  return Uint32Array.from(ordered, ({ id }) => id);
}

function rowsInOrder(database: Database.Database): readonly Row[] {
  const rows = new Map(
    database
      .prepare<[], Row>(
        `SELECT id, kind = 'waiting' AS isWaiting, iif(kind = 'waiting', name, NULL) AS name,
           duration_seconds AS duration, size_bytes AS size, added_at AS added
         FROM items ORDER BY id`,
      )
      .all()
      .map((row) => [row.id, row]),
  );
  const ordered: Row[] = [];
  for (const id of readOrder(database)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    ordered.push(row);
    rows.delete(id);
  }
  return [...ordered, ...rows.values()];
}

function comparison({ by, descending }: QueueSort): (a: Row, b: Row) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = descending ? -1 : 1;
  return (a, b) => {
    if (by === 'name') return sign * compare(a.name ?? '', b.name ?? '');
    if (by === 'added') return sign * (a.added - b.added || a.id - b.id);
    const [one, other] = by === 'duration' ? [a.duration, b.duration] : [a.size, b.size];
    // Unknown values are last in both directions.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
}
