import { expect } from 'vitest';
import { activeJobsOf } from '../support/scripted-service/scripted-service.ts';
import type { ActiveInjection } from '../support/scripted-service/faults.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { FaultCase, Mode } from './matrix.ts';
import type { Meaning } from './meanings.ts';

const link = 'https://example.com/talk.mp3';
/** A stalled request is aborted within this time. */
const stallMs = 121_000;
/** An endless fault is removed after this many calls. */
const maxEndlessCalls = 4;

/**
 * Sends one recording through the real core while its service has a fault, and checks the outcome.
 *
 * @returns the rules that were broken.
 */
export async function runCase(one: FaultCase, mode: Mode): Promise<readonly string[]> {
  const core = await ScriptedCore.start();
  try {
    const injected = await startCase(core, one, mode);
    if (mode === 'restart in mid-request') {
      await reopenInMidRequest(core, injected);
    } else {
      if (mode === 'during recovery') await reopenDuringFault(core, one, injected);
      await checkOutcome(core, one, injected, mode);
    }
    injected.remove();
    await repair(core, one);
    await checkEnd(core, one);
    return core.service.violations;
  } finally {
    await core.close();
  }
}

async function startCase(
  core: ScriptedCore,
  { request, endpoint, fault }: FaultCase,
  mode: Mode,
): Promise<ActiveInjection> {
  const { service } = core;
  const times = maxCallsOf(mode);
  service.account.holdsJobs = request === 'delete';
  if (request === 'renewal') {
    const expired = { kind: 'refusal', status: 410, code: 'upload_expired', tookEffect: false } as const;
    service.inject({ endpoint: 'part', from: 2, times: 1, fault: expired });
  }
  const injected = service.inject({ endpoint, from: endpoint === 'part' ? 2 : 1, times, fault });
  if (request === 'create link') await core.addLink(link);
  else await core.addFile('talk.wav');
  if (request === 'delete') {
    await core.advanceUntil(() => core.row().state.kind === 'transcribing');
    core.longhand.queue.cancel([core.row().id]);
  }
  return injected;
}

/** Closes the core once it has got the fault, and reopens it while the fault lasts. */
async function reopenDuringFault(
  core: ScriptedCore,
  { fault }: FaultCase,
  injected: ActiveInjection,
): Promise<void> {
  expect(await core.advanceUntil(() => injected.affectedCount >= 1)).toBe(true);
  await core.reopen();
  await core.advanceUntil(() => injected.affectedCount >= 2 || core.isSettled() || isStopped(core));
  // A stalled request counts once it was aborted.
  if (fault.kind === 'stall') await core.pass(stallMs);
}

/** Closes the core while the faulty request is in flight: it may receive the response or not. */
async function reopenInMidRequest(core: ScriptedCore, injected: ActiveInjection): Promise<void> {
  const affected = core.advanceUntil(() => injected.affectedCount >= 1);
  await Promise.race([injected.first, affected]);
  await core.reopen();
  expect(await affected).toBe(true);
  await core.advanceUntil(() => core.isSettled() || isStopped(core));
}

/** Waits for the outcome of the fault and checks it. */
async function checkOutcome(
  core: ScriptedCore,
  one: FaultCase,
  injected: ActiveInjection,
  mode: Mode,
): Promise<void> {
  const { meaning } = one;
  const isEndless = mode === 'lasting' && (meaning.kind === 'retried' || meaning.kind === 'service');
  const isLongEnough = (): boolean => isEndless && injected.affectedCount >= maxEndlessCalls;
  if (mode !== 'during recovery') {
    await core.advanceUntil(() => core.isSettled() || isStopped(core) || isLongEnough());
  }
  const { affectedCount } = injected;
  expect(affectedCount).toBeGreaterThan(0);
  if (mode !== 'during recovery' && meaning.kind !== 'fine') {
    expect(affectedCount).toBe(Math.min(limitOf(meaning), maxCallsOf(mode)));
  }
  expect(snapshotOf(core)).toEqual(expectedSnapshot(one, affectedCount, mode));
}

