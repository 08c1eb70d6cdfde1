import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueFilters, type QueueFilter } from '../../electron/contract/choices.ts';
import type { RowState } from '../../electron/contract/queue-commands.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { Call } from '../support/scripted-service/scripted-service.ts';
import { isRowUnder } from '../support/window/sample-summary.ts';
import type { Endpoint, ScriptedFault } from '../support/scripted-service/faults.ts';

const second = 1_000;
const minute = 60 * second;

const refusal = (status: number, code: string, retryAfter?: string): ScriptedFault => ({
  kind: 'refusal',
  status,
  code,
  tookEffect: false,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** The maximum number of calls at the same time. */
function maxConcurrent(calls: readonly Call[]): number {
  const byTime = Map.groupBy(calls, ({ at }) => at);
  return Math.max(...[...byTime.values()].map(({ length }) => length));
}

describe('a service as a whole', () => {
  let core: ScriptedCore;

  beforeEach(async () => {
    core = await ScriptedCore.start();
  });
  afterEach(() => core.close());

  const addFiles = async (count: number): Promise<void> => {
    const before = core.rows().length;
    for (let number = 1; number <= count; number += 1) await core.addFile(`talk-${before + number}.wav`);
  };
  const addLinks = async (count: number): Promise<void> => {
    for (let number = 1; number <= count; number += 1)
      await core.addLink(`https://example.com/${number}.mp3`);
  };
  const injectNow = (endpoint: Endpoint, fault: ScriptedFault, times = Infinity) =>
    core.service.inject({ endpoint, from: core.service.callsOf(endpoint).length + 1, times, fault });
  const states = (): readonly string[] => core.rows().map(({ state }) => state.kind);
  const expectAllDone = async (): Promise<void> => {
    await core.advanceUntil(core.isSettled);
    expect(new Set(states())).toEqual(new Set(['done']));
    expect(core.service.violations).toEqual([]);
  };
  /** The calls after a point in time. Others of that time may arrive after it was read: by HTTP, in any order. */
  const callsSince = (since: number): readonly Call[] => core.service.calls.filter(({ at }) => at > since);

  it('that fails repeatedly gets only one probe at a time', async () => {
    const failing = injectNow('create', refusal(500, 'request_failed'));
    await addFiles(12);
    await core.advanceUntil(() => failing.affectedCount >= 5);
    const since = core.clock.now();
    await core.pass(30 * minute);

    // Twelve items would have made several hundred requests.
    expect(callsSince(since).length).toBeLessThanOrEqual(70);
    expect(maxConcurrent(callsSince(since))).toBe(1);
    expect(core.status().condition.kind).toBe('limited');
    expect(core.rows().filter(({ attempts }) => attempts > 20)).toEqual([]);

    failing.remove();
    await expectAllDone();
    expect(core.status().condition).toEqual({ kind: 'ready' });
  });

  it.each([
    ['failing', 'cannot process', refusal(500, 'complete_failed')],
    ['offline', 'answers with a sign-in page', { kind: 'sign-in page', tookEffect: false } as const],
  ])('is not considered %s because of one recording that it %s', async (_, _reaction, fault) => {
    const injection = {
      endpoint: 'complete',
      from: 1,
      times: Infinity,
      content: 'talk-1.wav',
      fault,
    } as const;
    const poisoned = core.service.inject(injection);
    await addFiles(1);
    await core.advanceUntil(() => poisoned.affectedCount >= 20);
    await addFiles(20);
    const since = core.clock.now();
    await core.advanceUntil(() => states().filter((kind) => kind === 'done').length === 20);
    // A probe for that one recording may delay the others by a minute.
    expect(core.clock.now() - since).toBeLessThan(3 * minute);
    poisoned.remove();
    await expectAllDone();
  });

  it('that fails to delete many jobs continues with other recordings', async () => {
    core.service.account.holdsJobs = true;
    await addFiles(12);
    await core.advanceUntil(() => states().every((kind) => kind === 'transcribing'));
    const failing = injectNow('delete', refusal(500, 'request_failed'));
    core.longhand.queue.cancel(core.rows().map(({ id }) => id));
    await core.advanceUntil(() => failing.affectedCount >= 40);
    core.service.account.holdsJobs = false;
    await addFiles(3);
    const since = core.clock.now();
    await core.advanceUntil(() => states().filter((kind) => kind === 'done').length === 3);
    expect(core.clock.now() - since).toBeLessThan(30 * minute);
    failing.remove();
    await core.advanceUntil(core.isSettled);
  });

  it('that is unreachable gets one probe at a time, and no attempt is counted', async () => {
    await core.service.stopListening();
    await addFiles(6);
    await core.advanceUntil(() => core.status().condition.kind === 'offline');
    await core.pass(20 * minute);
    expect(core.rows().map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(core.status().condition).toEqual({ kind: 'offline' });

    await core.service.startListening();
    await expectAllDone();
  });

  it('that becomes unreachable during transcription is polled again when it is back', async () => {
    core.service.account.holdsJobs = true;
    await addFiles(3);
    await core.advanceUntil(() => states().every((kind) => kind === 'transcribing'));
    await core.service.stopListening();
    await core.pass(30 * minute);
    expect(states()).toEqual(['transcribing', 'transcribing', 'transcribing']);
    await core.service.startListening();
    core.service.account.holdsJobs = false;
    await expectAllDone();
  });

  it('that limits the rate gets no request for as long as it asks, then half as many at once', async () => {
    core.service.account.holdsJobs = true;
    await addLinks(40);
    await core.advanceUntil(() => states().every((kind) => kind === 'transcribing'));
    // While each response takes a second, the maximum number of requests runs concurrently.
    core.service.answerAfterMs = second;
    await core.pass(minute);
    expect(maxConcurrent(core.service.callsOf('status'))).toBe(8);

    injectNow('status', refusal(429, 'rate_limited', '30'), 1);
    await core.advanceUntil(() => core.status().condition.kind === 'limited');
    const limitedAt = core.clock.now();
    await core.pass(29 * second);
    expect(callsSince(limitedAt).length).toBe(0);

    const maxWithin = async (ms: number): Promise<number> => {
      const since = core.clock.now();
      await core.pass(ms);
      return maxConcurrent(callsSince(since));
    };
    await core.pass(second);
    expect(await maxWithin(50 * second)).toBe(4);
    await core.pass(10 * second);
    expect(await maxWithin(50 * second)).toBe(5);
    await core.pass(10 * second);
    expect(await maxWithin(50 * second)).toBe(6);
    await core.pass(3 * minute);
    expect(await maxWithin(50 * second)).toBe(8);
    core.service.answerAfterMs = 0;
    core.service.account.holdsJobs = false;
    await expectAllDone();
  });

  it('without credits gets no new jobs, but uploads and polls continue', async () => {
    await addFiles(2);
    await core.advanceUntil(() => core.service.callsOf('part').length > 0);
    const noCredits = injectNow('create', refusal(402, 'insufficient_credits'));
    await core.addFile('late.wav');
    await core.addFile('later.wav');
    await core.advanceUntil(() => states().filter((kind) => kind === 'done').length === 2);
    expect(core.status().condition).toMatchObject({
      kind: 'no-credits',
      problem: { code: 'insufficient_credits' },
    });
    expect(core.rows().map(({ state }) => state)).toMatchObject([
      { kind: 'done' },
      { kind: 'done' },
      { waitsFor: 'credits' },
      { waitsFor: 'credits' },
    ]);
    const since = core.clock.now();
    await core.pass(60.5 * minute);
    // One probe each minute.
    expect(callsSince(since).length).toBe(60);
    expect(core.rows().map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0]);

    noCredits.remove();
    await core.pass(minute);
    await expectAllDone();
  });

  it('starts new jobs as soon as the balance has risen', async () => {
    core.service.account.holdsJobs = true;
    await addFiles(1);
    await core.advanceUntil(() => states()[0] === 'transcribing');
    await core.pass(10 * second);
    const noCredits = injectNow('create', refusal(402, 'insufficient_credits'));
    await core.addFile('late.wav');
    await core.advanceUntil(() => core.status().condition.kind === 'no-credits');
    noCredits.remove();
    core.service.account.balance += 500;
    const toppedUpAt = core.clock.now();
    await core.advanceUntil(() => states()[1] === 'transcribing');
    expect(core.clock.now() - toppedUpAt).toBeLessThan(15 * second);
    core.service.account.holdsJobs = false;
    await expectAllDone();
  });

  it('whose jobs fail for lack of credits gets no new jobs before the balance suffices', async () => {
    const { account } = core.service;
    account.checksCreditsLate = true;
    // A recording costs 2 credits, and both are sent at once.
    account.balance = 3;
    await addFiles(2);
    await core.advanceUntil(() => states().includes('done') && core.status().condition.kind === 'no-credits');
    const waitingRow = core.rows().find(({ state }) => state.kind !== 'done');
    expect(waitingRow?.state).toMatchObject({ kind: 'waiting', waitsFor: 'credits' });
    const since = core.clock.now();
    await core.pass(60.5 * minute);
    core.longhand.tryAgain(core.service.baseUrl);
    await core.pass(second);
    const laterCalls = core.service.calls.filter(({ at }) => at > since);
    // The balance is read each minute, and at the user's command.
    expect(laterCalls.map(({ endpoint }) => endpoint)).toEqual(Array(61).fill('status'));

    account.balance += 500;
    await core.pass(minute);
    await expectAllDone();
  });

  it('whose failed job tells no balance any more is asked for new jobs after some polls', async () => {
    const { account } = core.service;
    account.checksCreditsLate = true;
    account.balance = 1;
    await addFiles(1);
    await core.advanceUntil(() => core.status().condition.kind === 'no-credits');
    const broken = injectNow('status', refusal(500, 'request_failed'));
    account.balance += 500;
    const creations = core.service.callsOf('create').length;
    await core.advanceUntil(() => core.service.callsOf('create').length > creations);
    expect(broken.affectedCount).toBe(5);
    broken.remove();
    await expectAllDone();
  });

  it.each([
    ['active_job_limit', 'ready'],
    ['rate_limited', 'limited'],
    ['invalid_api_key', 'stopped'],
  ] as const)('whose jobs fail with %s is treated as if it had refused the request', async (code, kind) => {
    core.service.account.accountError = code;
    await addFiles(1);
    await core.advanceUntil(() => core.service.callsOf('status').length > 0 && states()[0] === 'waiting');
    expect(core.status().condition.kind).toBe(kind);
    core.service.account.accountError = null;
    core.longhand.tryAgain(core.service.baseUrl);
    await core.pass(minute);
    await expectAllDone();
  });

  it('whose jobs keep failing because of the account gets three jobs for a recording', async () => {
    core.service.account.accountError = 'active_job_limit';
    await addFiles(1);
    await core.advanceUntil(core.isSettled);
    expect(core.rows()[0]?.state).toMatchObject({ kind: 'failed', problem: { code: 'job_failed' } });
    expect(core.service.callsOf('create')).toHaveLength(3);
  });

  it('that refuses the key gets no request until the user has fixed it, and no attempt is counted', async () => {
    core.service.account.holdsJobs = true;
    await addFiles(3);
    await core.advanceUntil(() => states().includes('transcribing'));
    const endpoints = ['create', 'part', 'complete', 'status', 'delete'] as const;
    const refusals = endpoints.map((endpoint) => injectNow(endpoint, refusal(401, 'invalid_api_key')));
    await core.advanceUntil(() => core.status().condition.kind === 'stopped');
    const stoppedAt = core.clock.now();
    await core.pass(2 * 60 * minute);
    expect(callsSince(stoppedAt).length).toBe(0);
    expect(core.rows().map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    expect(core.status().condition).toMatchObject({ problem: { code: 'invalid_api_key' } });

    refusals.forEach((one) => one.remove());
    core.service.account.holdsJobs = false;
    core.longhand.tryAgain(core.service.baseUrl);
    await expectAllDone();
  });

  it('gets at most 50 jobs; the next one waits for a slot', async () => {
    core.service.account.holdsJobs = true;
    await addLinks(55);
    await core.pass(minute);
    expect(core.service.account.activeJobs).toBe(50);
    const waiting = core.rows().filter(({ state }) => state.kind === 'waiting');
    expect(waiting).toHaveLength(5);
    expect(waiting.map(({ state }) => state)).toEqual(
      [1, 2, 3, 4, 5].map((position) => ({ kind: 'waiting', waitsFor: 'slot', position }) satisfies RowState),
    );
    core.service.account.holdsJobs = false;
    await expectAllDone();
  });

  it('has rows, filters and counts that agree, whatever its items wait for', async () => {
    const conditions = new Set<string>();
    const reasons = new Set<string>();
    const expectAgreement = (): void => {
      const { condition } = core.status();
      conditions.add(condition.kind);
      const view = (filter: QueueFilter) => core.longhand.queue.view({ filter, offset: 0, limit: 100 });
      for (const filter of queueFilters) {
        const { rows, total, summary } = view(filter);
        expect(rows).toEqual(view('all').rows.filter((row) => isRowUnder(filter, row)));
        expect([total, summary.counts[filter]]).toEqual([rows.length, rows.length]);
      }
      const waiting = view('all').rows.flatMap(({ state }) => (state.kind === 'waiting' ? [state] : []));
      for (const { waitsFor } of waiting) reasons.add(waitsFor);
      const pausedStates = waiting.filter(({ waitsFor }) => waitsFor !== 'turn' && waitsFor !== 'slot');
      expect(pausedStates.map(({ position }) => position)).toEqual(pausedStates.map(() => null));
    };
    core.service.account.holdsJobs = true;
    await addFiles(2);
    await core.advanceUntil(() => states().every((state) => state === 'transcribing'));
    const faults: readonly (readonly [Endpoint, ScriptedFault])[] = [
      ['create', refusal(402, 'insufficient_credits')],
      ['create', refusal(429, 'rate_limited', '30')],
      ['create', refusal(429, 'active_job_limit', '40')],
      ['status', refusal(401, 'invalid_api_key')],
    ];
    for (const [endpoint, fault] of faults) {
      const injected = injectNow(endpoint, fault);
      await core.addFile(`${fault.kind}-${conditions.size}-${core.rows().length}.wav`);
      for (let step = 0; step < 20; step += 1) {
        await core.pass(10 * second);
        expectAgreement();
      }
      core.longhand.queue.setPaused(true);
      await core.addFile(`late-${core.rows().length}.wav`);
      expectAgreement();
      core.longhand.queue.setPaused(false);
      injected.remove();
      core.longhand.tryAgain(core.service.baseUrl);
      await core.pass(20 * second);
      expectAgreement();
    }
    expect([...conditions]).toEqual(expect.arrayContaining(['ready', 'no-credits', 'limited', 'stopped']));
    expect([...reasons]).toEqual(expect.arrayContaining(['paused', 'credits', 'key']));
    core.service.account.holdsJobs = false;
    await core.advanceUntil(core.isSettled);
    expectAgreement();
  });

  it('counts the jobs of paused items among the 50', async () => {
    core.service.account.holdsJobs = true;
    await addLinks(60);
    await core.pass(minute);
    core.longhand.queue.pause(
      core
        .rows()
        .slice(0, 10)
        .map(({ id }) => id),
    );
    await core.pass(minute);
    expect(states().filter((kind) => kind === 'transcribing')).toHaveLength(40);
    expect(core.service.violations).toEqual([]);
    core.longhand.queue.cancel(
      core
        .rows()
        .slice(0, 10)
        .map(({ id }) => id),
    );
    await core.advanceUntil(() => states().filter((kind) => kind === 'transcribing').length === 50);
    expect(core.service.violations).toEqual([]);
  });

  it('whose slots are taken by others is tried again when it asks for that', async () => {
    const full = injectNow('create', refusal(429, 'active_job_limit', '40'));
    await addFiles(3);
    await core.advanceUntil(() => full.affectedCount > 0);
    const fullAt = core.clock.now();
    await core.pass(39 * second);
    expect(callsSince(fullAt).length).toBe(0);
    expect(core.rows().map(({ lastProblem }) => lastProblem?.code)).toContain('active_job_limit');
    full.remove();
    await expectAllDone();
  });
});
