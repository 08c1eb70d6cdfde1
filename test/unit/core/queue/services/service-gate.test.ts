import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import type { ServiceAddress } from '../../../../../electron/contract/service.ts';
import {
  type RequestOutcome,
  ServiceGate,
  ServiceStates,
} from '../../../../../electron/core/queue/services/service-gate.ts';
import type { ServiceFault } from '../../../../../electron/core/queue/machine/fault-reactions.ts';

const start = 1_000_000;
const second = 1_000;
const minute = 60 * second;
const problem = { code: 'internal' } as const;
const at = (now: number) => ({ now, random: 0.5 });
const failing: ServiceFault = { kind: 'failing', retryAfterMs: null };
const offline: ServiceFault = { kind: 'offline', problem, delayMs: 0 };

describe('the gate of a service', () => {
  it('allows the maximum number of concurrent requests', () => {
    const gate = new ServiceGate(8);
    expect(gate.capacity('start', 0, start)).toBe(8);
    expect(gate.capacity('continue', 7, start)).toBe(1);
    expect(gate.capacity('continue', 9, start)).toBe(0);
  });

  it('keeps a rate limit despite a late answer', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'rate-limited', retryAfterMs: 10 * second }, at(start));
    gate.onSuccess('continue');
    expect(gate.capacity('continue', 0, start + 9 * second)).toBe(0);
    expect(gate.nextChangeAt(start)).toBe(start + 10 * second);
    expect(gate.capacity('continue', 0, start + 10 * second)).toBe(4);
    expect(gate.condition).toEqual({ kind: 'ready' });
  });

  it('halves the concurrency once for requests that were refused together', () => {
    const gate = new ServiceGate(8);
    const limited: ServiceFault = { kind: 'rate-limited', retryAfterMs: second };
    for (let refusal = 0; refusal < 8; refusal += 1) gate.handle(limited, at(start + refusal));
    expect(gate.capacity('continue', 0, start + 2 * second)).toBe(4);
    gate.handle(limited, at(start + 2 * second));
    expect(gate.capacity('continue', 0, start + 3 * second)).toBe(2);
    gate.handle(limited, at(start + 3 * second));
    gate.handle(limited, at(start + 5 * second));
    expect(gate.capacity('continue', 0, start + 6 * second)).toBe(1);
  });

  it('allows one more request with each minute without a rate limit', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'rate-limited', retryAfterMs: second }, at(start));
    const limitEnd = start + second;
    const capacities = [0, 1, 2, 3, 4, 5].map((minutes) =>
      gate.capacity('continue', 0, limitEnd + minutes * minute),
    );
    expect(capacities).toEqual([4, 5, 6, 7, 8, 8]);
  });

  it('backs off at the fifth failure in a row, and not before', () => {
    const gate = new ServiceGate(8);
    for (let failure = 0; failure < 4; failure += 1) gate.handle(failing, at(start));
    gate.onSuccess('continue');
    for (let failure = 0; failure < 4; failure += 1) gate.handle(failing, at(start));
    expect(gate.capacity('continue', 0, start)).toBe(8);
    gate.handle(failing, at(start));
    expect(gate.capacity('continue', 0, start)).toBe(0);
    expect(gate.condition).toEqual({ kind: 'limited', until: start + second });
  });

  it('allows a single probe, and all requests after it succeeds', () => {
    const gate = new ServiceGate(8);
    gate.handle(offline, at(start));
    expect(gate.condition).toEqual({ kind: 'offline' });
    const probeAt = gate.nextChangeAt(start) ?? 0;
    expect(gate.capacity('continue', 0, probeAt - 1)).toBe(0);
    expect(gate.capacity('continue', 0, probeAt)).toBe(1);
    gate.onRequestStarted('continue', probeAt);
    expect(gate.capacity('continue', 1, probeAt)).toBe(0);
    expect(gate.capacity('start', 1, probeAt + minute)).toBe(0);
    gate.onSuccess('continue');
    expect(gate.capacity('continue', 0, probeAt)).toBe(8);
  });

  it('counts requests that fail together as one probe', () => {
    const gate = new ServiceGate(8);
    for (let lost = 0; lost < 8; lost += 1) gate.handle(offline, at(start));
    expect(gate.nextChangeAt(start)).toBe(start + second);
  });

  it('probes with growing delays of at most a minute', () => {
    const gate = new ServiceGate(8);
    let now = start;
    const waits: number[] = [];
    for (let probe = 0; probe < 9; probe += 1) {
      gate.handle(offline, { now, random: 0.999_999 });
      const next = gate.nextChangeAt(now) ?? 0;
      waits.push(Math.round((next - now) / second));
      now = next;
      gate.onRequestStarted('continue', now);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  it('holds back only new jobs while there are no credits, and tries one each minute', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'no-credits', problem }, at(start));
    expect(gate.capacity('start', 0, start + minute - 1)).toBe(0);
    expect(gate.capacity('continue', 0, start)).toBe(8);
    gate.onSuccess('continue');
    expect(gate.condition.kind).toBe('no-credits');
    expect(gate.capacity('start', 0, start + minute)).toBe(1);
    gate.onRequestStarted('start', start + minute);
    expect(gate.capacity('start', 1, start + minute)).toBe(0);
    gate.onBalance(2, 1);
    expect(gate.capacity('start', 0, start + minute)).toBe(8);
  });

  it('asks for the balance instead of trying a new job after a job has failed because there were no credits', () => {
    const gate = new ServiceGate(8);
    const failedJob = { jobId: 'job-1', credits: 3 };
    gate.handle({ kind: 'no-credits', problem, failedJob }, at(start));
    // Another job may still be accepted, and one of those in flight refused.
    gate.onSuccess('start');
    gate.handle({ kind: 'no-credits', problem }, at(start));
    expect(gate.takeBalanceProbe(start + minute - 1)).toBeNull();
    expect(gate.takeBalanceProbe(start + minute)).toBe('job-1');
    expect(gate.takeBalanceProbe(start + minute)).toBeNull();
    gate.reopen();
    expect(gate.takeBalanceProbe(start + minute)).toBe('job-1');
    gate.onBalance(2, 1);
    expect(gate.capacity('start', 0, start + 9 * minute)).toBe(0);
    gate.onBalance(3, 3);
    expect(gate.capacity('start', 0, start + minute)).toBe(8);

    gate.handle({ kind: 'no-credits', problem, failedJob }, at(start));
    gate.onBalanceUnavailable();
    expect(gate.condition).toEqual({ kind: 'ready' });
  });

  it('tries a new job when the user returns, but not more than every ten seconds', () => {
    const gate = new ServiceGate(8);
    gate.probeCredits(start);
    expect(gate.condition.kind).toBe('ready');
    gate.handle({ kind: 'no-credits', problem }, at(start));
    gate.probeCredits(start + second);
    expect(gate.capacity('start', 0, start + 10 * second - 1)).toBe(0);
    expect(gate.capacity('start', 0, start + 10 * second)).toBe(1);
    gate.onRequestStarted('start', start + 30 * second);
    gate.probeCredits(start + 50 * second);
    expect(gate.capacity('start', 0, start + 50 * second)).toBe(1);
    gate.probeCredits(start + 200 * second);
    expect(gate.nextChangeAt(start + 200 * second)).toBeNull();
  });

  it.each([
    { kind: 'no-credits', problem },
    { kind: 'slots-full', problem, retryAfterMs: null },
    { kind: 'rate-limited', problem, retryAfterMs: null },
    { kind: 'stopped', problem },
  ] as const)('is no longer offline after an answer such as $kind', (fault) => {
    const gate = new ServiceGate(8);
    gate.handle(offline, at(start));
    expect(gate.condition.kind).toBe('offline');
    gate.handle(fault, at(start + minute));
    expect(gate.condition.kind).not.toBe('offline');
  });

  it('holds back only new jobs while all slots are taken, until one of ours ends', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'slots-full', problem, retryAfterMs: 40 * second }, at(start));
    expect([gate.capacity('start', 0, start + 39 * second), gate.capacity('continue', 0, start)]).toEqual([
      0, 8,
    ]);
    expect(gate.nextChangeAt(start)).toBe(start + 40 * second);
    gate.onSlotFreed();
    expect(gate.capacity('start', 0, start)).toBe(8);
  });

  it('stays closed until the user has fixed the problem, whatever late answers say', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'stopped', problem }, at(start));
    gate.handle(offline, at(start));
    gate.handle({ kind: 'rate-limited', retryAfterMs: second }, at(start));
    gate.onSuccess('start');
    gate.onBalance(2, 1);
    expect(gate.capacity('continue', 0, start + 1_000 * minute)).toBe(0);
    expect(gate.condition).toEqual({ kind: 'stopped', problem });
    gate.reopen();
    expect(gate.capacity('continue', 0, start + 1_000 * minute)).toBe(8);
  });

  it('opens after some time, unless it waits for the user', () => {
    const signals = fc.oneof(
      fc.constantFrom(failing, offline, { kind: 'no-credits', problem } as const),
      fc.record({
        kind: fc.constantFrom('rate-limited' as const),
        retryAfterMs: fc.option(fc.integer({ min: second, max: 60 * minute })),
      }),
      fc.record({
        kind: fc.constantFrom('slots-full' as const),
        problem: fc.constant(problem),
        retryAfterMs: fc.option(fc.integer({ min: second, max: 60 * minute })),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(signals, fc.nat(10 * minute)), { maxLength: 30 }), (received) => {
        const gate = new ServiceGate(8);
        let now = start;
        for (const [one, wait] of received) {
          gate.handle(one, at(now));
          now += wait;
        }
        for (let next = gate.nextChangeAt(now); next !== null; next = gate.nextChangeAt(now)) now = next;
        expect(gate.capacity('start', 0, now)).toBeGreaterThan(0);
      }),
    );
  });

  it('says until when a rate limit holds, and that it is over once its time has come', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'rate-limited', retryAfterMs: null }, at(start));
    expect(gate.condition).toEqual({ kind: 'limited', until: start + 30 * second });
    gate.handle({ kind: 'rate-limited', retryAfterMs: 5 * second }, at(start + second));
    expect(gate.nextChangeAt(start)).toBe(start + 30 * second);
    expect(gate.nextChangeAt(start + 30 * second)).toBeNull();
    expect(gate.condition).toEqual({ kind: 'ready' });
  });

  it('waits 15 s for a slot when the answer names no time, while it is full', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'slots-full', problem, retryAfterMs: null }, at(start));
    expect([start, start + 15 * second - 1, start + 15 * second].map((now) => gate.isFull(now))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('forgets that there were no credits once a new job was accepted', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'no-credits', problem }, at(start));
    gate.onRequestStarted('continue', start);
    expect(gate.nextChangeAt(start)).toBe(start + minute);
    gate.onRequestStarted('start', start + minute);
    expect(gate.nextChangeAt(start)).toBe(start + 2 * minute);
    expect(gate.condition).toEqual({ kind: 'no-credits', problem });
    gate.onSuccess('start');
    expect(gate.condition).toEqual({ kind: 'ready' });
    gate.onRequestStarted('start', start);
    expect(gate.capacity('start', 0, start)).toBe(8);
  });

  it('changes next when the first of several waits is over', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'slots-full', problem, retryAfterMs: 40 * second }, at(start));
    gate.handle({ kind: 'rate-limited', retryAfterMs: 20 * second }, at(start));
    expect(gate.nextChangeAt(start)).toBe(start + 20 * second);
  });

  it('has no waits after a change of the clock, but stays closed for the user', () => {
    const gate = new ServiceGate(8);
    gate.handle({ kind: 'rate-limited', retryAfterMs: minute }, at(start));
    gate.handle({ kind: 'slots-full', problem, retryAfterMs: minute }, at(start));
    gate.handle({ kind: 'no-credits', problem }, at(start));
    gate.handle(offline, at(start));
    gate.clearWaits();
    expect(gate.nextChangeAt(start)).toBeNull();
    expect(gate.condition).toEqual({ kind: 'ready' });
    expect(gate.capacity('start', 0, start)).toBe(8);
    gate.handle({ kind: 'stopped', problem }, at(start));
    gate.clearWaits();
    expect(gate.condition).toEqual({ kind: 'stopped', problem });
  });
});

