import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress } from '../../../contract/service.ts';

/** An item whose request is under way. */
export interface InFlightRequest {
  readonly service: ServiceAddress;
  /** Sends the recording, or only asks and lets go. */
  readonly kind: 'upload' | 'poll';
  readonly abort: AbortController;
}

/** The items whose requests are under way: one request each. */
export class InFlightRequests {
  readonly #requests = new Map<ItemId, InFlightRequest>();

  get size(): number {
    return this.#requests.size;
  }

  has(id: ItemId): boolean {
    return this.#requests.has(id);
  }

  /** How many there are of one service; of one kind, or of both. */
  count(service: ServiceAddress, kind?: InFlightRequest['kind']): number {
    let count = 0;
    for (const run of this.#requests.values()) {
      if (run.service === service && (kind === undefined || run.kind === kind)) count += 1;
    }
    return count;
  }

  add(id: ItemId, run: InFlightRequest): void {
    this.#requests.set(id, run);
  }

  delete(id: ItemId): void {
    this.#requests.delete(id);
  }

  /** Ends an item's request, if there is one. */
  abort(id: ItemId, reason: string): void {
    this.#requests.get(id)?.abort.abort(new Error(reason));
  }

  /** Ends all requests, or those of one service or of one kind. */
  abortAll(reason: string, { service, kind }: Partial<Pick<InFlightRequest, 'service' | 'kind'>> = {}): void {
    for (const run of this.#requests.values()) {
      if (service !== undefined && run.service !== service) continue;
      if (kind !== undefined && run.kind !== kind) continue;
      run.abort.abort(new Error(reason));
    }
  }
}
