import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueueSort } from '../../../contract/queue.ts';
import { rankColumns } from './rank-columns.ts';

/** An order that the queue shall have. */
export interface NewOrder {
  /** All items in it. */
  readonly ids: Float64Array<ArrayBuffer>;
  /** The rank of each, ascending. */
  readonly positions: Float64Array<ArrayBuffer>;
  /**
   * Which of them the spare column has other ranks of, as places in `ids`. Rows that lie beside each other are stored
   * together: each commit writes whole pages of them.
   */
  readonly unwritten: Uint32Array<ArrayBuffer>;
}

/** An item at its place in the queue; of one that does not wait only the place matters. */
interface Row {
  readonly id: ItemId;
  readonly position: number;
  /** What the spare column has. */
  readonly spare: number;
  readonly waits: 0 | 1;
  readonly name: string | null;
  readonly duration: number | null;
  readonly size: number;
  readonly added: number;
}

/**
 * The order of the queue with the items sorted that wait for their turn, among the places that they have; `null` when
 * it has this order.
 */
export function sortedOrder(database: Database.Database, sort: QueueSort): NewOrder | null {
  const rows = rowsOf(database);
  const sorted = rows.filter(({ waits }) => waits === 1).sort(comparison(sort));
  let next = 0;
  const line = rows.map((row) => (row.waits === 1 ? (sorted[next++] ?? row) : row));
  if (line.every((row, index) => row === rows[index])) return null;
  // Ranks stay the same numbers, so that what is put back finds its place; but no two may have the same.
  const isTight = rows.some(({ position }, index) => position === rows[index - 1]?.position);
  return orderOf(line, isTight ? evenRanks(rows) : Float64Array.from(rows, ({ position }) => position));
}

/** The order that the queue has, with room between all ranks. */
export function spreadOrder(database: Database.Database): NewOrder {
  const rows = rowsOf(database);
  return orderOf(rows, evenRanks(rows));
}

/** All items, in the order that they have. */
function rowsOf(database: Database.Database): readonly Row[] {
  const { counting, spare } = rankColumns(database);
  return database
    .prepare<[], Row>(
      `SELECT id, ${counting} AS position, ${spare} AS spare, kind = 'waiting' AS waits,
         iif(kind = 'waiting', name, NULL) AS name, duration_seconds AS duration, size_bytes AS size, added_at AS added
       FROM items JOIN ranks ON item_id = id`,
    )
    .all()
    .sort((a, b) => a.position - b.position || a.id - b.id);
}

const evenRanks = ({ length }: readonly Row[]): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length }, (_, index) => index + 1);

const orderOf = (line: readonly Row[], positions: Float64Array<ArrayBuffer>): NewOrder => ({
  ids: Float64Array.from(line, ({ id }) => id),
  positions,
  unwritten: Uint32Array.from(line.keys())
    .filter((index) => line[index]?.spare !== positions[index])
    .sort((a, b) => (line[a]?.id ?? 0) - (line[b]?.id ?? 0)),
});

function comparison({ by, descending }: QueueSort): (a: Row, b: Row) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = descending ? -1 : 1;
  return (a, b) => {
    if (by === 'name') return sign * compare(a.name ?? '', b.name ?? '');
    if (by === 'added') return sign * (a.added - b.added || a.id - b.id);
    const [one, other] = by === 'length' ? [a.duration, b.duration] : [a.size, b.size];
    // What is not known comes last, whichever way.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
}
