import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import { type Fault, unexpectedFault } from '../../../../electron/core/api/service-results.ts';
import { Follower } from '../../../../electron/core/service-jobs/follower.ts';
import { FaultError } from '../../../../electron/core/service-jobs/job-requests.ts';
import type { ServiceJobStore } from '../../../../electron/core/store/service-job-store.ts';
import { quietLogger } from '../../../support/core.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore } from '../store/store-kit.ts';

const service = 'https://cloud.example';
const refused = (httpStatus: number): Fault => ({
  kind: 'refused',
  httpStatus,
  code: null,
  message: 'no',
  retryAfterMs: null,
});

let clock: ManualClock;
let jobs: ServiceJobStore;
/** The result for each job: ended, not ended, or an error. */
let answers: Map<string, boolean | Error>;
let asked: string[];
let overs: number;
/** Jobs that may not be polled now. */
const notDue = new Set<string>();
const line = { isReady: true, hasEnded: false, isDue: (jobId: string) => !notDue.has(jobId) };
let follower: Follower;

beforeEach(async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  clock = new ManualClock();
  jobs = store.serviceJobs;
  answers = new Map();
  asked = [];
  overs = 0;
  notDue.clear();
  line.isReady = true;
  line.hasEnded = false;
  follower = newFollower();
});

function newFollower(): Follower {
  return new Follower({
    service,
    jobs,
    clock,
    logger: quietLogger,
    jobRequests: line,
    fetch: async (jobId) => {
      asked.push(jobId);
      const answer = answers.get(jobId) ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onEnded: async () => {
      overs += 1;
    },
  });
}

/** Waits for one check of the followed jobs. */
async function look(): Promise<readonly string[]> {
  asked = [];
  clock.advance(15_000);
  await new Promise(setImmediate);
  return asked;
}

function follow(...those: readonly string[]): void {
  jobs.setFollowed(service, those, true);
  follower.start();
}

it('checks followed jobs until they have ended, and then nothing', async () => {
  follow('one', 'two');
  expect(await look()).toEqual(['one', 'two']);
  expect(overs).toBe(0);
  answers.set('one', true);
  expect(await look()).toEqual(['one', 'two']);
  expect(overs).toBe(1);
  expect(await look()).toEqual(['two']);
  answers.set('two', true);
  await look();
  expect(jobs.followed(service)).toEqual([]);
  expect(clock.nextAt).toBeNull();
});

it('continues after a restart', async () => {
  follow('one');
  follower.end();
  expect(clock.nextAt).toBeNull();
  follower = newFollower();
  follower.start();
  expect(await look()).toEqual(['one']);
});

it('asks nothing while the service is unavailable, and continues afterwards', async () => {
  follow('one');
  line.isReady = false;
  expect(await look()).toEqual([]);
  line.isReady = true;
  expect(await look()).toEqual(['one']);
});

it('stops following a job that the service does not know', async () => {
  follow('one', 'two');
  answers.set('one', new FaultError(refused(404)));
  expect(await look()).toEqual(['one', 'two']);
  expect(jobs.followed(service)).toEqual(['two']);
});

it.each([
  ['the service', new FaultError(refused(503))],
  ['its pause', new ProblemError({ code: 'rate_limited' })],
  ['the disk', new Error('disk I/O error')],
  ['a malformed response', new FaultError(unexpectedFault('the response has no job status'))],
])('ends a check after a failure of %s, and continues with the next job', async (_why, error) => {
  follow('one', 'two', 'zero');
  answers.set('one', error);
  expect(await look()).toEqual(['one']);
  answers.set('zero', true);
  expect(await look()).toEqual(['two', 'zero', 'one']);
  answers.set('one', true);
  expect(await look()).toEqual(['two', 'one']);
  expect(jobs.followed(service)).toEqual(['two']);
});

it('skips a job that may not be polled yet', async () => {
  follow('one', 'two');
  notDue.add('one');
  expect(await look()).toEqual(['two']);
});

it('continues once the followed jobs can be read again', async () => {
  follow('one');
  const read = vi.spyOn(jobs, 'followed').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  read.mockRestore();
  expect(await look()).toEqual(['one']);
});

it('ends in the middle of a check', async () => {
  follow('one', 'two');
  answers.set('one', true);
  clock.advance(15_000);
  line.hasEnded = true;
  await new Promise(setImmediate);
  expect(asked).toEqual(['one']);
  expect(clock.nextAt).toBeNull();
  // The result that was not stored is fetched again.
  expect(jobs.followed(service)).toEqual(['one', 'two']);
});
