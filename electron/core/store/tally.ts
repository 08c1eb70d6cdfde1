import { queueFilters, type QueueFilter } from '../../contract/model/queue.ts';
import type { StateKind } from '../queue/item.ts';

/** Which filter of the queue a state falls under, besides `all`. Cancelled items fall under none. */
const filterOf: Readonly<Record<StateKind, Exclude<QueueFilter, 'all'> | null>> = {
  waiting: 'waiting',
  paused: 'waiting',
  creating: 'working',
  uploading: 'working',
  completing: 'working',
  transcribing: 'working',
  saving: 'working',
  cancelling: 'working',
  blocked: 'attention',
  failed: 'attention',
  done: 'done',
  cancelled: null,
};

const allKinds = Object.keys(filterOf) as readonly StateKind[];

/** The states that a filter of the queue shows. */
export function kindsUnder(filter: QueueFilter): readonly StateKind[] {
  return filter === 'all' ? allKinds : allKinds.filter((kind) => filterOf[kind] === filter);
}

/** What the queue's header counts of one item. */
export interface Counted {
  readonly kind: StateKind;
  readonly service: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number | null;
  /** It has asked for a job, and the service may hold one. */
  readonly holdsTicket: boolean;
}

const isOver = (kind: StateKind): boolean => kind === 'done' || kind === 'cancelled' || kind === 'failed';
/** States before the last byte of a file has been sent. */
const isUnsent = (kind: StateKind): boolean =>
  kind === 'waiting' ||
  kind === 'creating' ||
  kind === 'uploading' ||
  kind === 'paused' ||
  kind === 'blocked';

/** Running totals of the queue: each change of an item costs the same, however long the queue is. */
export class Tally {
  readonly #kinds = new Map<string, number>();
  readonly #tickets = new Map<string, number>();
  #totalSeconds = 0;
  #secondsLeft = 0;
  #bytesLeft = 0;

  add(item: Counted): void {
    this.#count(item, 1);
  }

  remove(item: Counted): void {
    this.#count(item, -1);
  }

  /** Number of items in one of `kinds`; of one service, or of all. */
  count(kinds: readonly StateKind[], service?: string): number {
    let sum = 0;
    for (const [key, number] of this.#kinds) {
      const [kind, owner] = splitKey(key);
      if (kinds.includes(kind) && (service === undefined || owner === service)) sum += number;
    }
    return sum;
  }

  /** Items of a service that may have a job there, also those that are paused or wait for the user. */
  tickets(service: string): number {
    return this.#tickets.get(service) ?? 0;
  }

  /** The services that items in one of `kinds` belong to. */
  services(kinds: readonly StateKind[]): readonly string[] {
    const services = new Set<string>();
    for (const [key, number] of this.#kinds) {
      const [kind, owner] = splitKey(key);
      if (number > 0 && kinds.includes(kind)) services.add(owner);
    }
    return [...services];
  }

  counts(): Record<QueueFilter, number> {
    const counts = Object.fromEntries(queueFilters.map((filter) => [filter, this.count(kindsUnder(filter))]));
    return counts as Record<QueueFilter, number>;
  }

  /** Seconds of sound in all, of what is not over, and bytes that are still to be sent. */
  sums(): { readonly totalSeconds: number; readonly secondsLeft: number; readonly bytesLeft: number } {
    return { totalSeconds: this.#totalSeconds, secondsLeft: this.#secondsLeft, bytesLeft: this.#bytesLeft };
  }

  #count({ kind, service, sizeBytes, durationSeconds, holdsTicket }: Counted, sign: 1 | -1): void {
    const key = `${kind} ${service}`;
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + sign);
    if (holdsTicket) this.#tickets.set(service, this.tickets(service) + sign);
    const seconds = durationSeconds ?? 0;
    this.#totalSeconds += sign * seconds;
    if (!isOver(kind)) this.#secondsLeft += sign * seconds;
    if (isUnsent(kind)) this.#bytesLeft += sign * sizeBytes;
  }
}

function splitKey(key: string): readonly [StateKind, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space) as StateKind, key.slice(space + 1)];
}
