import { expect } from 'vitest';
import { activeJobsOf } from '../support/scripted-service/scripted-service.ts';
import type { Injected } from '../support/scripted-service/faults.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { FaultCase, Mode } from './matrix.ts';
import type { Meaning } from './meanings.ts';

const link = 'https://example.com/talk.mp3';
/** A stalled answer is given up within this time. */
const stallMs = 121_000;
/** A fault that would be met for ever is lifted after so many calls. */
const enough = 4;

/**
 * Takes one recording through the real core while its service answers badly, and compares what comes of it.
 *
 * @returns the rules that were broken on the way.
 */
export async function runCase(one: FaultCase, mode: Mode): Promise<readonly string[]> {
  const core = await ScriptedCore.start();
  try {
    const injected = await begin(core, one, mode);
    if (mode === 'restart in mid-request') {
      await restartAt(core, injected);
    } else {
      if (mode === 'during recovery') await recover(core, one, injected);
      await come(core, one, injected, mode);
    }
    injected.lift();
    await repair(core, one);
    await end(core, one);
    return core.service.violations;
  } finally {
    await core.close();
  }
}

async function begin(
  core: ScriptedCore,
  { request, endpoint, fault }: FaultCase,
  mode: Mode,
): Promise<Injected> {
  const { service } = core;
  const times = callsOf(mode);
  service.account.held = request === 'delete';
  if (request === 'renewal') {
    const expired = { kind: 'refusal', status: 410, code: 'upload_expired', tookEffect: false } as const;
    service.inject({ endpoint: 'part', from: 2, times: 1, fault: expired });
  }
  const injected = service.inject({ endpoint, from: endpoint === 'part' ? 2 : 1, times, fault });
  if (request === 'create link') await core.addLink(link);
  else await core.addFile('talk.wav');
  if (request === 'delete') {
    await core.passUntil(() => core.row().state.kind === 'transcribing');
    core.longhand.queue.cancel([core.row().id]);
  }
  return injected;
}

/** Closes the core once it has met the fault, and opens it again while the fault is still there. */
async function recover(core: ScriptedCore, { fault }: FaultCase, injected: Injected): Promise<void> {
  expect(await core.passUntil(() => injected.met >= 1)).toBe(true);
  await core.reopen();
  await core.passUntil(() => injected.met >= 2 || core.isSettled() || isStopped(core));
  // What stalls is noted once it is given up.
  if (fault.kind === 'stall') await core.pass(stallMs);
}

/** Closes the core while the request is on its way that meets the fault: it may learn of the answer or not. */
async function restartAt(core: ScriptedCore, injected: Injected): Promise<void> {
  const met = core.passUntil(() => injected.met >= 1);
  await Promise.race([injected.first, met]);
  await core.reopen();
  expect(await met).toBe(true);
  await core.passUntil(() => core.isSettled() || isStopped(core));
}

/** Waits for what is to come of the fault, and compares. */
async function come(core: ScriptedCore, one: FaultCase, injected: Injected, mode: Mode): Promise<void> {
  const { meaning } = one;
  const wouldGoOn = mode === 'standing' && (meaning.kind === 'goes on' || meaning.kind === 'service');
  const isLong = (): boolean => wouldGoOn && injected.met >= enough;
  if (mode !== 'during recovery') {
    await core.passUntil(() => core.isSettled() || isStopped(core) || isLong());
  }
  const { met } = injected;
  expect(met).toBeGreaterThan(0);
  if (mode !== 'during recovery' && meaning.kind !== 'fine') {
    expect(met).toBe(Math.min(limitOf(meaning), callsOf(mode)));
  }
  expect(found(core)).toEqual(expected(one, met, mode));
}

function callsOf(mode: Mode): number {
  switch (mode) {
    case 'once':
    case 'restart in mid-request':
      return 1;
    case 'three times':
      return 3;
    case 'standing':
    case 'during recovery':
      return Infinity;
  }
}

/** How often a standing fault is met. */
function limitOf(meaning: Meaning): number {
  if ('after' in meaning) return meaning.after;
  if (meaning.kind === 'service' && meaning.condition === 'stopped') return 1;
  return enough;
}

/** How an item and its service stand, as the user sees them. */
interface Standing {
  readonly state: string;
  readonly problem: string | null;
  readonly condition: string;
}

function found(core: ScriptedCore): Standing {
  const { state, lastProblem } = core.row();
  const settled = core.isSettled();
  return {
    state: settled ? state.kind : 'on its way',
    problem: 'problem' in state ? state.problem.code : (lastProblem?.code ?? null),
    condition: core.status().condition.kind,
  };
}

function expected({ meaning, request, fault }: FaultCase, met: number, mode: Mode): Standing {
  const good = request === 'delete' ? 'cancelled' : 'done';
  const passed = { state: good, problem: null, condition: 'ready' };
  const isOver = mode === 'once' || mode === 'three times';
  switch (meaning.kind) {
    case 'fine':
      return mode === 'during recovery' ? expect.anything() : passed;
    case 'failed':
    case 'blocked':
    case 'given up':
      if (met >= meaning.after && meaning.kind !== 'given up') {
        return { state: meaning.kind, problem: meaning.problem, condition: 'ready' };
      }
      if (met >= meaning.after) return mode === 'during recovery' ? expect.anything() : passed;
      return isOver ? passed : expect.objectContaining({ state: 'on its way', condition: 'ready' });
    case 'goes on': {
      // Until a creation works again, there is no telling that there are credits again.
      const isOutOfCredits = fault.kind === 'refusal' && fault.code === 'insufficient_credits';
      const condition = isOutOfCredits ? 'no-credits' : 'ready';
      if (isOver) return request === 'renewal' ? passed : { ...passed, condition };
      return { state: 'on its way', problem: meaning.problem, condition };
    }
    case 'service':
      if (isOver && meaning.condition !== 'stopped') return passed;
      return expect.objectContaining({ state: 'on its way', condition: meaning.condition });
  }
}

const isStopped = (core: ScriptedCore): boolean => core.status().condition.kind === 'stopped';

/** The fault is over: the user does the one thing that is asked for, if anything is. */
async function repair(core: ScriptedCore, { meaning, request }: FaultCase): Promise<void> {
  const { service, longhand } = core;
  if (isStopped(core)) longhand.tryAgain(service.baseUrl);
  if (!core.isSettled()) await core.passUntil(() => core.isSettled());
  const { state, id } = core.row();
  if (state.kind !== 'failed' && state.kind !== 'blocked') return;
  // What the service said of its jobs was true: the user pays for nothing twice by believing it.
  if (request === 'renewal' || ('problem' in meaning && meaning.problem === 'job_gone'))
    service.account.loseJobs();
  service.rules.userRetried();
  await longhand.queue.retry([id]);
  await core.passUntil(() => core.isSettled());
}

/** Whatever happened: the recording is transcribed and paid for once, nothing is left behind, no rule was broken. */
async function end(core: ScriptedCore, { request, meaning }: FaultCase): Promise<void> {
  const { service, longhand } = core;
  const { state } = core.row();
  const charged = [...service.account.jobs.values()].filter((job) => job.charged > 0);
  // A job that the service does not delete, or denies having, is no fault of the client.
  const kept = meaning.kind === 'given up' ? [] : activeJobsOf(service);
  const left = kept.map(({ id, status }) => `${id} ${status}`);
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
