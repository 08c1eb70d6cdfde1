import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress, ServiceCondition } from '../../../contract/service.ts';
import type { Problem } from '../../../contract/problem.ts';
import { backoffMs, type Effect, type TransitionContext } from '../machine/transitions.ts';
import type { FailedJob, ServiceFault } from '../machine/fault-reactions.ts';
import type { ServiceAccess } from './services.ts';

/** How long an unanswered probe blocks the next one, in milliseconds. */
const probeTimeoutMs = 120_000;
/** The interval at which one new job is tried while the account has no credits, in milliseconds. */
const creditProbeIntervalMs = 60_000;
/** The minimum time between two such attempts when the user returns to the window, in milliseconds. */
const minCreditProbeGapMs = 10_000;
/** How long to wait after too many requests without a `Retry-After`, in milliseconds. */
export const defaultRateLimitMs = 30_000;
/** How long to wait after too many active jobs without a `Retry-After`, in milliseconds. */
const defaultSlotWaitMs = 15_000;
/** The time without a refusal after which one more concurrent request is allowed, in milliseconds. */
const rampUpMs = 60_000;
/** After this many consecutive failures only single probes are sent. */
const maxConsecutiveFailures = 5;
/** After this many failed polls for the balance in a row, new jobs are tried instead. */
const maxFailedBalancePolls = 5;
/** Caps the backoff of probes at one per minute. */
const maxBackoffAttempts = 6;

/**
 * What a request is for: new jobs may be held back while existing ones continue. `start-affordable`: a new job that the
 * account's known balance pays for.
 */
export type RequestPurpose = 'start' | 'start-affordable' | 'continue';

/** An item whose request the service has answered. */
export interface AnsweredItem {
  readonly id: ItemId;
  /** The credits that its recording needs. */
  readonly credits: number;
}

/** The time in which a service does not respond and gets one probe at a time. */
interface Outage {
  readonly reason: 'offline' | 'failing';
  readonly probes: number;
  readonly probeAt: number;
  /** A probe is in flight; other requests that fail meanwhile were sent earlier and are ignored. */
  readonly isProbing: boolean;
}

/** The time in which the account has too few credits. */
interface CreditShortage {
  readonly problem: Problem;
  /** When the next attempt is made, Unix milliseconds. */
  readonly probeAt: number;
  /**
   * A job that failed for lack of credits. It is polled for the balance, because a service that checks credits only after
   * the upload would receive a whole recording with each new attempt. `null`: the service refuses create requests, so one
   * of them is tried now and then.
   */
  readonly failedJob: FailedJob | null;
  /** How many polls for the balance have failed in a row. */
  readonly failedBalancePolls: number;
  /** The item that was refused, or whose job failed, last; `null` if none was. */
  readonly blockedBy: ItemId | null;
  /** Jobs that need more credits than this were refused at this balance. */
  readonly maxCredits: number;
}

/**
 * Decides whether requests may go to one service now. It handles only the conditions that affect every item, so that no
 * item loses an attempt to them. Each condition ends independently; the most severe one is shown.
 */
export class ServiceGate {
  readonly #fullConcurrency: number;
  #stopped: Problem | null = null;
  /** All jobs wait until this problem is solved, but the service responds: they are still polled, and can be deleted. */
  #blockingProblem: Problem | null = null;
  #outage: Outage | null = null;
  #failures = 0;
  #limitedUntil = 0;
  #shortage: CreditShortage | null = null;
  #slotsFullUntil = 0;
  /** The allowed number of concurrent requests at `#cleanSince`; it grows by one with each clean minute. */
  #concurrency: number;
  #cleanSince = 0;

  /** @param fullConcurrency the allowed number of concurrent requests while the service works. */
  constructor(fullConcurrency: number) {
    this.#fullConcurrency = fullConcurrency;
    this.#concurrency = fullConcurrency;
  }

