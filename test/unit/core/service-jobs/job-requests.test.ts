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

const ok = (
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
let responses: ServiceResult<never>[];
/** The requests to the service, and when they were made, in milliseconds from the start. */
let requested: string[];
let balances: number[];
let jobRequests: JobRequests;

beforeEach(() => {
  clock = new ManualClock(0);
  condition = { kind: 'ready' };
  responses = [];
  requested = [];
  balances = [];
  const respond = async (what: string): Promise<ServiceResult<never>> => {
    requested.push(`${what} ${clock.now()}`);
    const next = responses.shift();
    if (next === undefined) throw new Error('unexpected request');
    return next;
  };
  const client: JobsClient = {
    list: () => respond('list'),
    record: (jobId) => respond(jobId),
    delete: (jobId) => respond(`-${jobId}`),
  };
  jobRequests = new JobRequests({
    clock,
    client: () => client,
    condition: () => condition,
    onBalance: (credits) => balances.push(credits),
  });
});

const respondWith = (...results: readonly ServiceResult<JobWithRecord>[]): void => {
  responses.push(...(results as readonly ServiceResult<never>[]));
};

/** The outcome of a request while the clock advances a second at a time. */
async function withTime<T>(request: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): boolean => (isOver = true);
  request.then(over, over);
  for (let second = 0; second < 300; second += 1) {
    // Let everything that follows from an response happen first.
    await new Promise(setImmediate);
    if (isOver) break;
    clock.advance(1_000);
  }
  return request;
}

describe('a job', () => {
  it('is polled again only after the delay that its last response requested', async () => {
    respondWith(ok(8_000), ok(null), ok(null));
    expect(await jobRequests.poll('one')).toMatchObject({ job, pollAfterMs: 8_000 });
    expect(jobRequests.isDue('one')).toBe(false);
    await withTime(jobRequests.poll('one'));
    // Without a delay in the response, the default.
    await withTime(jobRequests.poll('one'));
    expect(requested).toEqual(['one 0', 'one 8000', 'one 11000']);
  });

  it('whose next poll is far away is not waited for', async () => {
    respondWith(ok(60_000), ok(null));
    await jobRequests.poll('one');
    await expect(jobRequests.poll('one')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    clock.advance(60_000);
    expect(jobRequests.isDue('one')).toBe(true);
    await jobRequests.poll('one');
    expect(requested).toEqual(['one 0', 'one 60000']);
  });

  it.each([
    ['a refusal', refused(503, 60_000).fault],
    ['an unexpected response', unexpectedFault('no job', 60_000)],
    ['a response that was cut off', cutOff(60_000).fault],
  ])(
    'is polled again only after the delay that %s requested, and others are not delayed',
    async (_what, fault) => {
      respondWith({ ok: false, fault }, ok(null), ok(null));
      await expect(jobRequests.poll('one')).rejects.toBeInstanceOf(FaultError);
      await jobRequests.poll('other');
      const notDue: unknown = await jobRequests.poll('one').catch((error: unknown) => error);
      expect(notDue).toMatchObject({ problem: { code: 'rate_limited' } });
      expect(affectsAllJobs(notDue)).toBe(false);
      clock.advance(60_000);
      await jobRequests.poll('one');
      expect(requested).toEqual(['one 0', 'other 0', 'one 60000']);
    },
  );

  it('reports the balance when its response contains one', async () => {
    respondWith(ok(null, 1_240), ok(null));
    await jobRequests.poll('one');
    await jobRequests.poll('other');
    expect(balances).toEqual([1_240]);
  });
});

describe('the service', () => {
  it('gets no request for as long as it asks', async () => {
    respondWith(refused(429, 12_000), ok(null));
    await expect(jobRequests.poll('one')).rejects.toBeInstanceOf(FaultError);
    await expect(jobRequests.poll('other')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    expect(jobRequests.isDue('other')).toBe(false);
    clock.advance(12_000);
    await jobRequests.poll('other');
    expect(requested).toEqual(['one 0', 'other 12000']);
  });

  it.each([
    ['a response that was cut off', lost],
    ['a shorter delay', refused(429, 1_000)],
  ])(
    'gets no request for as long as it asks, even if a concurrent request ends with %s',
    async (_what, end) => {
      respondWith(refused(429, 12_000), end, ok(null));
      const [one, other] = await Promise.allSettled([jobRequests.poll('one'), jobRequests.poll('other')]);
      expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
      clock.advance(11_000);
      await expect(jobRequests.poll('third')).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
      clock.advance(1_000);
      await jobRequests.poll('third');
      expect(requested).toEqual(['one 0', 'other 0', 'third 12000']);
    },
  );

  it.each([
    [{ kind: 'stopped', problem: { code: 'key_missing' } }, 'key_missing'],
    [{ kind: 'limited', until: 9 }, 'rate_limited'],
    [{ kind: 'starting' }, 'service_unavailable'],
  ] as const)('that is %j is not requested', async (current, code) => {
    condition = current;
    expect(jobRequests.isReady).toBe(false);
    await expect(jobRequests.poll('one')).rejects.toMatchObject({ problem: { code } });
    expect(requested).toEqual([]);
  });

  it.each(['offline', 'no-credits'] as const)(
    'that was %s a moment ago is requested anyway',
    async (kind) => {
      condition = kind === 'offline' ? { kind } : { kind, problem: { code: 'insufficient_credits' } };
      respondWith(ok(null));
      await jobRequests.poll('one');
      expect(requested).toEqual(['one 0']);
    },
  );

  it('makes no request once closed, and waiting requests are aborted', async () => {
    respondWith(ok(8_000));
    await jobRequests.poll('one');
    const waiting = jobRequests.poll('one');
    jobRequests.close();
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'service_unavailable' } });
    await expect(jobRequests.poll('other')).rejects.toMatchObject({
      problem: { code: 'service_unavailable' },
    });
    expect(requested).toEqual(['one 0']);
    expect(clock.nextAt).toBeNull();
  });
});

describe('a deletion', () => {
  it('whose response was lost is repeated, and an unknown job is gone then', async () => {
    responses.push(lost, refused(503, 9_000), cutOff(20_000), refused(404));
    await withTime(jobRequests.delete('one'));
    expect(requested).toEqual(['-one 0', '-one 2000', '-one 11000', '-one 31000']);
  });

  it('fails after five lost responses', async () => {
    responses.push(lost, lost, lost, lost, lost);
    await expect(withTime(jobRequests.delete('one'))).rejects.toBeInstanceOf(FaultError);
    expect(requested).toHaveLength(5);
  });

  it('that is refused is not repeated', async () => {
    responses.push(refused(403));
    await expect(jobRequests.delete('one')).rejects.toMatchObject({ problem: { code: 'invalid_api_key' } });
    expect(requested).toHaveLength(1);
  });
});
