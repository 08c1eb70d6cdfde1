import type { ItemId } from '../../../contract/identifiers.ts';
import type { Clock } from '../../ports.ts';

const windowSeconds = 5;

/** How many bytes are on their way now: for each item beyond its acknowledged parts, and a second for each and all. */
export class TransferMeter {
  readonly #clock: Clock;
  readonly #onMove: (id: ItemId) => void;
  readonly #inPart = new Map<ItemId, number>();
  /** Bytes of each item by Unix second, the window's seconds alone. */
  readonly #perSecond = new Map<number, Map<ItemId, number>>();

  /** @param onMove told of each item whose bytes move. */
  constructor(clock: Clock, onMove: (id: ItemId) => void) {
    this.#clock = clock;
    this.#onMove = onMove;
  }

  startPart(id: ItemId): void {
    this.#inPart.set(id, 0);
  }

  sent(id: ItemId, bytes: number): void {
    this.#inPart.set(id, (this.#inPart.get(id) ?? 0) + bytes);
    const second = Math.floor(this.#clock.now() / 1000);
    const now = this.#perSecond.get(second) ?? new Map<ItemId, number>();
    this.#perSecond.set(second, now.set(id, (now.get(id) ?? 0) + bytes));
    this.#onMove(id);
    for (const old of this.#perSecond.keys()) if (old <= second - windowSeconds) this.#perSecond.delete(old);
  }

  endPart(id: ItemId): void {
    this.#inPart.delete(id);
  }

  /** Bytes of the part that is on its way. */
  bytesInPart(id: ItemId): number {
    return this.#inPart.get(id) ?? 0;
  }

  /** Bytes of all parts that are on their way. */
  bytesOnTheWay(): number {
    let bytes = 0;
    for (const sent of this.#inPart.values()) bytes += sent;
    return bytes;
  }

  /** Bytes per second of an item, or of all, over the last five seconds. */
  bytesPerSecond(id?: ItemId): number {
    const since = Math.floor(this.#clock.now() / 1000) - windowSeconds;
    let bytes = 0;
    for (const [second, items] of this.#perSecond) {
      if (second <= since) continue;
      for (const [item, sent] of items) if (id === undefined || id === item) bytes += sent;
    }
    return bytes / windowSeconds;
  }
}
