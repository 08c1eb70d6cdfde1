import { expect, test } from 'vitest';
import { LaneFaults } from '../../../../electron/on-device/processing/lane-faults.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

const jobs = ['a', 'b', 'c'].map((id) => ({ id }));
const idsOf = (some: readonly { readonly id: string }[]): string => some.map(({ id }) => id).join('');

test('after three faults in a row nothing starts for a minute, and no longer when the clock is set back', () => {
  let now = 10_000_000;
  const faults = new LaneFaults({ now: () => now, schedule: () => () => undefined });
  for (const { id } of jobs) faults.record(id);
  expect([faults.pauseLeftMs(), idsOf(faults.startable(jobs))]).toEqual([60_000, '']);
  now -= 1_000_000;
  expect([faults.pauseLeftMs(), idsOf(faults.startable(jobs))]).toEqual([0, 'abc']);
});

test('while nothing succeeds, the job that was tried least is next', () => {
  const clock = new ManualClock();
  const faults = new LaneFaults(clock);
  for (const id of ['a', 'b', 'a']) faults.record(id);
  clock.advance(60_000);
  expect(idsOf(faults.startable(jobs))).toBe('cba');
  faults.recordSuccess();
  expect(idsOf(faults.startable(jobs))).toBe('abc');
});

test('a job is given up at the fourth fault if others succeeded in between, else at the twentieth', () => {
  const faults = new LaneFaults(new ManualClock());
  const ends = (between: () => void): number => {
    for (let count = 1; ; count++) {
      if (faults.record('a')) return count;
      between();
    }
  };
  expect(ends(() => faults.recordSuccess())).toBe(4);
  faults.forget('a');
  expect(ends(() => faults.record('b'))).toBe(20);
});
