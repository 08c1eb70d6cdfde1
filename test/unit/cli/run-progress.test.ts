import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RunProgress } from '../../../electron/cli/reporting/run-progress.ts';
import type { RowState } from '../../../electron/contract/queue-commands.ts';
import { ManualClock } from '../../support/clocks/manual-clock.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';

const done: RowState = { kind: 'cancelled' };
const waiting: RowState = { kind: 'waiting', waitsFor: 'slot', position: null };
const at = (progress: number): RowState => ({ kind: 'transcribing', status: 'processing', progress });

it('is measured in audio: a long recording counts for more', () => {
  const progress = new RunProgress(new ManualClock());
  progress.update(sampleRow({ id: 1, durationSeconds: 900, state: at(50) }));
  progress.update(sampleRow({ id: 2, durationSeconds: 100, state: done }));
  expect(progress).toMatchObject({ count: 2, settled: 1, percent: 55 });
});

it('knows the time left from the speed of this run, without what was done before it', () => {
  const clock = new ManualClock();
  const progress = new RunProgress(clock);
  progress.update(sampleRow({ id: 1, durationSeconds: 600, state: done }));
  progress.update(sampleRow({ id: 2, durationSeconds: 600, state: at(10) }));
  expect(progress.secondsLeft).toBeNull();
  clock.advance(30_000);
  expect(progress.secondsLeft).toBeNull();
  progress.update(sampleRow({ id: 2, durationSeconds: 600, state: at(40) }));
  // 30 % took 30 s.
  expect(progress.secondsLeft).toBeCloseTo(60);
  progress.update(sampleRow({ id: 2, durationSeconds: 600, state: { kind: 'saving' } }));
  expect(progress).toMatchObject({ settled: 1, percent: 100, secondsLeft: null });
});

it('is between 0 and 100, and 100 once all is settled, whatever durations are known', () => {
  const row = fc.record({
    id: fc.integer({ min: 1, max: 5 }),
    durationSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    state: fc.oneof(fc.constant(done), fc.constant(waiting), fc.integer({ min: 0, max: 100 }).map(at)),
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const progress = new RunProgress(new ManualClock());
      const whole = new Map(rows.map((one) => [one.id, one.durationSeconds]));
      for (const one of rows) progress.update(sampleRow(one));
      expect(progress.percent).toBeGreaterThanOrEqual(0);
      expect(progress.percent).toBeLessThanOrEqual(100);
      for (const [id, durationSeconds] of whole)
        progress.update(sampleRow({ id, durationSeconds, state: done }));
      expect(progress.settled).toBe(whole.size);
      expect(progress.percent).toBe(100);
    }),
  );
});
