import { creditsFor } from '../../../contract/pricing.ts';
import type { ServiceAddress, ServiceCondition } from '../../../contract/service.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../../store/store.ts';

export interface SpendingLimitsOptions {
  readonly store: Pick<Store, 'items'> & {
    readonly transcripts: Pick<Store['transcripts'], 'durationsSince'>;
  };
  readonly clock: Pick<Clock, 'now'>;
  /** The most credits that may be spent on an account in a calendar month; `null`: no limit. Absent: no account has one. */
  readonly creditLimit?: ((service: ServiceAddress) => number | null) | undefined;
}

/** The credits of an account in this calendar month. */
export interface Spending {
  readonly limit: number;
  /** Credits of the transcripts saved this month, the requested and unfinished jobs, and the jobs abandoned this month. */
  readonly spent: number;
}

/**
 * Holds back new recordings of an account that would cost more in this calendar month than the user allows. Counts the
 * transcripts in the library and the trash, other than those of a backup, the recordings that have a job or request
 * one, and the jobs of recordings that were moved to another service; a recording of unknown duration counts as one
 * credit.
 */
export class SpendingLimits {
  readonly #options: SpendingLimitsOptions;
  /** The credits of saved transcripts, by account, in the month that began at `since`. */
  readonly #saved = new Map<ServiceAddress, { readonly since: number; readonly credits: number }>();

  constructor(options: SpendingLimitsOptions) {
    this.#options = options;
  }

  /** Returns what was spent on an account; `null` if it has no limit. */
  of(service: ServiceAddress): Spending | null {
    const limit = this.#options.creditLimit?.(service) ?? null;
    if (limit === null) return null;
    const { items } = this.#options.store;
    const since = monthStart(this.#options.clock.now());
    const abandonedCredits = totalCredits(items.abandonedJobDurationsSince(service, since));
    return {
      limit,
      spent: this.#savedCredits(service, since) + abandonedCredits + items.totals.committedCredits(service),
    };
  }

  /** Returns the credits that new recordings of an account may still cost; infinite without a limit. */
  creditsLeft(service: ServiceAddress): number {
    const spending = this.of(service);
    return spending === null ? Infinity : Math.max(0, spending.limit - spending.spent);
  }

  /** Returns the spending of an account whose limit each waiting recording would exceed; `null` if any may start. */
  exceeded(service: ServiceAddress): Spending | null {
    const spending = this.of(service);
    if (spending === null) return null;
    const waiting = this.#options.store.items.totals.waitingCredits(service);
    const isOver = (credits: number): boolean => spending.spent + Math.max(1, credits) > spending.limit;
    return waiting.length > 0 && waiting.every(isOver) ? spending : null;
  }

  /** Returns when the next month begins, Unix milliseconds, if recordings of an account with a limit wait; else `null`. */
  nextMonthAt(services: readonly ServiceAddress[], now: number): number | null {
    const { creditLimit, store } = this.#options;
    const waits = (service: ServiceAddress): boolean =>
      (creditLimit?.(service) ?? null) !== null && store.items.totals.count(['waiting'], service) > 0;
    return services.some(waits) ? monthStart(now, 1) : null;
  }

  /** Drops the cached credits, because transcripts were saved or deleted. */
  invalidate(): void {
    this.#saved.clear();
  }

  #savedCredits(service: ServiceAddress, since: number): number {
    const cached = this.#saved.get(service);
    if (cached?.since === since) return cached.credits;
    const credits = totalCredits(this.#options.store.transcripts.durationsSince(service, since));
    this.#saved.set(service, { since, credits });
    return credits;
  }
}

/** Returns the condition of an account whose limit would be exceeded. */
export const overLimitCondition = (
  exceeded: Spending,
): Extract<ServiceCondition, { kind: 'over-limit' }> => ({
  kind: 'over-limit',
  problem: { code: 'credit_limit', params: { ...exceeded } },
});

/** Returns the credits for recordings of these durations. */
const totalCredits = (durations: readonly number[]): number =>
  durations.reduce((sum, seconds) => sum + creditsFor(seconds), 0);

/** Returns the credits that a recording will cost, at least one. */
export const creditsOf = ({ durationSeconds }: { readonly durationSeconds: number | null }): number =>
  creditsFor(durationSeconds ?? 0);

/** Returns the beginning of the local calendar month, or of the one that is `later` months after it, Unix milliseconds. */
export function monthStart(now: number, later = 0): number {
  // These read no clock: only the calendar knows where months begin.
  // oxlint-disable-next-line no-restricted-globals
  const date = new Date(now);
  // oxlint-disable-next-line no-restricted-globals
  return new Date(date.getFullYear(), date.getMonth() + later).getTime();
}
