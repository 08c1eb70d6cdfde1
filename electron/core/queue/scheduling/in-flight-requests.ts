import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { RequestPurpose } from '../services/service-gate.ts';

/** A request that was sent and has no response yet. */
export interface InFlightRequest {
  readonly service: ServiceAddress;
  /** `upload`: creates a job or sends its recording; `poll`: only polls or deletes a job. */
  readonly kind: 'upload' | 'poll';
  readonly purpose: RequestPurpose;
  readonly controller: AbortController;
}

/** The requests in flight, at most one per item. */
export class InFlightRequests {
  readonly #requests = new Map<ItemId, InFlightRequest>();
  /** When each of them last made progress, in Unix milliseconds. */
  readonly #progressTimes = new Map<ItemId, number>();

  get size(): number {
    return this.#requests.size;
  }

  has(id: ItemId): boolean {
    return this.#requests.has(id);
  }

  /** Returns the items of the requests to a service, optionally of one kind. */
  ids(service: ServiceAddress, kind?: InFlightRequest['kind']): readonly ItemId[] {
    const ids: ItemId[] = [];
    for (const [id, request] of this.#requests)
      if (request.service === service && (kind === undefined || request.kind === kind)) ids.push(id);
    return ids;
  }

  /** Counts the requests to a service, optionally of one kind. */
  count(service: ServiceAddress, kind?: InFlightRequest['kind']): number {
    return this.ids(service, kind).length;
  }

  /** @param now Unix milliseconds. */
  add(id: ItemId, request: InFlightRequest, now: number): void {
    this.#requests.set(id, request);
    this.#progressTimes.set(id, now);
  }

  delete(id: ItemId): void {
    this.#requests.delete(id);
    this.#progressTimes.delete(id);
  }

  /** Records that an item's request has sent bytes, or that its next one begins. @param now Unix milliseconds. */
  recordProgress(id: ItemId, now: number): void {
    if (this.#requests.has(id)) this.#progressTimes.set(id, now);
  }

  /**
   * Returns when a request of one kind to a service last made progress or was started, in Unix milliseconds; `null` if
   * there is none.
   */
  lastProgressAt(service: ServiceAddress, kind: InFlightRequest['kind']): number | null {
    const times = this.ids(service, kind).flatMap((id) => this.#progressTimes.get(id) ?? []);
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Aborts an item's request, if there is one. */
  abort(id: ItemId, reason: string): void {
    this.#requests.get(id)?.controller.abort(new Error(reason));
  }

  /** Aborts all requests, or those of one service or of one kind. */
  abortAll(reason: string, { service, kind }: Partial<Pick<InFlightRequest, 'service' | 'kind'>> = {}): void {
    for (const request of this.#requests.values()) {
      if (service !== undefined && request.service !== service) continue;
      if (kind !== undefined && request.kind !== kind) continue;
      request.controller.abort(new Error(reason));
    }
  }
}
