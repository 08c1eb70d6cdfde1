import { expect, it } from 'vitest';
import { TimeSlices } from '../../../electron/core/time-slices.ts';
import { ManualClock } from '../../support/clocks/manual-clock.ts';

it('rests once it has worked for some milliseconds, and begins anew after that', async () => {
  const clock = new ManualClock();
  const slices = new TimeSlices(clock);
  await slices.rest();
  clock.advance(2);
  await slices.rest();
  expect(clock.nextAt).toBe(null);

  for (let round = 0; round < 2; round += 1) {
    clock.advance(10);
    const resting = slices.rest();
    expect(clock.nextAt).not.toBe(null);
    clock.advance(10);
    await resting;
    await slices.rest();
    expect(clock.nextAt).toBe(null);
  }
});

it('rests when the clock was set back', async () => {
  const clock = new ManualClock();
  let time = 0;
  const back = new TimeSlices({ now: () => (time -= 1000), schedule: clock.schedule.bind(clock) });
  const resting = back.rest();
  expect(clock.nextAt).not.toBe(null);
  clock.advance(10);
  await resting;
});
