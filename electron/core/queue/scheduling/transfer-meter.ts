import type { ItemId } from '../../../contract/identifiers.ts';
import type { Clock } from '../../ports.ts';

/** The window over which rates are measured. */
const windowSeconds = 5;

/** Measures uploads: the bytes of each item beyond its acknowledged parts, and the rate of each item and of all. */
export class TransferMeter {
  readonly #clock: Clock;
  readonly #onProgress: (id: ItemId) => void;
  readonly #bytesInPart = new Map<ItemId, number>();
  /** Bytes of each item by Unix second, for the seconds of the window only. */
  readonly #perSecond = new Map<number, Map<ItemId, number>>();

  /** @param onProgress called for each item that has sent bytes. */
  constructor(clock: Clock, onProgress: (id: ItemId) => void) {
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  startPart(id: ItemId): void {
    this.#bytesInPart.set(id, 0);
  }

  recordSent(id: ItemId, bytes: number): void {
    this.#bytesInPart.set(id, (this.#bytesInPart.get(id) ?? 0) + bytes);
    const second = Math.floor(this.#clock.now() / 1000);
    const byItem = this.#perSecond.get(second) ?? new Map<ItemId, number>();
    this.#perSecond.set(second, byItem.set(id, (byItem.get(id) ?? 0) + bytes));
    this.#onProgress(id);
    for (const other of this.#perSecond.keys())
      if (other <= second - windowSeconds) this.#perSecond.delete(other);
  }

  endPart(id: ItemId): void {
    this.#bytesInPart.delete(id);
  }

  /** Returns the bytes sent of the part that is being uploaded. */
  bytesInPart(id: ItemId): number {
    return this.#bytesInPart.get(id) ?? 0;
  }

  /** Returns the bytes sent of all parts that are being uploaded. */
  bytesInFlight(): number {
    let bytes = 0;
    for (const sent of this.#bytesInPart.values()) bytes += sent;
    return bytes;
  }

  /** Returns the bytes per second of an item, or of all, over the last seconds. */
  bytesPerSecond(id?: ItemId): number {
    const since = Math.floor(this.#clock.now() / 1000) - windowSeconds;
    let bytes = 0;
    for (const [second, byItem] of this.#perSecond) {
      if (second <= since) continue;
      for (const [item, sent] of byItem) if (id === undefined || id === item) bytes += sent;
    }
    return bytes / windowSeconds;
  }
}
