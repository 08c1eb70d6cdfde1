import type { ServiceCost } from '../../../contract/queue-commands.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import { creditsFor } from '../../../contract/pricing.ts';
import { isFinished, type StateKind } from '../../item/item.ts';
import { filterOf, memoizeActivity, type ServiceActivity } from '../../item/item-filter.ts';

/** The properties of an item that count in the running totals. */
export interface CountedItem {
  readonly kind: StateKind;
  readonly service: string;
  readonly sizeBytes: number;
  /** Bytes in parts that the service has acknowledged, while it is uploaded. */
  readonly sentBytes: number;
  readonly durationSeconds: number | null;
  /** How much the service has transcribed, in percent. */
  readonly progress: number;
  /** Whether it has requested a job, which may exist at the service. */
  readonly mayHaveJob: boolean;
}

/** Whether the last byte of a file has not been sent yet. */
const isUnsent = (kind: StateKind): boolean =>
  kind === 'waiting' || kind === 'creating' || kind === 'uploading';
/** Whether the service does not know the duration of the recording yet, and so cannot have charged it (API part 1). */
const isUncharged = (kind: StateKind): boolean => isUnsent(kind) || kind === 'completing';
/** Whether an item will proceed without the user. */
const isActive = (kind: StateKind): boolean =>
  !isFinished(kind) && kind !== 'paused' && kind !== 'blocked' && kind !== 'cancelling';

/** Sums over all items, as integers so that they return to exactly zero. */
interface Sums {
  totalMs: number;
  leftMs: number;
  activeMs: number;
  unknownDurations: number;
}

interface Costs {
  recordings: number;
  credits: number;
  unknownDurations: number;
}

const noCosts: Readonly<Costs> = { recordings: 0, credits: 0, unknownDurations: 0 };

const sumOf = (all: readonly Readonly<Costs>[]): Costs => ({
  recordings: all.reduce((sum, { recordings }) => sum + recordings, 0),
  credits: all.reduce((sum, { credits }) => sum + credits, 0),
  unknownDurations: all.reduce((sum, { unknownDurations }) => sum + unknownDurations, 0),
});

/** Adds an item to costs, or subtracts it with `sign` -1. */
const addToCosts = (costs: Readonly<Costs>, { durationSeconds }: CountedItem, sign: 1 | -1): Costs => ({
  recordings: costs.recordings + sign,
  credits: costs.credits + (durationSeconds === null ? 0 : sign * creditsFor(durationSeconds)),
  unknownDurations: costs.unknownDurations + (durationSeconds === null ? sign : 0),
});

/** Returns the number of items under each filter, for the current activity of each service. */
export function countsByFilter(
  items: Iterable<{ readonly kind: StateKind; readonly service: string; readonly count?: number }>,
  activityOf: (service: string) => ServiceActivity,
): Record<QueueFilter, number> {
  const memoized = memoizeActivity(activityOf);
  const counts = { all: 0, working: 0, waiting: 0, attention: 0, done: 0, cancelled: 0 };
  for (const { kind, service, count = 1 } of items)
    for (const filter of ['all', filterOf({ kind, service }, memoized(service))] as const)
      counts[filter] += count;
  return counts;
}

/** Running totals of the queue. The cost of a change does not depend on the length of the queue. */
export class QueueTotals {
  /** The number and the costs of items by state and service. */
  readonly #counts = new Map<StateKind, Map<string, Costs>>();
  readonly #possibleJobs = new Map<string, number>();
  readonly #committedCredits = new Map<string, number>();
  readonly #unchargedCredits = new Map<string, number>();
  /** The number of waiting items by service and credits; 0 credits: the duration is unknown. */
  readonly #waitingCredits = new Map<string, Map<number, number>>();
  readonly #sums: Sums = { totalMs: 0, leftMs: 0, activeMs: 0, unknownDurations: 0 };
  readonly #costs = new Map<string, Costs>();
  readonly #bytesLeft = new Map<string, number>();

  add(item: CountedItem): void {
    this.#apply(item, 1);
  }

  remove(item: CountedItem): void {
    this.#apply(item, -1);
  }

  /** Returns the number of items in one of `kinds`, of one service or of all. */
  count(kinds: readonly StateKind[], service?: string): number {
    let sum = 0;
    for (const kind of kinds) {
      const byService = this.#counts.get(kind);
      if (service !== undefined) sum += byService?.get(service)?.recordings ?? 0;
      else for (const { recordings } of byService?.values() ?? []) sum += recordings;
    }
    return sum;
  }

