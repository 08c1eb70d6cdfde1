import type Database from 'better-sqlite3';
import type { ItemId, QueueSort } from '../../contract/model/queue.ts';

/** The ranks that items shall have, in the order in which they are to be stored. */
export interface NewRanks {
  readonly ids: Float64Array<ArrayBuffer>;
  readonly positions: Float64Array<ArrayBuffer>;
  /** With so many of them the head of the queue is sorted: what is worked on next, and what is mostly on screen. */
  readonly head: number;
}

/** An item at its place in the queue; of one that does not wait only the place matters. */
interface Placed {
  readonly id: ItemId;
  readonly position: number;
  readonly waits: 0 | 1;
  readonly name: string | null;
  readonly duration: number | null;
  readonly size: number;
  readonly added: number;
}

/** So many of the items that wait are its head. */
const headLength = 500;

/** Ranks are this far from each other where there is room. */
const step = 1;

/**
 * The ranks with which the items that wait for their turn are sorted among the places that they have. They may be
 * written in any order and piece by piece: no two items ever have the same, and each that is written stands at its
 * place between the others at once. `null`: there is no room left between the ranks.
 */
export function newRanks(database: Database.Database, sort: QueueSort): NewRanks | null {
  const all = database
    .prepare<[], Placed>(
      `SELECT id, position, kind = 'waiting' AS waits, iif(kind = 'waiting', name, NULL) AS name,
         duration_seconds AS duration, size_bytes AS size, added_at AS added
       FROM items ORDER BY position, id`,
    )
    .all();
  const places = placesOf(all);
  if (places === null) return null;
  const waiting = all.filter(({ waits }) => waits === 1);
  const head = new Set(waiting.slice(0, headLength).map(({ id }) => id));
  const moved = waiting
    .toSorted(comparison(sort))
    .map(({ id }, index) => ({ id, index, isOfHead: index < headLength || head.has(id) }))
    .filter(({ id, index }) => id !== waiting[index]?.id)
    // Rows that lie beside each other are stored together: each commit writes whole pages of them.
    .sort((a, b) => Number(b.isOfHead) - Number(a.isOfHead) || a.id - b.id);
  return {
    ids: Float64Array.from(moved, ({ id }) => id),
    positions: Float64Array.from(moved, ({ index }) => places[index] ?? NaN),
    head: moved.filter(({ isOfHead }) => isOfHead).length,
  };
}

function comparison({ by, descending }: QueueSort): (a: Placed, b: Placed) => number {
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

/**
 * For each item that waits a free rank beside its own, all on the same side of theirs, so that they have the same
 * order: the side with more room. What was sorted back and forth is where it began.
 */
function placesOf(all: readonly Placed[]): readonly number[] | null {
  const above = all.map(({ position }, index) =>
    Math.min(step, (all[index + 1]?.position ?? Infinity) - position),
  );
  const below = all.map(({ position }, index) =>
    Math.min(step, position - (all[index - 1]?.position ?? -Infinity)),
  );
  const leastOf = (room: readonly number[]): number =>
    all.reduce(
      (least, { waits }, index) => (waits === 1 ? Math.min(least, room[index] ?? 0) : least),
      Infinity,
    );
  const [side, room] = leastOf(above) >= leastOf(below) ? [1, above] : [-1, below];
  const places: number[] = [];
  for (const [index, { position, waits }] of all.entries()) {
    if (waits === 0) continue;
    const distance = (room[index] ?? 0) / 2;
    if (!isRoom(position, distance)) return null;
    places.push(position + side * distance);
  }
  return places;
}

/** Whether ranks `distance` away from `position` are other numbers than it. */
export const isRoom = (position: number, distance: number): boolean =>
  distance > Math.max(1, Math.abs(position)) * Number.EPSILON * 4;
