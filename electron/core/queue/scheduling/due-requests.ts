import type { ItemId } from '../../../contract/identifiers.ts';
import type { JobSchedule, ServiceAddress } from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import type { Store } from '../../store/store.ts';
import { slotHoldingStates, type Item, type StateKind } from '../../item/item.ts';
import type { InFlightRequest, InFlightRequests } from './in-flight-requests.ts';
import type { RequestPurpose, ServiceStates } from '../services/service-gate.ts';
import type { OpenAccess, Services } from '../services/services.ts';
import type { AffordableItems } from '../services/affordable-items.ts';
import { creditsOf, type SpendingLimits } from '../services/spending-limits.ts';

/** States whose next request counts as an upload (create, part, complete), by priority: started uploads come before new jobs. */
const uploadPriority = [['uploading', 'completing'], ['creating']] as const satisfies readonly StateKind[][];
/** States whose next request only polls or deletes. */
const pollingStates = ['cancelling', 'saving', 'transcribing'] as const satisfies readonly StateKind[];
const uploadStates: readonly StateKind[] = uploadPriority.flat();
const requestingStates: readonly StateKind[] = [...pollingStates, ...uploadStates];

/** States that may lead to a request without the user. */
export const schedulableStates: readonly StateKind[] = ['waiting', ...requestingStates];

/**
 * An upload to the on-device service that sends nothing for this many milliseconds may hang: the drive of the recording
 * may not respond.
 */
const maxStallMs = 5_000;

/** Whether an item's next request is of the kind `upload`. */
export const countsAsUpload = ({ state }: Item): boolean => uploadStates.includes(state.kind);

/** States in which the on-device service may still have to work on an item's job. */
const jobStates = ['uploading', 'completing', 'transcribing'] as const satisfies readonly StateKind[];

/**
 * Returns which jobs the on-device service must not work on, because their items or the whole queue are paused, and the
 * order in which it works on the others: that of the queue.
 */
export const jobScheduleOf = ({ items, paused }: Store): JobSchedule => ({
  paused: paused ? 'all' : items.pausedJobs('on-device'),
  order: items.jobsInOrder('on-device', jobStates),
});

const sumOfCredits = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + creditsOf(item), 0);

export interface DueRequestsOptions {
  readonly store: Store;
  readonly services: Services;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: () => number;
  /** Whether new items may start; started items continue. */
  readonly canStartNew: () => boolean;
  readonly states: ServiceStates;
  readonly spending: SpendingLimits;
  readonly affordable: AffordableItems;
  readonly inFlight: InFlightRequests;
  /** Starts the request that an item's state calls for. */
  readonly start: (
    item: Item,
    kind: InFlightRequest['kind'],
    purpose: RequestPurpose,
    access: OpenAccess,
  ) => void;
  /** Called with an item whose create request was refused and would now exceed the limit of its account: it has to wait. */
  readonly onLimitReached: (id: ItemId) => void;
}

/** Decides which requests may start within the limits of a service, and in which order. */
export class DueRequests {
  readonly #options: DueRequestsOptions;

  constructor(options: DueRequestsOptions) {
    this.#options = options;
  }

  /** When the next request of any item is due, Unix milliseconds; `null`: only an event makes one due. */
  nextDueAt(now: number): number | null {
    const nextAttemptAt = this.#options.store.items.schedule.nextDueAt(requestingStates, now);
    const hangsAt = this.#onDeviceUploadHangsAt();
    if (hangsAt === null || hangsAt <= now) return nextAttemptAt;
    return Math.min(nextAttemptAt ?? Infinity, hangsAt);
  }

