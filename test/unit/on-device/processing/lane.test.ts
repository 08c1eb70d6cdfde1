import { beforeEach, expect, test } from 'vitest';
import type { ServiceJob } from '../../../../electron/on-device/jobs/job.ts';
import { Lane } from '../../../../electron/on-device/processing/lane.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { quietLogger } from '../../../support/core.ts';

const job = (id: string): ServiceJob => ({
  id,
  status: 'queued',
  fileName: `${id}.wav`,
  source: { kind: 'link', url: 'https://media.example/' },
  sourceKind: 'audio',
  options: { language: 'auto', accuracy: 'fast', translateToEnglish: false, terms: [] },
  withWords: false,
  durationSeconds: 1,
  damage: null,
  creditsCharged: 1,
  error: null,
  crashScore: 0,
  isSuspect: false,
  createdAt: 0,
  endedAt: null,
});

let clock: ManualClock;
let waiting: ServiceJob[];
/** The started jobs, in order. */
let begun: string[];
let finish: Map<string, PromiseWithResolvers<void>>;

beforeEach(() => {
  clock = new ManualClock();
  waiting = [];
  begun = [];
  finish = new Map();
});

function lane(concurrency: number, look = (): readonly ServiceJob[] => waiting): Lane {
  const created: Lane = new Lane(
    {
      name: 'test',
      concurrency,
      waiting: look,
      run: async ({ id }, signal) => {
        begun.push(id);
        const end = Promise.withResolvers<void>();
        finish.set(id, end);
        signal.addEventListener('abort', () => end.resolve());
        await end.promise;
        waiting = waiting.filter((one) => one.id !== id);
      },
      onEnd: () => created.wake(),
    },
    clock,
    quietLogger,
  );
  return created;
}

test('starts jobs in order up to its concurrency, and the next one when a job ends', async () => {
  waiting = [job('a'), job('b'), job('c')];
  const two = lane(2);
  two.wake();
  two.wake();
  expect(begun).toEqual(['a', 'b']);
  finish.get('b')?.resolve();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
});

test('cancelling resolves after the job has ended', async () => {
  waiting = [job('a'), job('b')];
  const one = lane(1);
  one.wake();
  await one.cancel('a');
  expect(begun).toEqual(['a', 'b']);
  await one.cancel('never heard of');
});

test('after an internal error a job is retried later, while others continue', async () => {
  waiting = [job('a'), job('b')];
  const one = lane(1);
  one.wake();
  finish.get('a')?.reject(new Error('the disk is gone'));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  finish.get('b')?.resolve();
  await expect.poll(() => waiting).toHaveLength(1);
  one.wake();
  expect(begun).toEqual(['a', 'b']);
  clock.advance(30_000);
  expect(begun).toEqual(['a', 'b', 'a']);
});

test('retries later when the waiting jobs cannot be read', async () => {
  let isBroken = true;
  const look = (): readonly ServiceJob[] => {
    if (isBroken) throw new Error('the disk is gone');
    return waiting;
  };
  waiting = [job('a')];
  const one = lane(1, look);
  one.wake();
  one.wake();
  isBroken = false;
  clock.advance(30_000);
  expect(begun).toEqual(['a']);
  // The end of a job reads the waiting jobs too, which must not throw either.
  isBroken = true;
  waiting.push(job('b'));
  finish.get('a')?.resolve();
  await one.cancel('a');
  isBroken = false;
  clock.advance(30_000);
  expect(begun).toEqual(['a', 'b']);
});

test('a stopped lane starts nothing', async () => {
  waiting = [job('a'), job('b')];
  const one = lane(1);
  one.wake();
  await one.stop();
  one.wake();
  clock.advance(60_000);
  expect(begun).toEqual(['a']);
});
