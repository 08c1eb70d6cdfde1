import type { ServiceAddress } from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import type { Store } from '../../store/store.ts';
import { occupyingStates, type Item, type StateKind } from '../../item/item.ts';
import type { Run, Runs } from './runs.ts';
import type { Errand } from '../services/service-gate.ts';
import type { ServiceStates } from '../services/service-states.ts';
import type { OpenAccess, Services } from '../services/services.ts';

/** States whose next request sends the recording, in the order of their turns: what is on its way before what is new. */
const sendingTurns = [['uploading', 'completing'], ['creating']] as const satisfies readonly StateKind[][];
/** States whose next request only asks or lets go. */
const askingStates = ['cancelling', 'saving', 'transcribing'] as const satisfies readonly StateKind[];
const sendingStates: readonly StateKind[] = sendingTurns.flat();
const requestingStates: readonly StateKind[] = [...askingStates, ...sendingStates];

/** States that may lead to a request without the user. */
export const stirringStates: readonly StateKind[] = ['waiting', ...requestingStates];

/** Whether an item's next request sends its recording. */
export const sends = ({ state }: Item): boolean => sendingStates.includes(state.kind);

export interface TurnsOptions {
  readonly store: Store;
  readonly services: Services;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: () => number;
  /** Whether new items may begin; what has begun goes on. */
  readonly mayBegin: () => boolean;
  readonly states: ServiceStates;
  readonly running: Runs;
  /** Starts the request that an item's state calls for. */
  readonly run: (item: Item, errand: Run['errand'], purpose: Errand, access: OpenAccess) => void;
}

/** Knows whose turn it is: which requests may start within the limits of a service, and in which order. */
export class Turns {
  readonly #options: TurnsOptions;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** When the next request of any item falls due, Unix milliseconds; `null`: never by itself. */
  nextAt(now: number): number | null {
    return this.#options.store.items.nextDueAt(requestingStates, now);
  }

  /** Starts all requests to a service that may start now. */
  startAll(service: ServiceAddress, now: number): void {
    const { store, services, states, running, parallelUploads, mayBegin, run } = this.#options;
    const access = services.access(service);
    if (access.kind !== 'open') return;
    const { items } = store;
    const room = (errand: Errand): number => states.gate(service).room(errand, running.count(service), now);

    this.#startDue(items.due(service, askingStates, now, running.size + room('go-on')), 'ask', access, room);
    if (store.paused) return;

    const sending = (): number => running.count(service, 'send');
    const sendRoom = (errand: Errand): number => Math.min(room(errand), parallelUploads() - sending());
    // Looked for apart: creations that wait for credits or slots must not stand before uploads, which need neither.
    for (const kinds of sendingTurns) {
      const due = items.due(service, kinds, now, running.size + parallelUploads());
      this.#startDue(due, 'send', access, sendRoom);
    }

    // Items whose turn came in an earlier run and that wait for their next attempt hold their slot, but no place here.
    if (!mayBegin()) return;
    const { tally } = items;
    let free = Math.min(
      access.activeJobs - tally.count(occupyingStates, service),
      // Also what is paused or waits for the user may have a job there.
      jobSlots - tally.tickets(service),
    );
    const beginRoom = (): number => Math.min(sendRoom('begin'), free);
    if (beginRoom() <= 0) return;
    const waiting = items.waiting(service, running.size + beginRoom());
    // Those that have begun, but are not stored as such yet, have their slot.
    free -= waiting.filter(({ id }) => running.has(id)).length;
    for (const item of waiting) {
      if (beginRoom() <= 0) return;
      if (running.has(item.id)) continue;
      free -= 1;
      run(item, 'send', 'begin', access);
    }
  }

  #startDue(
    due: readonly Item[],
    errand: Run['errand'],
    access: OpenAccess,
    room: (errand: Errand) => number,
  ): void {
    const { running, run } = this.#options;
    for (const item of due) {
      const purpose = item.state.kind === 'creating' ? 'begin' : 'go-on';
      if (room(purpose) > 0 && !running.has(item.id)) run(item, errand, purpose, access);
    }
  }
}
