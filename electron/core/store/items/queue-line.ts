import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition } from '../../../contract/queue.ts';
import type { StateKind } from '../../item/item.ts';
import type { NewOrder } from './new-order.ts';

/** An item at its place in the queue. */
export interface Placed {
  readonly id: ItemId;
  /** Its rank among the others; those that have the same come in the order of their numbers. */
  readonly position: number;
  readonly kind: StateKind;
  readonly service: string;
}

interface Entry {
  readonly id: ItemId;
  kind: StateKind;
  service: string;
  /** Two ranks, of which the same one counts for all, as in the table `ranks`. */
  even: number;
  odd: number;
  isGone: boolean;
}

/**
 * All items in the order of the queue, in memory: pages of a list under a filter, and whose turn it is, are found
 * without the database, which needs no index for them.
 */
export class QueueLine {
  #entries: Entry[] = [];
  readonly #byId = new Map<ItemId, Entry>();
  #counting: 'even' | 'odd' = 'even';
  /** What is prepared of a new order. */
  #next: Entry[] = [];
  /** So many of its items were looked at. */
  #prepared = 0;
  /** Items that have gone since the first piece of it. */
  #goneSince = 0;
  /** Before these places no item of the service waits. */
  readonly #heads = new Map<string, number>();

  /** The rank of the last item; 0 when there is none. */
  get lastPosition(): number {
    return this.#entries.at(-1)?.[this.#counting] ?? 0;
  }