  /** Returns what the items of a service in one of `kinds` cost, regardless of what was charged. */
  costOf(kinds: readonly StateKind[], service: string): ServiceCost {
    return { service, ...sumOf(kinds.map((kind) => this.#counts.get(kind)?.get(service) ?? noCosts)) };
  }

  /** Returns how many items of a service may have a job there, including paused and blocked ones. */
  possibleJobs(service: string): number {
    return this.#possibleJobs.get(service) ?? 0;
  }

  /**
   * Returns the credits of the unfinished items of a service that may have a job there or are requesting one, at least one
   * credit each.
   */
  committedCredits(service: string): number {
    return this.#committedCredits.get(service) ?? 0;
  }

  /** Returns what the jobs of a service that are being created or uploaded will cost, at least one credit each. */
  unchargedCredits(service: string): number {
    return this.#unchargedCredits.get(service) ?? 0;
  }

  /** Returns the different credits that waiting items of a service need; 0: the duration is unknown. */
  waitingCredits(service: string): readonly number[] {
    return [...(this.#waitingCredits.get(service) ?? [])].flatMap(([credits, count]) =>
      count > 0 ? [credits] : [],
    );
  }

  /** Returns the services of items in one of `kinds`. */
  services(kinds: readonly StateKind[]): readonly string[] {
    const services = new Set<string>();
    for (const kind of kinds)
      for (const [owner, { recordings }] of this.#counts.get(kind) ?? [])
        if (recordings > 0) services.add(owner);
    return [...services];
  }

  /** Returns the number of items under each filter, for the current activity of each service. */
  counts(activityOf: (service: string) => ServiceActivity): Record<QueueFilter, number> {
    const counted = [...this.#counts].flatMap(([kind, byService]) =>
      [...byService].map(([service, { recordings }]) => ({ kind, service, count: recordings })),
    );
    return countsByFilter(counted, activityOf);
  }

  /** Returns the seconds of audio in total, of unfinished and of active items. */
  sums(): {
    readonly totalSeconds: number;
    readonly secondsLeft: number;
    readonly activeSeconds: number;
    readonly unknownDurations: number;
  } {
    const { totalMs, leftMs, activeMs, unknownDurations } = this.#sums;
    return {
      totalSeconds: totalMs / 1000,
      secondsLeft: leftMs / 1000,
      activeSeconds: activeMs / 1000,
      unknownDurations,
    };
  }

  /**
   * Returns the bytes that will leave this computer for a service without further action by the user; none for the
   * on-device service.
   */
  bytesLeft(service: string): number {
    return this.#bytesLeft.get(service) ?? 0;
  }

  /**
   * Returns what each service will charge without further action by the user; the on-device service charges nothing.
   */
  pendingCosts(): readonly ServiceCost[] {
    return [...this.#costs]
      .filter(([, { recordings }]) => recordings > 0)
      .map(([service, costs]) => ({ service, ...costs }));
  }

  #apply(item: CountedItem, sign: 1 | -1): void {
    const { kind, service, durationSeconds } = item;
    const byService = this.#counts.get(kind) ?? new Map<string, Costs>();
    this.#counts.set(kind, byService);
    byService.set(service, addToCosts(byService.get(service) ?? noCosts, item, sign));
    if (item.mayHaveJob) this.#possibleJobs.set(service, this.possibleJobs(service) + sign);
    // A refused request will be repeated: nothing else may use its credits meanwhile.
    if ((item.mayHaveJob || kind === 'creating') && !isFinished(kind))
      this.#committedCredits.set(
        service,
        this.committedCredits(service) + sign * creditsFor(durationSeconds ?? 0),
      );
    if (item.mayHaveJob && isUncharged(kind))
      this.#unchargedCredits.set(
        service,
        this.unchargedCredits(service) + sign * creditsFor(durationSeconds ?? 0),
      );
    if (kind === 'waiting') {
      const waiting = this.#waitingCredits.get(service) ?? new Map<number, number>();
      this.#waitingCredits.set(service, waiting);
      const credits = durationSeconds === null ? 0 : creditsFor(durationSeconds);
      waiting.set(credits, (waiting.get(credits) ?? 0) + sign);
    }
    const sums = this.#sums;
    const durationMs = Math.round((durationSeconds ?? 0) * 1000);
    sums.totalMs += sign * durationMs;
    if (isFinished(kind)) return;
    const leftMs = durationMs - Math.round(durationMs * (item.progress / 100));
    sums.leftMs += sign * leftMs;
    if (isActive(kind)) sums.activeMs += sign * leftMs;
    if (durationSeconds === null) sums.unknownDurations += sign;
    // The on-device service charges nothing, and what it receives does not leave this computer. Paused and blocked items
    // are excluded by their kind.
    if (isUncharged(kind) && service !== 'on-device') this.#applyCost(item, sign);
  }

  #applyCost(item: CountedItem, sign: 1 | -1): void {
    const { service, kind, sizeBytes, sentBytes } = item;
    this.#costs.set(service, addToCosts(this.#costs.get(service) ?? noCosts, item, sign));
    const bytes = isUnsent(kind) ? Math.max(0, sizeBytes - sentBytes) : 0;
    this.#bytesLeft.set(service, this.bytesLeft(service) + sign * bytes);
  }
}
