import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress } from '../../../contract/service.ts';

/** An item whose request is under way. */
export interface Run {
  readonly service: ServiceAddress;
  /** Sends the recording, or only asks and lets go. */
  readonly errand: 'send' | 'ask';
  readonly abort: AbortController;
}

/** The items whose requests are under way: one request each. */
export class Runs {
  readonly #runs = new Map<ItemId, Run>();

  get size(): number {
    return this.#runs.size;
  }

  has(id: ItemId): boolean {
    return this.#runs.has(id);
  }

  /** How many there are of one service; of one errand, or of both. */
  count(service: ServiceAddress, errand?: Run['errand']): number {
    let count = 0;
    for (const run of this.#runs.values()) {
      if (run.service === service && (errand === undefined || run.errand === errand)) count += 1;
    }
    return count;
  }

  add(id: ItemId, run: Run): void {
    this.#runs.set(id, run);
  }

  delete(id: ItemId): void {
    this.#runs.delete(id);
  }

  /** Ends an item's request, if there is one. */
  abort(id: ItemId, reason: string): void {
    this.#runs.get(id)?.abort.abort(new Error(reason));
  }

  /** Ends all requests, or those of one service or of one errand. */
  abortAll(reason: string, { service, errand }: Partial<Pick<Run, 'service' | 'errand'>> = {}): void {
    for (const run of this.#runs.values()) {
      if (service !== undefined && run.service !== service) continue;
      if (errand !== undefined && run.errand !== errand) continue;
      run.abort.abort(new Error(reason));
    }
  }
}
