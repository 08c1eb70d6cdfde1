import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import {
  type Fault,
  type Job,
  type ServiceResult,
  unexpectedFault,
} from '../../../../electron/core/api/service-results.ts';
import type { JobWithRecord } from '../../../../electron/core/api/wire.ts';
import { Follower, type FollowerOptions } from '../../../../electron/core/service-jobs/follower.ts';
import { FaultError, JobRequests } from '../../../../electron/core/service-jobs/job-requests.ts';
import type { ServiceJobStore } from '../../../../electron/core/store/service-job-store.ts';
import { quietLogger } from '../../../support/core.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore } from '../store/store-kit.ts';

const service = 'https://cloud.example';
const refused = (httpStatus: number, retryAfterMs: number | null = null): Fault => ({
  kind: 'refused',
  httpStatus,
  code: null,
  message: 'no',
  retryAfterMs,
});
const job: Job = {
  status: 'processing',
  progress: 50,
  durationSeconds: 60,
  creditsCharged: 1,
  transcript: null,
  error: null,
};

let clock: ManualClock;
let jobs: ServiceJobStore;
/** The result for each job: ended, not ended, or an error. */
let responses: Map<string, boolean | Error>;
let requested: string[];
let endedCalls: number;
/** Jobs that may not be polled now. */
const notDue = new Set<string>();
const jobRequests = { isReady: true, isClosed: false, isDue: (jobId: string) => !notDue.has(jobId) };
let follower: Follower;

beforeEach(async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  clock = new ManualClock();
  jobs = store.serviceJobs;
  responses = new Map();
  requested = [];
  endedCalls = 0;
  notDue.clear();
  jobRequests.isReady = true;
  jobRequests.isClosed = false;
  follower = newFollower();
});

const notCalled = (): Promise<never> => Promise.reject(new Error('Not requested.'));

/** Returns the result for a job, which was requested. */
async function importTranscript(jobId: string): Promise<boolean> {
  requested.push(jobId);
  const response = responses.get(jobId) ?? false;
  if (response instanceof Error) throw response;
  return response;
}

function newFollower(options: Partial<FollowerOptions> = {}): Follower {
  return new Follower({
    service,
    jobs,
    clock,
    logger: quietLogger,
    jobRequests,
    importTranscript,
    ...options,
    onEnded: async () => {
      endedCalls += 1;
    },
  });
}

/** Waits for one check of the followed jobs. */
async function check(): Promise<readonly string[]> {
  requested = [];
  clock.advance(15_000);
  await new Promise(setImmediate);
  return requested;
}

function follow(...jobIds: readonly string[]): void {
  jobs.setFollowed(service, jobIds, true);
  follower.start();
}

it('checks followed jobs until they have ended, and then nothing', async () => {
  follow('one', 'two');
  expect(await check()).toEqual(['one', 'two']);
  expect(endedCalls).toBe(0);
  responses.set('one', true);
  expect(await check()).toEqual(['one', 'two']);
  expect(endedCalls).toBe(1);
  expect(await check()).toEqual(['two']);
  responses.set('two', true);
  await check();
  expect(jobs.followed(service)).toEqual([]);
  expect(clock.nextAt).toBeNull();
});

it('continues after a restart', async () => {
  follow('one');
  follower.stop();
  expect(clock.nextAt).toBeNull();
  follower = newFollower();
  follower.start();
  expect(await check()).toEqual(['one']);
});

it('asks nothing while the service is unavailable, and continues afterwards', async () => {
  follow('one');
  jobRequests.isReady = false;
  expect(await check()).toEqual([]);
  jobRequests.isReady = true;
  expect(await check()).toEqual(['one']);
});

it('stops following a job that the service does not know', async () => {
  follow('one', 'two');
  responses.set('one', new FaultError(refused(404)));
  expect(await check()).toEqual(['one', 'two']);
  expect(jobs.followed(service)).toEqual(['two']);
});

it.each([
  ['the service', new FaultError(refused(503))],
  ['its pause', new ProblemError({ code: 'rate_limited' })],
  ['the disk', new Error('disk I/O error')],
  ['a malformed response', new FaultError(unexpectedFault('the response has no job status'))],
])('ends a check after a failure of %s, and continues with the next job', async (_why, error) => {
  follow('one', 'two', 'zero');
  responses.set('one', error);
  expect(await check()).toEqual(['one']);
  responses.set('zero', true);
  expect(await check()).toEqual(['two', 'zero', 'one']);
  responses.set('one', true);
  expect(await check()).toEqual(['two', 'one']);
  expect(jobs.followed(service)).toEqual(['two']);
});

it.each([
  ['an unusable response', unexpectedFault('the response has no job status', 60_000)],
  ['a response that is cut off', { kind: 'interrupted', message: 'cut', retryAfterMs: 60_000 }],
  ['a rate limit', refused(429, 20_000)],
  ['a longer rate limit', refused(429, 45_000)],
] satisfies [string, Fault][])('checks all jobs although one always gets %s', async (_what, fault) => {
  const record = async (jobId: string): Promise<ServiceResult<JobWithRecord>> => {
    requested.push(jobId);
    return jobId === 'one'
      ? { ok: false, fault }
      : { ok: true, value: { job, record: null }, retryAfterMs: 60_000, balanceCredits: null };
  };
  const jobRequests = new JobRequests({
    clock,
    client: () => ({ list: notCalled, delete: notCalled, record }),
    condition: () => ({ kind: 'ready' }),
    onBalance: () => undefined,
  });
  follower = newFollower({
    jobRequests,
    importTranscript: async (jobId) => {
      await jobRequests.poll(jobId);
      return false;
    },
  });
  follow('one', 'two', 'zero');
  const polled = new Set<string>();
  for (let round = 0; round < 20; round += 1) for (const jobId of await check()) polled.add(jobId);
  expect([...polled].toSorted()).toEqual(['one', 'two', 'zero']);
});

it('skips a job that may not be polled yet', async () => {
  follow('one', 'two');
  notDue.add('one');
  expect(await check()).toEqual(['two']);
});

it('continues once the followed jobs can be read again', async () => {
  follow('one');
  const read = vi.spyOn(jobs, 'followed').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  expect(await check()).toEqual([]);
  expect(await check()).toEqual([]);
  read.mockRestore();
  expect(await check()).toEqual(['one']);
});

it('ends in the middle of a check', async () => {
  follow('one', 'two');
  responses.set('one', true);
  clock.advance(15_000);
  jobRequests.isClosed = true;
  await new Promise(setImmediate);
  expect(requested).toEqual(['one']);
  expect(clock.nextAt).toBeNull();
  // The result that was not stored is imported again.
  expect(jobs.followed(service)).toEqual(['one', 'two']);
});
