import { beforeEach, describe, expect, it } from 'vitest';
import type { ServiceCondition } from '../../../../electron/contract/service.ts';
import {
  unexpectedFault,
  type ServiceResult,
  type Fault,
  type Job,
} from '../../../../electron/core/api/service-results.ts';
import type { JobWithRecord } from '../../../../electron/core/api/wire.ts';
import {
  affectsAllJobs,
  FaultError,
  JobRequests,
  type JobsClient,
} from '../../../../electron/core/service-jobs/job-requests.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

const job: Job = {
  status: 'processing',
  progress: 50,
  durationSeconds: 60,
  creditsCharged: 1,
  transcript: null,
  error: null,
};

const told = (
  retryAfterMs: number | null,
  balanceCredits: number | null = null,
): ServiceResult<JobWithRecord> => ({
  ok: true,
  value: { job, record: null },
  retryAfterMs,
  balanceCredits,
});
const refused = (httpStatus: number, retryAfterMs: number | null = null): { ok: false; fault: Fault } => ({
  ok: false,
  fault: { kind: 'refused', httpStatus, code: null, message: 'no', retryAfterMs },
});
const cutOff = (retryAfterMs: number | null): { ok: false; fault: Fault } => ({
  ok: false,
  fault: { kind: 'interrupted', message: 'cut', retryAfterMs },
});
const lost = cutOff(null);

let clock: ManualClock;
let condition: ServiceCondition;
let answers: ServiceResult<never>[];
/** The requests to the service, and when they were made, in milliseconds from the start. */
let asked: string[];
let balances: number[];
let line: JobRequests;

beforeEach(() => {
  clock = new ManualClock(0);
  condition = { kind: 'ready' };
  answers = [];
  asked = [];
  balances = [];
  const answer = async (what: string): Promise<ServiceResult<never>> => {
    asked.push(`${what} ${clock.now()}`);
    const next = answers.shift();
    if (next === undefined) throw new Error('nothing more was to be asked');
    return next;
  };
  const client: JobsClient = {
    list: () => answer('list'),
    record: (jobId) => answer(jobId),
    delete: (jobId) => answer(`-${jobId}`),
  };
  line = new JobRequests({
    clock,
    client: () => client,
    condition: () => condition,
    onBalance: (credits) => balances.push(credits),
  });
});

const willAnswer = (...those: readonly ServiceResult<JobWithRecord>[]): void => {
  answers.push(...(those as readonly ServiceResult<never>[]));
};

/** The outcome of a request while the clock advances a second at a time. */
async function withTime<T>(request: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): boolean => (isOver = true);
  request.then(over, over);
  for (let second = 0; second < 300; second += 1) {
    // Let everything that follows from an answer happen first.
    await new Promise(setImmediate);
    if (isOver) break;
    clock.advance(1_000);
  }
  return request;
}