function maxCallsOf(mode: Mode): number {
  switch (mode) {
    case 'once':
    case 'restart in mid-request':
      return 1;
    case 'three times':
      return 3;
    case 'lasting':
    case 'during recovery':
      return Infinity;
  }
}

/** How many calls a lasting fault affects. */
function limitOf(meaning: Meaning): number {
  if ('after' in meaning) return meaning.after;
  if (meaning.kind === 'service' && meaning.condition === 'stopped') return 1;
  return maxEndlessCalls;
}

/** The state of an item and its service as the user sees it. */
interface Snapshot {
  readonly state: string;
  readonly problem: string | null;
  readonly condition: string;
}

function snapshotOf(core: ScriptedCore): Snapshot {
  const { state, lastProblem } = core.row();
  return {
    state: core.isSettled() ? state.kind : 'unfinished',
    problem: 'problem' in state ? state.problem.code : (lastProblem?.code ?? null),
    condition: core.status().condition.kind,
  };
}

function expectedSnapshot(
  { meaning, request, fault }: FaultCase,
  affectedCount: number,
  mode: Mode,
): Snapshot {
  const goodState = request === 'delete' ? 'cancelled' : 'done';
  const success = { state: goodState, problem: null, condition: 'ready' };
  const isOver = mode === 'once' || mode === 'three times';
  switch (meaning.kind) {
    case 'fine':
      return mode === 'during recovery' ? expect.anything() : success;
    case 'failed':
    case 'blocked':
    case 'given up':
      if (affectedCount >= meaning.after && meaning.kind !== 'given up') {
        return { state: meaning.kind, problem: meaning.problem, condition: 'ready' };
      }
      if (affectedCount >= meaning.after) return mode === 'during recovery' ? expect.anything() : success;
      return isOver ? success : expect.objectContaining({ state: 'unfinished', condition: 'ready' });
    case 'retried': {
      // Only a successful create request shows that there are credits again.
      const isOutOfCredits = fault.kind === 'refusal' && fault.code === 'insufficient_credits';
      const condition = isOutOfCredits ? 'no-credits' : 'ready';
      if (isOver) return request === 'renewal' ? success : { ...success, condition };
      return { state: 'unfinished', problem: meaning.problem, condition };
    }
    case 'service':
      if (isOver && meaning.condition !== 'stopped') return success;
      return expect.objectContaining({ state: 'unfinished', condition: meaning.condition });
  }
}

const isStopped = (core: ScriptedCore): boolean => core.status().condition.kind === 'stopped';

/** After the fault the user does what the row asks for, if anything. */
async function repair(core: ScriptedCore, { meaning, request }: FaultCase): Promise<void> {
  const { service, longhand } = core;
  if (isStopped(core)) longhand.tryAgain(service.baseUrl);
  if (!core.isSettled()) await core.advanceUntil(() => core.isSettled());
  const { state, id } = core.row();
  if (state.kind !== 'failed' && state.kind !== 'blocked') return;
  // The service really has lost its jobs, so the user's retry is not a second charge.
  if (request === 'renewal' || ('problem' in meaning && meaning.problem === 'job_gone'))
    service.account.loseJobs();
  service.rules.userRetried();
  await longhand.queue.retry([id]);
  await core.advanceUntil(() => core.isSettled());
}

/** Checks that the recording was transcribed and charged once and that nothing is left behind. */
async function checkEnd(core: ScriptedCore, { request, meaning }: FaultCase): Promise<void> {
  const { service, longhand } = core;
  const { state } = core.row();
  const charged = [...service.account.jobs.values()].filter((job) => job.charged > 0);
  // A job that the service does not delete, or says it does not know, is not the client's fault.
  const activeJobs = meaning.kind === 'given up' ? [] : activeJobsOf(service);
  const left = activeJobs.map(({ id, status }) => `${id} ${status}`);
  if (request === 'delete') {
    expect(state.kind).toBe('cancelled');
    if (meaning.kind !== 'given up') expect({ charged, left }).toEqual({ charged: [], left: [] });
  } else {
    expect({ state: state.kind, left, charged: charged.length }).toEqual({
      state: 'done',
      left: [],
      charged: 1,
    });
    expect(longhand.library.counts().total).toBe(1);
  }
}
