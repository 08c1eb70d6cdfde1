import { expect, it } from 'vitest';
import { Yielder } from '../../../electron/core/yielder.ts';
import { ManualClock } from '../../support/clocks/manual-clock.ts';

it('pauses after some milliseconds of work, and starts over after that', async () => {
  const clock = new ManualClock();
  const slices = new Yielder(clock);
  await slices.yieldIfDue();
  clock.advance(2);
  await slices.yieldIfDue();
  expect(clock.nextAt).toBe(null);

  for (let round = 0; round < 2; round += 1) {
    clock.advance(10);
    const resting = slices.yieldIfDue();
    expect(clock.nextAt).not.toBe(null);
    clock.advance(10);
    await resting;
    await slices.yieldIfDue();
    expect(clock.nextAt).toBe(null);
  }
});

it('pauses if the clock was set back', async () => {
  const clock = new ManualClock();
  let time = 0;
  const back = new Yielder({ now: () => (time -= 1000), schedule: clock.schedule.bind(clock) });
  const resting = back.yieldIfDue();
  expect(clock.nextAt).not.toBe(null);
  clock.advance(10);
  await resting;
});
