import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueueSort } from '../../../contract/queue.ts';
import { rankColumns } from './rank-columns.ts';

/** An order that the queue is to have. */
export interface NewOrder {
  /** All items, in this order. */
  readonly ids: Float64Array<ArrayBuffer>;
  /** The rank of each, ascending. */
  readonly positions: Float64Array<ArrayBuffer>;
  /**
   * Which of them have other ranks in the staging column, as indexes of `ids`. They are sorted by ID,
   * so that each commit writes whole pages.
   */
  readonly changed: Uint32Array<ArrayBuffer>;
}

/** An item of the queue; of one that does not wait only the rank matters. */
interface Row {
  readonly id: ItemId;
  readonly position: number;
  /** The rank in the staging column. */
  readonly staged: number;
  readonly waits: 0 | 1;
  readonly name: string | null;
  readonly duration: number | null;
  readonly size: number;
  readonly added: number;
}

/**
 * Returns the order of the queue with the waiting items sorted among the ranks that they have; `null` when they are
 * sorted already.
 */
export function sortedOrder(database: Database.Database, sort: QueueSort): NewOrder | null {
  const rows = rowsOf(database);
  const sorted = rows.filter(({ waits }) => waits === 1).sort(comparison(sort));
  let next = 0;
  const ordered = rows.map((row) => (row.waits === 1 ? (sorted[next++] ?? row) : row));
  if (ordered.every((row, index) => row === rows[index])) return null;
  // The ranks stay the same numbers, so that restored items find their place; but no two may be equal.
  const isTight = rows.some(({ position }, index) => position === rows[index - 1]?.position);
  return orderOf(ordered, isTight ? evenRanks(rows) : Float64Array.from(rows, ({ position }) => position));
}

/** Returns the present order with gaps between all ranks. */
export function spreadOrder(database: Database.Database): NewOrder {
  const rows = rowsOf(database);
  return orderOf(rows, evenRanks(rows));
}

/** All items in the present order. */
function rowsOf(database: Database.Database): readonly Row[] {
  const { active, staging } = rankColumns(database);
  return database
    .prepare<[], Row>(
      `SELECT id, ${active} AS position, ${staging} AS staged, kind = 'waiting' AS waits,
         iif(kind = 'waiting', name, NULL) AS name, duration_seconds AS duration, size_bytes AS size, added_at AS added
       FROM items JOIN ranks ON item_id = id`,
    )
    .all()
    .sort((a, b) => a.position - b.position || a.id - b.id);
}

const evenRanks = ({ length }: readonly Row[]): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length }, (_, index) => index + 1);

const orderOf = (rows: readonly Row[], positions: Float64Array<ArrayBuffer>): NewOrder => ({
  ids: Float64Array.from(rows, ({ id }) => id),
  positions,
  changed: Uint32Array.from(rows.keys())
    .filter((index) => rows[index]?.staged !== positions[index])
    .sort((a, b) => (rows[a]?.id ?? 0) - (rows[b]?.id ?? 0)),
});

function comparison({ by, descending }: QueueSort): (a: Row, b: Row) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = descending ? -1 : 1;
  return (a, b) => {
    if (by === 'name') return sign * compare(a.name ?? '', b.name ?? '');
    if (by === 'added') return sign * (a.added - b.added || a.id - b.id);
    const [one, other] = by === 'length' ? [a.duration, b.duration] : [a.size, b.size];
    // Unknown values come last in both directions.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
}