  /**
   * Returns when the uploads to this computer will count as hanging if they send nothing until then, in Unix milliseconds;
   * `null`: there are none, or this computer has other recordings to transcribe.
   */
  #onDeviceUploadHangsAt(): number | null {
    const { store, inFlight } = this.#options;
    const lastProgressAt = inFlight.lastProgressAt('on-device', 'upload');
    const isIdle = store.items.totals.count(['transcribing'], 'on-device') === 0;
    return lastProgressAt === null || !isIdle ? null : lastProgressAt + maxStallMs;
  }

  /** This computer works on recordings in the order in which it gets them, but does not wait for one that hangs. */
  #maxUploads(service: ServiceAddress, now: number): number {
    if (service !== 'on-device') return this.#options.parallelUploads();
    return (this.#onDeviceUploadHangsAt() ?? Infinity) <= now ? 2 : 1;
  }

  /** Starts all requests to a service that may start now. */
  startDue(service: ServiceAddress, now: number): void {
    const { store, services, states, inFlight, canStartNew } = this.#options;
    const access = services.access(service);
    if (access.kind !== 'open') return;
    const { items } = store;
    const capacity = (purpose: RequestPurpose): number =>
      states.gate(service).capacity(purpose, inFlight.count(service), now);

    const { failedProbes } = states.gate(service);
    // The queries also return items whose request is in flight. These are skipped, so the limits allow for them.
    const due = (kinds: readonly StateKind[], limit: number): readonly Item[] =>
      items.schedule.due(
        service,
        kinds,
        now,
        inFlight.size + limit,
        failedProbes > 0 ? 'longest due' : 'queue',
      );
    const startPolls = (): void =>
      this.#startItems(due(pollingStates, capacity('continue')), 'poll', access, capacity);
    if (store.paused) {
      startPolls();
      return;
    }

    const maxUploads = this.#maxUploads(service, now);
    const uploadCapacity = (purpose: RequestPurpose): number =>
      Math.min(capacity(purpose), maxUploads - inFlight.count(service, 'upload'));
    // Items that have started but are not stored as started yet hold a slot, and will cost credits.
    const starting = inFlight
      .ids(service, 'upload')
      .flatMap((id) => items.get(id) ?? [])
      .filter(({ state }) => state.kind === 'waiting');
    this.#enforceLimit(service, sumOfCredits(starting), now);
    const startUploads = (): void => {
      // Queried separately: creations that wait for credits or slots must not block uploads, which need neither.
      for (const kinds of uploadPriority)
        this.#startItems(due(kinds, maxUploads), 'upload', access, uploadCapacity);
    };
    const startWaiting = (): void => {
      if (canStartNew()) this.#startWaiting(service, access, starting, uploadCapacity);
    };
    // A service may fail for some items only. So that these do not use up all probes, polls, uploads and new items take
    // turns.
    const turns = [startPolls, startUploads, startWaiting];
    const first = failedProbes === 0 ? 0 : (failedProbes - 1) % turns.length;
    for (const start of [...turns.slice(first), ...turns.slice(0, first)]) start();
  }

  /** Lets refused items wait, the last ones first, until the others are within the limit of their account. */
  #enforceLimit(service: ServiceAddress, startingCredits: number, now: number): void {
    const { store, spending, inFlight, onLimitReached } = this.#options;
    const known = spending.of(service);
    if (known === null) return;
    let excess = known.spent + startingCredits - known.limit;
    if (excess <= 0) return;
    for (const item of store.items.schedule.due(service, ['creating'], now, Infinity).toReversed()) {
      if (excess <= 0) return;
      if (item.state.kind !== 'creating' || !item.state.refused || inFlight.has(item.id)) continue;
      onLimitReached(item.id);
      excess -= creditsOf(item);
    }
  }

  /** Starts waiting items as long as there are slots, credits and capacity for them. */
  #startWaiting(
    service: ServiceAddress,
    access: OpenAccess,
    starting: readonly Item[],
    capacity: (purpose: RequestPurpose) => number,
  ): void {
    const { store, inFlight, start } = this.#options;
    const { items } = store;
    const { totals } = items;
    // Started items hold a slot even while they wait for their next attempt; `capacity` counts only requests in flight.
    // On this computer, only started items before the first waiting one count: otherwise, an item that was moved ahead of
    // started ones would run after them.
    const [first] = service === 'on-device' ? items.schedule.waiting(service, 1) : [];
    const usedSlots =
      first === undefined
        ? totals.count(slotHoldingStates, service)
        : items.countBefore(first.id, service, slotHoldingStates);
    let freeSlots = Math.min(
      access.maxActiveJobs - usedSlots,
      // Paused and blocked items may have a job there too.
      jobSlots - totals.possibleJobs(service),
    );
    const maxCredits = this.#options.spending.creditsLeft(service);
    const affordable = this.#options.affordable.waiting(service, inFlight.size + freeSlots, maxCredits);
    const purpose = affordable === null ? 'start' : 'start-affordable';
    const startCapacity = (): number => Math.min(capacity(purpose), freeSlots);
    if (startCapacity() <= 0) return;
    const waiting =
      affordable?.items ?? this.#firstWaiting(service, maxCredits, inFlight.size + startCapacity());
    freeSlots -= starting.length;
    let creditsLeft = (affordable?.credits ?? maxCredits) - sumOfCredits(starting);
    for (const item of waiting) {
      if (startCapacity() <= 0) return;
      // A recording that fits may start before one that does not.
      if (inFlight.has(item.id) || creditsOf(item) > creditsLeft) continue;
      creditsLeft -= creditsOf(item);
      freeSlots -= 1;
      start(item, 'upload', purpose, access);
    }
  }

  /** Returns the first waiting items of a service that cost at most `maxCredits` each. */
  #firstWaiting(service: ServiceAddress, maxCredits: number, limit: number): readonly Item[] {
    const { items } = this.#options.store;
    // Read only if necessary: finding items by their credits reads the whole queue.
    const allFit = items.totals
      .waitingCredits(service)
      .every((credits) => Math.max(1, credits) <= maxCredits);
    return allFit
      ? items.schedule.waiting(service, limit)
      : items.schedule.waitingUpTo(service, maxCredits, maxCredits >= 1, limit);
  }

  #startPurposeOf(item: Item): RequestPurpose {
    return this.#options.affordable.canPayFor(item) ? 'start-affordable' : 'start';
  }

  #startItems(
    due: readonly Item[],
    kind: InFlightRequest['kind'],
    access: OpenAccess,
    capacity: (purpose: RequestPurpose) => number,
  ): void {
    const { inFlight, start } = this.#options;
    for (const item of due) {
      const purpose = item.state.kind === 'creating' ? this.#startPurposeOf(item) : 'continue';
      if (capacity(purpose) > 0 && !inFlight.has(item.id)) start(item, kind, purpose, access);
    }
  }
}
