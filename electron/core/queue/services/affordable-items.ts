import type { ServiceAddress } from '../../../contract/service.ts';
import type { Item } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { ServiceStates } from './service-gate.ts';
import { creditsOf } from './spending-limits.ts';

export interface AffordableItemsOptions {
  readonly store: Pick<Store, 'items'>;
  readonly states: ServiceStates;
}

/** What may start while an account has too few credits for a recording. */
interface Allowance {
  readonly credits: number;
  /**
   * Whether recordings of unknown duration may start. They may not while a refused one waits, because each could be
   * uploaded and then refused as well.
   */
  readonly includesUnknown: boolean;
  /** The last refused item; `null` if it was removed or moved to another service. */
  readonly lastRefused: Item | null;
}

/**
 * Finds the recordings that an account can pay for while it has too few credits for another one. They are
 * recomputed for each request, so that nothing keeps waiting for a recording that has left the queue.
 */
export class AffordableItems {
  readonly #options: AffordableItemsOptions;

  constructor(options: AffordableItemsOptions) {
    this.#options = options;
  }

  /** Whether the balance pays for an item although another one was refused. */
  canPayFor(item: Item): boolean {
    const allowance = this.#allowance(item.service);
    if (allowance === null || (item.durationSeconds === null && !allowance.includesUnknown)) return false;
    // The allowance excludes the credits of items that may have a job, so this item's own credits are added back.
    const mayHaveJob = item.state.kind === 'creating' && !item.state.refused;
    return creditsOf(item) <= allowance.credits + (mayHaveJob ? creditsOf(item) : 0);
  }

  /**
   * Returns the first waiting items of a service that each cost at most the balance and `maxCredits`, and the credits
   * that all of them may use together; `null` if the balance pays for none, or while nothing was refused.
   */
  waiting(
    service: ServiceAddress,
    limit: number,
    maxCredits: number,
  ): { readonly items: readonly Item[]; readonly credits: number } | null {
    const allowance = this.#allowance(service);
    if (allowance === null || !this.#hasWaiting(service, allowance)) return null;
    const credits = Math.min(allowance.credits, maxCredits);
    const includesUnknown = allowance.includesUnknown && credits >= 1;
    const items = this.#options.store.items.schedule.waitingUpTo(service, credits, includesUnknown, limit);
    return { items, credits };
  }

  /**
   * Whether the shortage of credits stops a service from starting anything: the balance pays for no waiting item, or none
   * waits, but the last refused item still needs credits, because the user has not paused, moved or removed it.
   */
  isHeldByShortage(service: ServiceAddress): boolean {
    const allowance = this.#allowance(service);
    if (allowance === null || this.#hasWaiting(service, allowance)) return false;
    const { items } = this.#options.store;
    if (items.totals.count([...statesBeforeJob], service) > 0) return true;
    const { lastRefused } = allowance;
    return lastRefused !== null && lastRefused.state.kind !== 'paused';
  }

  #hasWaiting(service: ServiceAddress, { credits, includesUnknown }: Allowance): boolean {
    return this.#options.store.items.totals
      .waitingCredits(service)
      .some((needed) => (needed === 0 ? includesUnknown && credits >= 1 : needed <= credits));
  }

  #allowance(service: ServiceAddress): Allowance | null {
    const { store, states } = this.#options;
    const { shortage } = states.gate(service);
    if (shortage === null) return null;
    const { blockedBy, maxCredits } = shortage;
    const available = (states.balance(service) ?? 0) - store.items.totals.unchargedCredits(service);
    const refused = blockedBy === null ? null : store.items.get(blockedBy);
    const lastRefused = refused?.service === service ? refused : null;
    const isWaiting = lastRefused !== null && statesBeforeJob.has(lastRefused.state.kind);
    return {
      credits: Math.max(0, Math.min(available, maxCredits)),
      includesUnknown: !isWaiting,
      lastRefused,
    };
  }
}

/** States whose next request asks for a new job. */
const statesBeforeJob: ReadonlySet<Item['state']['kind']> = new Set(['waiting', 'creating']);
