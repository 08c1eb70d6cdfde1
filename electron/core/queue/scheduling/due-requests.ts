import type { ServiceAddress } from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import type { Store } from '../../store/store.ts';
import { slotHoldingStates, type Item, type StateKind } from '../../item/item.ts';
import type { InFlightRequest, InFlightRequests } from './in-flight-requests.ts';
import type { RequestPurpose, ServiceStates } from '../services/service-gate.ts';
import type { OpenAccess, Services } from '../services/services.ts';

/** States whose next request sends the recording, in the order of their turns: what is on its way before what is new. */
const uploadPriority = [['uploading', 'completing'], ['creating']] as const satisfies readonly StateKind[][];
/** States whose next request only asks or lets go. */
const pollingStates = ['cancelling', 'saving', 'transcribing'] as const satisfies readonly StateKind[];
const uploadingStates: readonly StateKind[] = uploadPriority.flat();
const requestingStates: readonly StateKind[] = [...pollingStates, ...uploadingStates];

/** States that may lead to a request without the user. */
export const schedulableStates: readonly StateKind[] = ['waiting', ...requestingStates];

/** Whether an item's next request sends its recording. */
export const isUploading = ({ state }: Item): boolean => uploadingStates.includes(state.kind);

export interface DueRequestsOptions {
  readonly store: Store;
  readonly services: Services;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: () => number;
  /** Whether new items may begin; what has begun goes on. */
  readonly canStartNew: () => boolean;
  readonly states: ServiceStates;
  readonly inFlight: InFlightRequests;
  /** Starts the request that an item's state calls for. */
  readonly start: (
    item: Item,
    kind: InFlightRequest['kind'],
    purpose: RequestPurpose,
    access: OpenAccess,
  ) => void;
}

/** Knows whose turn it is: which requests may start within the limits of a service, and in which order. */
export class DueRequests {
  readonly #options: DueRequestsOptions;

  constructor(options: DueRequestsOptions) {
    this.#options = options;
  }

  /** When the next request of any item falls due, Unix milliseconds; `null`: never by itself. */
  nextDueAt(now: number): number | null {
    return this.#options.store.items.nextDueAt(requestingStates, now);
  }

  /** Starts all requests to a service that may start now. */
  startDue(service: ServiceAddress, now: number): void {
    const { store, services, states, inFlight, parallelUploads, canStartNew, start } = this.#options;
    const access = services.access(service);
    if (access.kind !== 'open') return;
    const { items } = store;
    const capacity = (purpose: RequestPurpose): number =>
      states.gate(service).capacity(purpose, inFlight.count(service), now);

    this.#startItems(
      items.due(service, pollingStates, now, inFlight.size + capacity('continue')),
      'poll',
      access,
      capacity,
    );
    if (store.paused) return;

    const uploads = (): number => inFlight.count(service, 'upload');
    const uploadCapacity = (purpose: RequestPurpose): number =>
      Math.min(capacity(purpose), parallelUploads() - uploads());
    // Looked for apart: creations that wait for credits or slots must not stand before uploads, which need neither.
    for (const kinds of uploadPriority) {
      const due = items.due(service, kinds, now, inFlight.size + parallelUploads());
      this.#startItems(due, 'upload', access, uploadCapacity);
    }

    // Items whose turn came in an earlier run and that wait for their next attempt hold their slot, but no place here.
    if (!canStartNew()) return;
    const { tally } = items;
    let free = Math.min(
      access.activeJobs - tally.count(slotHoldingStates, service),
      // Also what is paused or waits for the user may have a job there.
      jobSlots - tally.tickets(service),
    );
    const startCapacity = (): number => Math.min(uploadCapacity('start'), free);
    if (startCapacity() <= 0) return;
    const waiting = items.waiting(service, inFlight.size + startCapacity());
    // Those that have begun, but are not stored as such yet, have their slot.
    free -= waiting.filter(({ id }) => inFlight.has(id)).length;
    for (const item of waiting) {
      if (startCapacity() <= 0) return;
      if (inFlight.has(item.id)) continue;
      free -= 1;
      start(item, 'upload', 'start', access);
    }
  }

  #startItems(
    due: readonly Item[],
    kind: InFlightRequest['kind'],
    access: OpenAccess,
    capacity: (purpose: RequestPurpose) => number,
  ): void {
    const { inFlight, start } = this.#options;
    for (const item of due) {
      const purpose = item.state.kind === 'creating' ? 'start' : 'continue';
      if (capacity(purpose) > 0 && !inFlight.has(item.id)) start(item, kind, purpose, access);
    }
  }
}
