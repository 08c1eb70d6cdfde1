import type { ServiceAddress, ServiceCondition } from '../../../contract/service.ts';
import type { Problem } from '../../../contract/problem.ts';
import { backoffMs, type Effect, type TransitionContext } from '../machine/transitions.ts';
import type { ServiceSignal } from '../machine/fault-reactions.ts';
import type { ServiceAccess } from './services.ts';

/** After so many milliseconds without an answer a probe is taken for lost. */
const probeTimeoutMs = 120_000;
/** Without credits so often one new job is tried, in milliseconds. */
const creditProbeIntervalMs = 15 * 60_000;
/** How long too many requests are waited out, and too many jobs, where no `Retry-After` says it, in milliseconds. */
const defaultRateLimitMs = 30_000;
const defaultSlotWaitMs = 15_000;
/** After each time of so many milliseconds without a refusal one request more may run at once. */
const rampUpMs = 60_000;
/** A service that fails so often in a row is left alone but for one probe. */
const maxConsecutiveFailures = 5;
/** Probes come ever more seldom, but at least each minute. */
const maxBackoffAttempts = 6;

/** What a request is for: new jobs are held back where old ones go on. */
export type RequestPurpose = 'start' | 'continue';

/** Nothing is asked of a service but one probe at a time. */
interface Outage {
  readonly reason: 'offline' | 'failing';
  readonly probes: number;
  readonly probeAt: number;
  /** A probe is on its way; what else fails meanwhile was sent before and says nothing new. */
  readonly isProbing: boolean;
}

/**
 * What stands in the way of one service as a whole. Only what every item would meet is held here, so that no item
 * loses an attempt to it. Each hindrance has its own end; the gravest is the one that is shown.
 */
export class ServiceGate {
  readonly #fullConcurrency: number;
  #stopped: Problem | null = null;
  #outage: Outage | null = null;
  #failures = 0;
  #limitedUntil = 0;
  #noCredits: { readonly problem: Problem; readonly probeAt: number } | null = null;
  #slotsUntil = 0;
  /** How many requests might run at once at `#cleanSince`; one more may with each clean minute since. */
  #concurrency: number;
  #cleanSince = 0;

  /** @param fullConcurrency how many requests may run at once while nothing is wrong. */
  constructor(fullConcurrency: number) {
    this.#fullConcurrency = fullConcurrency;
    this.#concurrency = fullConcurrency;
  }

