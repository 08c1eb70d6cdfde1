import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueuePosition } from '../../../contract/queue-commands.ts';
import type { StateKind } from '../../item/item.ts';
import { partitionPoint } from '../../transcript/partition-point.ts';

/** The properties of an item that the order index needs. */
export interface OrderedItem {
  readonly id: ItemId;
  readonly kind: StateKind;
  readonly service: string;
}

interface Entry {
  readonly id: ItemId;
  kind: StateKind;
  service: string;
  /** Ascends in the order of the queue, with gaps where items were removed. */
  position: number;
}

/**
 * All items in the order of the queue, in memory. Pages of a filtered list and the next items to start are found here,
 * so the database needs no index for them.
 */
export class QueueOrderIndex {
  #entries: Entry[] = [];
  readonly #byId = new Map<ItemId, Entry>();
  /** By service, an index before which no item is waiting. */
  readonly #heads = new Map<string, number>();

  /** Adds items at the end. */
  append(items: Iterable<OrderedItem>): void {
    let position = this.#entries.at(-1)?.position ?? 0;
    for (const { id, kind, service } of items) {
      position += 1;
      const entry: Entry = { id, kind, service, position };
      this.#entries.push(entry);
      this.#byId.set(id, entry);
    }
  }

  set(id: ItemId, kind: StateKind, service: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.kind = kind;
    entry.service = service;
    if (kind === 'waiting') this.#heads.delete(service);
  }

  remove(ids: readonly ItemId[]): void {
    this.#heads.clear();
    const removed = this.#entriesOf(ids);
    for (const { id } of removed) this.#byId.delete(id);
    const [only] = removed;
    // Items are also removed one at a time, as their jobs end: each must not cost a pass over the queue.
    if (removed.length === 1 && only !== undefined) this.#entries.splice(this.#indexOf(only), 1);
    else this.#entries = this.#entries.filter(({ id }) => this.#byId.has(id));
  }

  /** Puts the items of `ids` that exist first, in this order and without repetitions; the others follow in their order. */
  reorder(ids: Iterable<ItemId>): void {
    const first: Entry[] = [];
    for (const id of ids) {
      const entry = this.#byId.get(id);
      if (entry !== undefined) first.push(entry);
    }
    if (first.length === this.#entries.length) return this.#setEntries(first);
    const moved = new Set(first);
    this.#setEntries([...first, ...this.#entries.filter((entry) => !moved.has(entry))]);
  }

  /**
   * Moves items, which keep their relative order. Returns `false` if there is no such position or nothing to move.
   *
   * @param overtakable started items that the position `next` also precedes
   */
  move(
    ids: readonly ItemId[],
    position: QueuePosition,
    overtakable: ReadonlySet<ItemId> = new Set(),
  ): boolean {
    const moved = new Set(this.#sorted(ids));
    const rest = moved.size === 0 ? [] : this.#entries.filter((entry) => !moved.has(entry));
    const index = rest.findIndex(({ id, kind }) =>
      position.kind === 'next' ? kind === 'waiting' || overtakable.has(id) : id === position.id,
    );
    if (index < 0) return false;
    this.#setEntries(rest.toSpliced(position.kind === 'after' ? index + 1 : index, 0, ...moved));
    return true;
  }

  /** Returns how many items come before this one; `null` if there is no such item. */
  indexOf(id: ItemId): number | null {
    const entry = this.#byId.get(id);
    return entry === undefined ? null : this.#indexOf(entry);
  }

  /** Returns the items for which `isShown` holds (`null`: all), or a page of them, in order. */
  ids(
    isShown: ((kind: StateKind, service: string, id: ItemId) => boolean) | null,
    offset = 0,
    limit = Infinity,
  ): readonly ItemId[] {
    if (isShown === null) return this.#entries.slice(offset, offset + limit).map(({ id }) => id);
    const page: ItemId[] = [];
    let shownCount = 0;
    for (const { id, kind, service } of this.#entries) {
      if (page.length >= limit) break;
      if (!isShown(kind, service, id)) continue;
      if (shownCount >= offset) page.push(id);
      shownCount += 1;
    }
    return page;
  }

  /** Returns the existing ones of `ids`, in no particular order. */
  existing(ids: Iterable<ItemId>): readonly OrderedItem[] {
    return this.#entriesOf([...ids]);
  }

  /** Returns the existing ones of `ids`, without repetitions, in the order of the queue. */
  inOrder(ids: Iterable<ItemId>): readonly ItemId[] {
    return this.#sorted(ids).map(({ id }) => id);
  }

  /** Returns the first waiting items of a service. */
  waiting(service: string, limit: number): readonly ItemId[] {
    const waiting: ItemId[] = [];
    let index = this.#heads.get(service) ?? 0;
    for (; index < this.#entries.length && waiting.length < limit; index += 1) {
      const entry = this.#entries[index];
      if (entry?.kind !== 'waiting' || entry.service !== service) continue;
      if (waiting.length === 0) this.#heads.set(service, index);
      waiting.push(entry.id);
    }
    if (waiting.length === 0) this.#heads.set(service, index);
    return waiting;
  }

  /** Returns how many items of the same service are waiting before each of these. */
  waitingBefore(ids: Iterable<ItemId>): ReadonlyMap<ItemId, number> {
    const counts = new Map<ItemId, number>();
    for (const [service, targets] of Map.groupBy(this.#sorted(ids), (entry) => entry.service)) {
      let count = 0;
      let found = 0;
      for (const entry of this.#entries) {
        if (entry === targets[found]) {
          counts.set(entry.id, count);
          found += 1;
          if (found === targets.length) break;
        }
        if (entry.kind === 'waiting' && entry.service === service) count += 1;
      }
    }
    return counts;
  }

  #sorted(ids: Iterable<ItemId>): Entry[] {
    return this.#entriesOf([...new Set(ids)]).sort((a, b) => a.position - b.position);
  }

  #setEntries(entries: Entry[]): void {
    this.#entries = entries;
    entries.forEach((entry, index) => {
      entry.position = index;
    });
    this.#heads.clear();
  }

  #entriesOf(ids: readonly ItemId[]): Entry[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #indexOf(entry: Entry): number {
    return partitionPoint(this.#entries, ({ position }) => position < entry.position);
  }
}