describe('the states of the services', () => {
  const service: ServiceAddress = 'https://one.example';
  const other: ServiceAddress = 'https://two.example';
  const open = { kind: 'open' } as const;

  it('handle each service on its own', () => {
    const states = new ServiceStates();
    states.handle(service, outcome(faultOutcome(offline)), at(start));
    expect(states.condition(service, open)).toEqual({ kind: 'offline' });
    expect(states.condition(other, open)).toEqual({ kind: 'ready' });
    expect(states.gate(service)).toBe(states.gate(service));
    states.handle(service, outcome(), at(start));
    expect(states.condition(service, open)).toEqual({ kind: 'offline' });
    states.handle(service, outcome({ isAnswered: true }), at(start));
    expect(states.condition(service, open)).toEqual({ kind: 'ready' });
  });

  it('say first that a service is starting or closed', () => {
    const states = new ServiceStates();
    expect(states.condition(service, { kind: 'starting' })).toEqual({ kind: 'starting' });
    expect(states.condition(service, { kind: 'closed', problem })).toEqual({ kind: 'stopped', problem });
  });

  it('show a fault of a service that responds, and limit no requests for it', () => {
    const states = new ServiceStates();
    const gate = states.gate(service);
    const free = gate.capacity('continue', 0, start);
    gate.setBlockingProblem(problem);
    expect(states.condition(service, open)).toEqual({ kind: 'stopped', problem });
    expect(gate.capacity('continue', 0, start)).toBe(free);
    gate.setBlockingProblem(null);
    expect(states.condition(service, open)).toEqual({ kind: 'ready' });
  });

  it('free a slot when one of our jobs has ended, whatever else the answer says', () => {
    const states = new ServiceStates();
    const full = faultOutcome({ kind: 'slots-full', problem, retryAfterMs: minute });
    states.handle(service, outcome({ ...full, isAnswered: true }), at(start));
    expect(states.gate(service).isFull(start)).toBe(true);
    states.handle(service, outcome({ isAnswered: true }), at(start));
    expect(states.gate(service).isFull(start)).toBe(true);
    states.handle(service, outcome({ freesSlot: true }), at(start));
    expect(states.gate(service).isFull(start)).toBe(false);
  });

  it('let new jobs start as soon as the balance has increased', () => {
    const states = new ServiceStates();
    const noCredits = outcome(faultOutcome({ kind: 'no-credits', problem }));
    expect(states.balance(service)).toBeNull();
    states.setBalance(service, 0);
    states.handle(service, noCredits, at(start));
    const hasNoCredits = (): boolean => states.condition(service, open).kind === 'no-credits';
    states.setBalance(service, 0);
    expect([hasNoCredits(), states.balance(service)]).toEqual([true, 0]);
    states.setBalance(service, 5);
    expect([hasNoCredits(), states.balance(service)]).toEqual([false, 5]);
    states.handle(service, noCredits, at(start));
    states.setBalance(service, 3);
    states.setBalance(other, 9);
    expect(hasNoCredits()).toBe(true);
    const unknown = new ServiceStates();
    unknown.handle(service, noCredits, at(start));
    unknown.setBalance(service, 5);
    expect(unknown.condition(service, open).kind).toBe('no-credits');
  });

  it('change next when the first service does, and have no waits after a change of the clock', () => {
    const states = new ServiceStates();
    states.gate('https://three.example');
    expect(states.nextChangeAt(start)).toBeNull();
    states.handle(
      service,
      outcome(faultOutcome({ kind: 'rate-limited', retryAfterMs: 40 * second })),
      at(start),
    );
    states.handle(
      other,
      outcome(faultOutcome({ kind: 'rate-limited', retryAfterMs: 20 * second })),
      at(start),
    );
    expect(states.nextChangeAt(start)).toBe(start + 20 * second);
    states.clearWaits();
    expect(states.nextChangeAt(start)).toBeNull();
  });
});

function outcome(change: Partial<RequestOutcome> = {}): RequestOutcome {
  const item = { id: 1 as ItemId, credits: 1 };
  return { item, effects: [], isAnswered: false, purpose: 'continue', freesSlot: false, ...change };
}

function faultOutcome(one: ServiceFault): Partial<RequestOutcome> {
  return { effects: [{ kind: 'service-fault', serviceFault: one }] };
}
