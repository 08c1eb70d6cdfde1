import type { ServiceAddress, ServiceCondition } from '../../../contract/service.ts';
import type { Effect, TransitionContext } from '../machine/steps.ts';
import { ServiceGate, type RequestPurpose } from './service-gate.ts';
import type { ServiceAccess } from './services.ts';

/** How many requests to one service run at once while nothing is wrong: uploads, at most 4, and polls beside them. */
const maxConcurrentRequests = 8;

/** How each service does: its gate, and the credits that it last told. */
export class ServiceStates {
  readonly #gates = new Map<ServiceAddress, ServiceGate>();
  readonly #balances = new Map<ServiceAddress, number>();

  gate(service: ServiceAddress): ServiceGate {
    const known = this.#gates.get(service);
    if (known !== undefined) return known;
    const gate = new ServiceGate(maxConcurrentRequests);
    this.#gates.set(service, gate);
    return gate;
  }

  /** Remaining credits as last told; `null` when never told. */
  balance(service: ServiceAddress): number | null {
    return this.#balances.get(service) ?? null;
  }

  setBalance(service: ServiceAddress, credits: number): void {
    const before = this.#balances.get(service);
    this.#balances.set(service, credits);
    if (before !== undefined && credits > before) this.gate(service).onBalanceIncreased();
  }

  /** Hears what an answer, and what it made of an item, say of the service as a whole. */
  handle(service: ServiceAddress, outcome: RequestOutcome, context: TransitionContext): void {
    const gate = this.gate(service);
    const effect = outcome.effects.find((effect) => effect.kind === 'signal');
    if (effect !== undefined) gate.handle(effect.signal, context);
    else if (outcome.isAnswered) gate.onSuccess(outcome.purpose);
    if (outcome.freesSlot) gate.onSlotFreed();
  }

  condition(service: ServiceAddress, access: ServiceAccess): ServiceCondition {
    switch (access.kind) {
      case 'open':
        return this.gate(service).condition;
      case 'starting':
        return { kind: 'starting' };
      case 'closed':
        return { kind: 'stopped', problem: access.problem };
    }
  }

  /** Waits that a clock reckoned that has been set since, or that a sleep outlasted, mean nothing any more. */
  clearWaits(): void {
    for (const gate of this.#gates.values()) gate.clearWaits();
  }

  /** When time alone lets something begin that may not now, Unix milliseconds; `null`: never. */
  nextChangeAt(now: number): number | null {
    const times = [...this.#gates.values()].flatMap((gate) => gate.nextChangeAt(now) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }
}

export interface RequestOutcome {
  readonly effects: readonly Effect[];
  /** The request was answered as it should be. */
  readonly isAnswered: boolean;
  readonly purpose: RequestPurpose;
  /** One of our jobs has ended. */
  readonly freesSlot: boolean;
}