  /** The condition shown to the user. {@link capacity} and {@link nextChangeAt} clear expired waits. */
  get condition(): ServiceCondition {
    const stopped = this.#stopped ?? this.#blockingProblem;
    if (stopped !== null) return { kind: 'stopped', problem: stopped };
    if (this.#outage?.reason === 'offline') return { kind: 'offline' };
    if (this.#outage !== null) return { kind: 'limited', until: this.#outage.probeAt };
    if (this.#limitedUntil > 0) return { kind: 'limited', until: this.#limitedUntil };
    if (this.#shortage !== null) return { kind: 'no-credits', problem: this.#shortage.problem };
    return { kind: 'ready' };
  }

  /** Handles what a response says about the whole service. `item`: absent for a request outside the queue. */
  handle(fault: ServiceFault, context: TransitionContext, item: AnsweredItem | null = null): void {
    const { now } = context;
    if (fault.kind !== 'offline' && fault.kind !== 'failing') this.#endOutage();
    switch (fault.kind) {
      case 'offline':
        return this.#backOff('offline', context, 1_000);
      case 'failing':
        this.#failures += 1;
        if (this.#failures >= maxConsecutiveFailures || this.#outage !== null)
          this.#backOff('failing', context, fault.retryAfterMs);
        return;
      case 'stopped':
        this.#stopped = fault.problem;
        return;
      case 'no-credits':
        this.#shortage = {
          problem: fault.problem,
          probeAt: now + creditProbeIntervalMs,
          failedJob: fault.failedJob ?? this.#shortage?.failedJob ?? null,
          failedBalancePolls: 0,
          blockedBy: item?.id ?? this.#shortage?.blockedBy ?? null,
          maxCredits: Math.min(
            this.#shortage?.maxCredits ?? Infinity,
            Math.max(fault.failedJob?.credits ?? 1, item?.credits ?? 1) - 1,
          ),
        };
        return;
      case 'slots-full':
        this.#slotsFullUntil = now + (fault.retryAfterMs ?? defaultSlotWaitMs);
        return;
      case 'rate-limited':
        this.#limit(now, now + (fault.retryAfterMs ?? defaultRateLimitMs));
    }
  }

  #backOff(reason: Outage['reason'], { now, random }: TransitionContext, minDelayMs: number | null): void {
    if (this.#outage !== null && !this.#outage.isProbing) return;
    const probes = (this.#outage?.probes ?? 0) + 1;
    const probeAt = now + backoffMs(Math.min(probes, maxBackoffAttempts), random, minDelayMs);
    this.#outage = { reason, probes, probeAt, isProbing: false };
  }

  /** Halves the number of concurrent requests; refusals that arrive together count as one. */
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

  /** Records that the service answered normally, whatever the response means for the item. */
  onSuccess(purpose: RequestPurpose): void {
    this.#endOutage();
    if (purpose === 'start' && this.#shortage?.failedJob === null) this.#shortage = null;
  }

  /** Sets the problem for which all jobs wait; it limits no requests. */
  setBlockingProblem(problem: Problem | null): void {
    this.#blockingProblem = problem;
  }

  /** Any response ends an outage, even a refusal. */
  #endOutage(): void {
    this.#failures = 0;
    this.#outage = null;
  }

  /** Checks soon whether an account without credits was topped up. */
  probeCredits(now: number): void {
    if (this.#shortage === null) return;
    const probeAt = Math.max(now, this.#shortage.probeAt - creditProbeIntervalMs + minCreditProbeGapMs);
    this.#shortage = { ...this.#shortage, probeAt: Math.min(probeAt, this.#shortage.probeAt) };
  }

  /** Records the account's credits; if they have risen, new jobs may be tried at once. `before`: `null` if unknown. */
  onBalance(credits: number, before: number | null): void {
    if (this.#shortage === null) return;
    const { failedJob } = this.#shortage;
    const hasRisen = before !== null && credits > before;
    const suffices = failedJob === null ? hasRisen : credits >= failedJob.credits;
    if (suffices) this.#shortage = null;
    else
      this.#shortage = {
        ...this.#shortage,
        failedBalancePolls: 0,
        ...(hasRisen && { maxCredits: Infinity }),
      };
  }

  /** What new jobs have to respect while the account has too few credits; `null` while it has enough. */
  get shortage(): Pick<CreditShortage, 'blockedBy' | 'maxCredits'> | null {
    return this.#shortage;
  }

  /** Returns the job that is to be polled for the balance now, if any, and counts it as polled. */
  takeBalanceProbe(now: number): string | null {
    const shortage = this.#shortage;
    if (shortage === null || shortage.failedJob === null || now < shortage.probeAt) return null;
    if (this.capacity('continue', 0, now) === 0) return null;
    this.#shortage = { ...shortage, probeAt: now + creditProbeIntervalMs };
    return shortage.failedJob.jobId;
  }

  /** Records that the polled job is gone, or that its status contains no balance: new jobs are tried instead. */
  onBalanceUnavailable(): void {
    this.#shortage = null;
  }

  /** Records that a poll for the balance has failed; all further polls of this job may fail too. */
  onBalancePollFailed(): void {
    if (this.#shortage === null) return;
    const failedBalancePolls = this.#shortage.failedBalancePolls + 1;
    this.#shortage =
      failedBalancePolls < maxFailedBalancePolls ? { ...this.#shortage, failedBalancePolls } : null;
  }

  /** Whether the service said recently that the account has its maximum of active jobs. */
  isFull(now: number): boolean {
    return now < this.#slotsFullUntil;
  }

  /** Records that one of our jobs has ended. */
  onSlotFreed(): void {
    this.#slotsFullUntil = 0;
  }

  /** Clears everything but a rate limit: the user has fixed something or wants an immediate retry. */
  reopen(): void {
    this.#stopped = null;
    this.#blockingProblem = null;
    this.#outage = null;
    this.#failures = 0;
    this.#recheckCredits();
    this.#slotsFullUntil = 0;
  }

  /** Clears all waits: their end times are meaningless after a clock change or a sleep. */
  clearWaits(): void {
    this.#outage = null;
    this.#recheckCredits();
    this.#slotsFullUntil = 0;
    this.#limitedUntil = 0;
    this.#cleanSince = 0;
  }

  /** Polls for the balance, or tries new jobs, at once. */
  #recheckCredits(): void {
    const shortage = this.#shortage;
    this.#shortage = shortage === null || shortage.failedJob === null ? null : { ...shortage, probeAt: 0 };
  }

  /** Records that a request was started; during an outage, or without credits, it is the only probe for a while. */
  onRequestStarted(purpose: RequestPurpose, now: number): void {
    if (this.#outage !== null) {
      this.#outage = { ...this.#outage, probeAt: now + probeTimeoutMs, isProbing: true };
    }
    if (this.#shortage !== null && purpose === 'start') {
      this.#shortage = { ...this.#shortage, probeAt: now + creditProbeIntervalMs };
    }
  }

  /** How many more requests for `purpose` may start now in addition to the `inFlight` ones. */
  capacity(purpose: RequestPurpose, inFlight: number, now: number): number {
    this.#clearExpired(now);
    if (this.#stopped !== null || this.#limitedUntil > 0) return 0;
    if (this.#outage !== null) return now >= this.#outage.probeAt ? 1 : 0;
    const free = Math.max(0, this.#concurrencyAt(now) - inFlight);
    if (purpose === 'continue') return free;
    if (now < this.#slotsFullUntil) return 0;
    if (this.#shortage !== null && purpose === 'start') {
      const mayProbe = this.#shortage.failedJob === null && now >= this.#shortage.probeAt;
      return mayProbe ? Math.min(1, free) : 0;
    }
    return free;
  }

  /** The number of failed probes since the service stopped responding; 0 while it responds. */
  get failedProbes(): number {
    return this.#outage?.probes ?? 0;
  }

  /** When the passing of time next allows more requests, Unix milliseconds; `null`: never. */
  nextChangeAt(now: number): number | null {
    this.#clearExpired(now);
    const times = [
      this.#slotsFullUntil,
      this.#limitedUntil,
      this.#outage?.probeAt ?? 0,
      this.#shortage?.probeAt ?? 0,
    ];
    const upcoming = times.filter((time) => time > now);
    return upcoming.length === 0 ? null : Math.min(...upcoming);
  }

  #clearExpired(now: number): void {
    if (now >= this.#limitedUntil) this.#limitedUntil = 0;
  }
}

/** Concurrent requests to one service while it works: at most 4 uploads, and polls. */
const maxConcurrentRequests = 8;

/** The state of each service: its gate and its last known credits. */
export class ServiceStates {
  readonly #gates = new Map<ServiceAddress, ServiceGate>();
  readonly #balances = new Map<ServiceAddress, number>();

  gate(service: ServiceAddress): ServiceGate {
    const existing = this.#gates.get(service);
    if (existing !== undefined) return existing;
    const gate = new ServiceGate(maxConcurrentRequests);
    this.#gates.set(service, gate);
    return gate;
  }

  /** Returns the last known remaining credits; `null` while unknown. */
  balance(service: ServiceAddress): number | null {
    return this.#balances.get(service) ?? null;
  }

  setBalance(service: ServiceAddress, credits: number): void {
    const before = this.balance(service);
    this.#balances.set(service, credits);
    this.gate(service).onBalance(credits, before);
  }

  /** Handles what the outcome of a request says about the service as a whole. */
  handle(service: ServiceAddress, outcome: RequestOutcome, context: TransitionContext): void {
    const gate = this.gate(service);
    const effect = outcome.effects.find((effect) => effect.kind === 'service-fault');
    if (effect !== undefined) gate.handle(effect.serviceFault, context, outcome.item);
    else if (outcome.isAnswered) gate.onSuccess(outcome.purpose);
    if (outcome.freesSlot) gate.onSlotFreed();
  }

  /** @param access only its kind matters while it is open */
  condition(
    service: ServiceAddress,
    access: { readonly kind: 'open' } | Exclude<ServiceAccess, { kind: 'open' }>,
  ): ServiceCondition {
    switch (access.kind) {
      case 'open':
        return this.gate(service).condition;
      case 'starting':
        return { kind: 'starting' };
      case 'closed':
        return { kind: 'stopped', problem: access.problem };
    }
  }

  /** Tries a new job soon on each account without credits. */
  probeCredits(now: number): void {
    for (const gate of this.#gates.values()) gate.probeCredits(now);
  }

  /** Clears all waits: their end times are meaningless after a clock change or a sleep. */
  clearWaits(): void {
    for (const gate of this.#gates.values()) gate.clearWaits();
  }

  /** When the passing of time next allows more requests, Unix milliseconds; `null`: never. */
  nextChangeAt(now: number): number | null {
    const times = [...this.#gates.values()].flatMap((gate) => gate.nextChangeAt(now) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }
}

export interface RequestOutcome {
  readonly item: AnsweredItem;
  readonly effects: readonly Effect[];
  /** Whether the service gave a valid response, including a refusal that concerns only the request. */
  readonly isAnswered: boolean;
  readonly purpose: RequestPurpose;
  /** Whether one of our jobs has ended. */
  readonly freesSlot: boolean;
}