  /** What is shown of the service. Pauses that are over are over once {@link capacity} or {@link nextChangeAt} was asked. */
  get condition(): ServiceCondition {
    if (this.#stopped !== null) return { kind: 'stopped', problem: this.#stopped };
    if (this.#outage?.reason === 'offline') return { kind: 'offline' };
    if (this.#outage !== null) return { kind: 'limited', until: this.#outage.probeAt };
    if (this.#limitedUntil > 0) return { kind: 'limited', until: this.#limitedUntil };
    if (this.#noCredits !== null) return { kind: 'no-credits', problem: this.#noCredits.problem };
    return { kind: 'ready' };
  }

  /** Hears what an answer said of the whole service. */
  handle(signal: ServiceSignal, context: TransitionContext): void {
    const { now } = context;
    switch (signal.kind) {
      case 'offline':
        return this.#backOff('offline', context, 1_000);
      case 'failing':
        this.#failures += 1;
        if (this.#failures >= maxConsecutiveFailures || this.#outage !== null)
          this.#backOff('failing', context, signal.retryAfterMs);
        return;
      case 'stopped':
        this.#stopped = signal.problem;
        return;
      case 'no-credits':
        this.#noCredits = { problem: signal.problem, probeAt: now + creditProbeIntervalMs };
        return;
      case 'slots-full':
        this.#slotsUntil = now + (signal.retryAfterMs ?? defaultSlotWaitMs);
        return;
      case 'rate-limited':
        this.#limit(now, now + (signal.retryAfterMs ?? defaultRateLimitMs));
    }
  }

  #backOff(reason: Outage['reason'], { now, random }: TransitionContext, floorMs: number | null): void {
    if (this.#outage !== null && !this.#outage.isProbing) return;
    const probes = (this.#outage?.probes ?? 0) + 1;
    const probeAt = now + backoffMs(Math.min(probes, maxBackoffAttempts), random, floorMs);
    this.#outage = { reason, probes, probeAt, isProbing: false };
  }

  /** Half as many requests at once; several that were refused together count as one. */
  #limit(now: number, until: number): void {
    if (now >= this.#limitedUntil) {
      this.#concurrency = Math.max(1, Math.floor(this.#concurrencyAt(now) / 2));
    }
    this.#limitedUntil = Math.max(this.#limitedUntil, until);
    this.#cleanSince = this.#limitedUntil;
  }

  #concurrencyAt(now: number): number {
    const cleanMinutes = Math.max(0, Math.floor((now - this.#cleanSince) / rampUpMs));
    return Math.min(this.#fullConcurrency, this.#concurrency + cleanMinutes);
  }

  /** A request was answered by a service that works, whatever it said of the item. */
  onSuccess(purpose: RequestPurpose): void {
    this.#failures = 0;
    this.#outage = null;
    if (purpose === 'start') this.#noCredits = null;
  }

  /** The account has more credits than before: new jobs may be tried at once. */
  onBalanceIncreased(): void {
    this.#noCredits = null;
  }

  /** Whether the account has as many active jobs as it may have, as the service has said of late. */
  isFull(now: number): boolean {
    return now < this.#slotsUntil;
  }

  /** One of our jobs has ended. */
  onSlotFreed(): void {
    this.#slotsUntil = 0;
  }

  /** The user has mended something, or wants it tried at once. A pause that the service asked for is kept. */
  reopen(): void {
    this.#stopped = null;
    this.#outage = null;
    this.#failures = 0;
    this.#noCredits = null;
    this.#slotsUntil = 0;
  }

  /** The clock was set, or time went by unseen: what was to last until some moment has lost its meaning. */
  clearWaits(): void {
    this.#outage = null;
    this.#noCredits = null;
    this.#slotsUntil = 0;
    this.#limitedUntil = 0;
    this.#cleanSince = 0;
  }

  /** A request has been started; while something is wrong it is the one probe for some time. */
  onRequestStarted(purpose: RequestPurpose, now: number): void {
    if (this.#outage !== null) {
      this.#outage = { ...this.#outage, probeAt: now + probeTimeoutMs, isProbing: true };
    }
    if (this.#noCredits !== null && purpose === 'start') {
      this.#noCredits = { ...this.#noCredits, probeAt: now + creditProbeIntervalMs };
    }
  }

  /** How many requests for `errand` may run at once now, besides the `running` ones. */
  capacity(purpose: RequestPurpose, inFlight: number, now: number): number {
    this.#clearExpired(now);
    if (this.#stopped !== null || this.#limitedUntil > 0) return 0;
    if (this.#outage !== null) return now >= this.#outage.probeAt ? 1 : 0;
    const free = Math.max(0, this.#concurrencyAt(now) - inFlight);
    if (purpose === 'continue') return free;
    if (now < this.#slotsUntil) return 0;
    if (this.#noCredits !== null) return now >= this.#noCredits.probeAt ? Math.min(1, free) : 0;
    return free;
  }

  /** When something will be allowed that is not now, Unix milliseconds; `null` when time alone changes nothing. */
  nextChangeAt(now: number): number | null {
    this.#clearExpired(now);
    const times = [
      this.#slotsUntil,
      this.#limitedUntil,
      this.#outage?.probeAt ?? 0,
      this.#noCredits?.probeAt ?? 0,
    ];
    const coming = times.filter((time) => time > now);
    return coming.length === 0 ? null : Math.min(...coming);
  }

  #clearExpired(now: number): void {
    if (now >= this.#limitedUntil) this.#limitedUntil = 0;
  }
}

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