describe('a job', () => {
  it('is polled again only after the delay that its last answer asked for', async () => {
    willAnswer(told(8_000), told(null), told(null));
    expect(await line.poll('one')).toMatchObject({ job, pollAfterMs: 8_000 });
    expect(line.isDue('one')).toBe(false);
    await withTime(line.poll('one'));
    // Without a delay in the answer, the default.
    await withTime(line.poll('one'));
    expect(asked).toEqual(['one 0', 'one 8000', 'one 11000']);
  });

  it('whose next poll is far away is not waited for', async () => {
    willAnswer(told(60_000), told(null));
    await line.poll('one');
    await expect(line.poll('one')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    clock.advance(60_000);
    expect(line.isDue('one')).toBe(true);
    await line.poll('one');
    expect(asked).toEqual(['one 0', 'one 60000']);
  });

  it.each([
    ['a refusal', refused(503, 60_000).fault],
    ['an unexpected response', unexpectedFault('no job', 60_000)],
    ['a response that was cut off', cutOff(60_000).fault],
  ])(
    'is polled again only after the delay that %s asked for, and others are not delayed',
    async (_what, fault) => {
      willAnswer({ ok: false, fault }, told(null), told(null));
      await expect(line.poll('one')).rejects.toBeInstanceOf(FaultError);
      await line.poll('other');
      const notDue: unknown = await line.poll('one').catch((error: unknown) => error);
      expect(notDue).toMatchObject({ problem: { code: 'rate_limited' } });
      expect(affectsAllJobs(notDue)).toBe(false);
      clock.advance(60_000);
      await line.poll('one');
      expect(asked).toEqual(['one 0', 'other 0', 'one 60000']);
    },
  );

  it('reports the balance when its answer contains one', async () => {
    willAnswer(told(null, 1_240), told(null));
    await line.poll('one');
    await line.poll('other');
    expect(balances).toEqual([1_240]);
  });
});

describe('the service', () => {
  it('gets no request for as long as it asks', async () => {
    willAnswer(refused(429, 12_000), told(null));
    await expect(line.poll('one')).rejects.toBeInstanceOf(FaultError);
    await expect(line.poll('other')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    expect(line.isDue('other')).toBe(false);
    clock.advance(12_000);
    await line.poll('other');
    expect(asked).toEqual(['one 0', 'other 12000']);
  });

  it.each([
    ['a response that was cut off', lost],
    ['a shorter delay', refused(429, 1_000)],
  ])(
    'gets no request for as long as it asks, even if a concurrent request ends with %s',
    async (_what, end) => {
      willAnswer(refused(429, 12_000), end, told(null));
      const [one, other] = await Promise.allSettled([line.poll('one'), line.poll('other')]);
      expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
      clock.advance(11_000);
      await expect(line.poll('third')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
      clock.advance(1_000);
      await line.poll('third');
      expect(asked).toEqual(['one 0', 'other 0', 'third 12000']);
    },
  );

  it.each([
    [{ kind: 'stopped', problem: { code: 'key_missing' } }, 'key_missing'],
    [{ kind: 'limited', until: 9 }, 'rate_limited'],
    [{ kind: 'starting' }, 'service_unavailable'],
  ] as const)('that is %j is not asked', async (stands, code) => {
    condition = stands;
    expect(line.isReady).toBe(false);
    await expect(line.poll('one')).rejects.toMatchObject({ problem: { code } });
    expect(asked).toEqual([]);
  });

  it.each(['offline', 'no-credits'] as const)('that was %s a moment ago is asked anyway', async (kind) => {
    condition = kind === 'offline' ? { kind } : { kind, problem: { code: 'insufficient_credits' } };
    willAnswer(told(null));
    await line.poll('one');
    expect(asked).toEqual(['one 0']);
  });

  it('gets no request after the end, and waiting requests are aborted', async () => {
    willAnswer(told(8_000));
    await line.poll('one');
    const waiting = line.poll('one');
    line.end();
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'service_unavailable' } });
    await expect(line.poll('other')).rejects.toMatchObject({ problem: { code: 'service_unavailable' } });
    expect(asked).toEqual(['one 0']);
    expect(clock.nextAt).toBeNull();
  });
});

describe('a deletion', () => {
  it('whose answer was lost is repeated, and an unknown job is gone then', async () => {
    answers.push(lost, refused(503, 9_000), cutOff(20_000), refused(404));
    await withTime(line.delete('one'));
    expect(asked).toEqual(['-one 0', '-one 2000', '-one 11000', '-one 31000']);
  });

  it('fails after five lost answers', async () => {
    answers.push(lost, lost, lost, lost, lost);
    await expect(withTime(line.delete('one'))).rejects.toBeInstanceOf(FaultError);
    expect(asked).toHaveLength(5);
  });

  it('that is refused is not repeated', async () => {
    answers.push(refused(403));
    await expect(line.delete('one')).rejects.toMatchObject({ problem: { code: 'invalid_api_key' } });
    expect(asked).toHaveLength(1);
  });
});