  /** Takes items in at their places. */
  put(items: readonly Placed[]): void {
    let last = this.#entries.at(-1);
    let isBehind = true;
    for (const { id, position, kind, service } of items) {
      const entry: Entry = { id, kind, service, even: position, odd: position, isGone: false };
      if (last !== undefined && this.#compare(last, entry) > 0) isBehind = false;
      last = entry;
      this.#entries.push(entry);
      this.#byId.set(id, entry);
    }
    if (!isBehind) this.#sort();
  }

  set(id: ItemId, kind: StateKind, service: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.kind = kind;
    entry.service = service;
    if (kind === 'waiting') this.#heads.delete(service);
  }

  remove(ids: readonly ItemId[]): void {
    const gone = this.#these(ids);
    this.#takeOut(gone);
    this.#goneSince += gone.length;
    for (const entry of gone) {
      entry.isGone = true;
      this.#byId.delete(entry.id);
    }
  }

  /** Gives items, in this order, new places that have no others between them. */
  move(ids: readonly ItemId[], positions: readonly number[]): void {
    const moved = this.#these(ids);
    const [first] = moved;
    if (first === undefined) return;
    this.#takeOut(moved);
    moved.forEach((entry, index) => {
      entry[this.#counting] = positions[index] ?? NaN;
    });
    const at = this.#indexOf(first);
    if (moved.length === 1) this.#entries.splice(at, 0, first);
    else this.#entries = this.#entries.slice(0, at).concat(moved, this.#entries.slice(at));
  }

  /** Takes in a piece of a new order, which does not count yet: all of a long one would hold up everything else. */
  prepare({ ids, positions }: NewOrder, first: number, count: number): void {
    if (first === 0) {
      this.#next = [];
      this.#prepared = 0;
      this.#goneSince = 0;
    }
    this.#prepared += Math.min(count, ids.length - first);
    const spare = this.#counting === 'even' ? 'odd' : 'even';
    for (let index = first; index < Math.min(first + count, ids.length); index += 1) {
      const entry = this.#byId.get(ids[index] ?? NaN);
      if (entry === undefined) continue;
      entry[spare] = positions[index] ?? NaN;
      this.#next.push(entry);
    }
  }

  /** From now on the order counts that was prepared; items that are not in it have their own places. */
  adopt(order: NewOrder): void {
    // Another commit that was taken back has made this line anew.
    if (this.#prepared < order.ids.length) this.prepare(order, 0, order.ids.length);
    this.#prepared = 0;
    const prepared = this.#goneSince === 0 ? this.#next : this.#next.filter(({ isGone }) => !isGone);
    const others = this.#entries;
    this.#entries = prepared;
    this.#next = [];
    this.#counting = this.#counting === 'even' ? 'odd' : 'even';
    this.#heads.clear();
    if (prepared.length === others.length) return;
    const known = new Set(prepared);
    this.#entries.push(...others.filter((entry) => !known.has(entry)));
    this.#sort();
  }

  /** The items, or a stretch of them, in one of `kinds`, in their order; `null`: of all. */
  ids(kinds: ReadonlySet<StateKind> | null, offset = 0, limit = Infinity): readonly ItemId[] {
    if (kinds === null) return this.#entries.slice(offset, offset + limit).map(({ id }) => id);
    const found: ItemId[] = [];
    let before = 0;
    for (const { id, kind } of this.#entries) {
      if (found.length >= limit) break;
      if (!kinds.has(kind)) continue;
      if (before >= offset) found.push(id);
      before += 1;
    }
    return found;
  }

  /** Those of `ids` that there are, each once, in the order of the queue. */
  inOrder(ids: Iterable<ItemId>): readonly ItemId[] {
    return this.#these([...new Set(ids)])
      .sort((a, b) => this.#compare(a, b))
      .map(({ id }) => id);
  }

  /** The first items of a service that wait for their turn. */
  waiting(service: string, limit: number): readonly ItemId[] {
    const found: ItemId[] = [];
    let index = this.#heads.get(service) ?? 0;
    for (; index < this.#entries.length && found.length < limit; index += 1) {
      const entry = this.#entries[index];
      if (entry?.kind !== 'waiting' || entry.service !== service) continue;
      if (found.length === 0) this.#heads.set(service, index);
      found.push(entry.id);
    }
    if (found.length === 0) this.#heads.set(service, index);
    return found;
  }

  /** How many items wait for their turn on the same service before this one. */
  waitingBefore(id: ItemId): number {
    const own = this.#byId.get(id);
    if (own === undefined) return 0;
    let count = 0;
    for (const entry of this.#entries) {
      if (entry === own) break;
      if (entry.kind === 'waiting' && entry.service === own.service) count += 1;
    }
    return count;
  }

  /**
   * The ranks between which a place lies, the items in `passed` left out; `null` when there is no such place. At an end
   * of the queue the gap is so wide.
   */
  gap(place: QueuePosition, passed: ReadonlySet<ItemId>, width: number): readonly [number, number] | null {
    const at = this.#find(place, passed);
    const own = this.#entries[at];
    if (own === undefined || passed.has(own.id)) return null;
    const side = place.kind === 'after' ? 1 : -1;
    let beside = at + side;
    while (passed.has(this.#entries[beside]?.id ?? NaN)) beside += side;
    const position = own[this.#counting];
    const other = this.#entries[beside]?.[this.#counting] ?? position + side * width;
    return side === 1 ? [position, other] : [other, position];
  }

  /** Where the item stands that names a place; -1 when there is none. */
  #find(place: QueuePosition, passed: ReadonlySet<ItemId>): number {
    if (place.kind === 'next')
      return this.#entries.findIndex(({ id, kind }) => kind === 'waiting' && !passed.has(id));
    const entry = this.#byId.get(place.id);
    return entry === undefined ? -1 : this.#indexOf(entry);
  }

  #these(ids: readonly ItemId[]): Entry[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #takeOut(entries: readonly Entry[]): void {
    this.#heads.clear();
    const [only] = entries;
    // Rows that go one by one, as their jobs do, must not read the whole queue each.
    if (entries.length === 1 && only !== undefined) {
      this.#entries.splice(this.#indexOf(only), 1);
      return;
    }
    const out = new Set(entries);
    this.#entries = this.#entries.filter((entry) => !out.has(entry));
  }

  /** Where an item stands, or would stand. */
  #indexOf(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#entries[middle];
      if (other !== undefined && this.#compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(): void {
    this.#entries.sort((a, b) => this.#compare(a, b));
    this.#heads.clear();
  }

  #compare(a: Entry, b: Entry): number {
    return a[this.#counting] - b[this.#counting] || a.id - b.id;
  }
}
