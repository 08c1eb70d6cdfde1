import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition } from '../../../contract/queue.ts';
import type { StateKind } from '../../item/item.ts';
import type { NewOrder } from './new-order.ts';

/** An item with its rank in the queue. */
export interface OrderedItem {
  readonly id: ItemId;
  /** Its rank; items of the same rank are ordered by ID. */
  readonly position: number;
  readonly kind: StateKind;
  readonly service: string;
}

interface Entry {
  readonly id: ItemId;
  kind: StateKind;
  service: string;
  /** Its ranks, as in the table `ranks`. */
  even: number;
  odd: number;
  isRemoved: boolean;
}

/**
 * All items in the order of the queue, in memory. Pages of a filtered list and the next items to start are found here, so
 * that the database needs no index for them.
 */
export class QueueOrderIndex {
  #entries: Entry[] = [];
  readonly #byId = new Map<ItemId, Entry>();
  #active: 'even' | 'odd' = 'even';
  /** The staged part of a new order. */
  #next: Entry[] = [];
  /** How many items of it were staged, including removed ones. */
  #prepared = 0;
  /** Items removed since its first part was staged. */
  #removedSince = 0;
  /** By service, an index before which no item waits. */
  readonly #heads = new Map<string, number>();

  /** The rank of the last item; 0 when there is none. */
  get lastPosition(): number {
    return this.#entries.at(-1)?.[this.#active] ?? 0;
  }

  /** Inserts items by their ranks. */
  insert(items: readonly OrderedItem[]): void {
    let last = this.#entries.at(-1);
    let isBehind = true;
    for (const { id, position, kind, service } of items) {
      const entry: Entry = { id, kind, service, even: position, odd: position, isRemoved: false };
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
    const gone = this.#entriesOf(ids);
    this.#removeEntries(gone);
    this.#removedSince += gone.length;
    for (const entry of gone) {
      entry.isRemoved = true;
      this.#byId.delete(entry.id);
    }
  }

  /** Gives items new ranks, in this order and with no others between them. */
  move(ids: readonly ItemId[], positions: readonly number[]): void {
    const moved = this.#entriesOf(ids);
    const [first] = moved;
    if (first === undefined) return;
    this.#removeEntries(moved);
    moved.forEach((entry, index) => {
      entry[this.#active] = positions[index] ?? NaN;
    });
    const at = this.#indexOf(first);
    if (moved.length === 1) this.#entries.splice(at, 0, first);
    else this.#entries = this.#entries.slice(0, at).concat(moved, this.#entries.slice(at));
  }

  /** Stages a part of a new order: all of a long one would block everything else. */
  stageOrder({ ids, positions }: NewOrder, first: number, count: number): void {
    if (first === 0) {
      this.#next = [];
      this.#prepared = 0;
      this.#removedSince = 0;
    }
    this.#prepared += Math.min(count, ids.length - first);
    const staging = this.#active === 'even' ? 'odd' : 'even';
    for (let index = first; index < Math.min(first + count, ids.length); index += 1) {
      const entry = this.#byId.get(ids[index] ?? NaN);
      if (entry === undefined) continue;
      entry[staging] = positions[index] ?? NaN;
      this.#next.push(entry);
    }
  }

  /** Activates the staged order; items that are not in it keep their ranks. */
  commitOrder(order: NewOrder): void {
    // A rollback has rebuilt this index since.
    if (this.#prepared < order.ids.length) this.stageOrder(order, 0, order.ids.length);
    this.#prepared = 0;
    const prepared = this.#removedSince === 0 ? this.#next : this.#next.filter(({ isRemoved }) => !isRemoved);
    const others = this.#entries;
    this.#entries = prepared;
    this.#next = [];
    this.#active = this.#active === 'even' ? 'odd' : 'even';
    this.#heads.clear();
    if (prepared.length === others.length) return;
    const known = new Set(prepared);
    this.#entries.push(...others.filter((entry) => !known.has(entry)));
    this.#sort();
  }

  /** The items in one of `kinds` (`null`: in any), or a page of them, in their order. */
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

  /** The existing ones of `ids`, each once, in the order of the queue. */
  inOrder(ids: Iterable<ItemId>): readonly ItemId[] {
    return this.#entriesOf([...new Set(ids)])
      .sort((a, b) => this.#compare(a, b))
      .map(({ id }) => id);
  }

  /** The first waiting items of a service. */
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

  /** How many items of the same service wait before this one. */
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
   * Returns the ranks on both sides of a place, ignoring the items in `passed`; `null` when there is no such place. At an
   * end of the queue the gap has the given width.
   */
  gap(place: QueuePosition, passed: ReadonlySet<ItemId>, width: number): readonly [number, number] | null {
    const at = this.#find(place, passed);
    const own = this.#entries[at];
    if (own === undefined || passed.has(own.id)) return null;
    const side = place.kind === 'after' ? 1 : -1;
    let beside = at + side;
    while (passed.has(this.#entries[beside]?.id ?? NaN)) beside += side;
    const position = own[this.#active];
    const other = this.#entries[beside]?.[this.#active] ?? position + side * width;
    return side === 1 ? [position, other] : [other, position];
  }

  /** Returns the index of the item that names a place; -1 when there is none. */
  #find(place: QueuePosition, passed: ReadonlySet<ItemId>): number {
    if (place.kind === 'next')
      return this.#entries.findIndex(({ id, kind }) => kind === 'waiting' && !passed.has(id));
    const entry = this.#byId.get(place.id);
    return entry === undefined ? -1 : this.#indexOf(entry);
  }

  #entriesOf(ids: readonly ItemId[]): Entry[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #removeEntries(entries: readonly Entry[]): void {
    this.#heads.clear();
    const [only] = entries;
    // Items that are removed one by one, as their jobs end, must not cost a pass over the queue each.
    if (entries.length === 1 && only !== undefined) {
      this.#entries.splice(this.#indexOf(only), 1);
      return;
    }
    const out = new Set(entries);
    this.#entries = this.#entries.filter((entry) => !out.has(entry));
  }

  /** Returns the index where an item is, or belongs. */
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
    return a[this.#active] - b[this.#active] || a.id - b.id;
  }
}
