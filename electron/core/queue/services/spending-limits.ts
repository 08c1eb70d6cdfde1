import { creditsFor } from '../../../contract/pricing.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../../store/store.ts';

export interface SpendingLimitsOptions {
  readonly store: Pick<Store, 'items' | 'transcripts'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The most credits that an account may cost in a calendar month; `null`: no limit. Absent: none has one. */
  readonly creditLimit?: ((service: ServiceAddress) => number | null) | undefined;
}

/** The credits of an account in this calendar month. */
export interface Spending {
  readonly limit: number;
  /** Of the transcripts saved this month, and of the jobs that are not finished. */
  readonly spent: number;
}

/**
 * Holds back new recordings of an account that would cost more in this calendar month than the user allows. Counts the
 * transcripts in the library and the trash, other than those of a backup, and the recordings that have a job; a recording
 * of unknown duration counts as one credit.
 */
export class SpendingLimits {
  readonly #options: SpendingLimitsOptions;
  /** The credits of saved transcripts, by account, in the month that began at `since`. */
  readonly #saved = new Map<ServiceAddress, { readonly since: number; readonly credits: number }>();

  constructor(options: SpendingLimitsOptions) {
    this.#options = options;
  }

  /** Returns what an account has cost; `null` if it has no limit. */
  of(service: ServiceAddress): Spending | null {
    const limit = this.#options.creditLimit?.(service) ?? null;
    if (limit === null) return null;
    const { tally } = this.#options.store.items;
    return { limit, spent: this.#savedCredits(service) + tally.committedCredits(service) };
  }

  /** Returns the spending of an account whose next recording would exceed its limit; `null` if it may start. */
  exceeded(service: ServiceAddress): Spending | null {
    const spending = this.of(service);
    if (spending === null) return null;
    const [next] = this.#options.store.items.waiting(service, 1);
    if (next === undefined) return null;
    return spending.spent + creditsOf(next) > spending.limit ? spending : null;
  }

  /** Drops the cached credits of an account, because a transcript was saved. */
  invalidate(service: ServiceAddress): void {
    this.#saved.delete(service);
  }

  #savedCredits(service: ServiceAddress): number {
    const { store, clock } = this.#options;
    const since = monthStart(clock.now());
    const known = this.#saved.get(service);
    if (known?.since === since) return known.credits;
    const credits = store.transcripts
      .durationsSince(service, since)
      .reduce((sum, seconds) => sum + creditsFor(seconds), 0);
    this.#saved.set(service, { since, credits });
    return credits;
  }
}

/** Returns the credits that a recording will cost, at least one. */
export const creditsOf = ({ durationSeconds }: { readonly durationSeconds: number | null }): number =>
  creditsFor(durationSeconds ?? 0);

/** Returns the beginning of the local calendar month, Unix milliseconds. */
export function monthStart(now: number): number {
  // These read no clock: only the calendar knows where months begin.
  // oxlint-disable-next-line no-restricted-globals
  const date = new Date(now);
  // oxlint-disable-next-line no-restricted-globals
  return new Date(date.getFullYear(), date.getMonth()).getTime();
}
