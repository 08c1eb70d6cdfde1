import { expect, it } from 'vitest';
import { TransferMeter } from '../../../../../electron/core/queue/scheduling/transfer-meter.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

it('measures the rate of each item and of all over the last five seconds', () => {
  const clock = new ManualClock();
  const moved: number[] = [];
  const meter = new TransferMeter(clock, (id) => moved.push(id));
  meter.startPart(1);
  meter.startPart(2);
  for (let second = 0; second < 10; second += 1) {
    if (second > 0) clock.advance(1000);
    meter.recordSent(1, 300);
    if (second < 7) meter.recordSent(2, 100);
  }
  expect(meter.bytesPerSecond()).toBe((5 * 300 + 2 * 100) / 5);
  expect(meter.bytesPerSecond(1)).toBe(300);
  expect(meter.bytesPerSecond(2)).toBe(40);
  expect(meter.bytesPerSecond(3)).toBe(0);
  expect(moved).toHaveLength(17);
});

it('counts the bytes sent beyond the acknowledged parts', () => {
  const meter = new TransferMeter(new ManualClock(), () => undefined);
  meter.startPart(1);
  meter.recordSent(1, 70);
  meter.startPart(2);
  meter.recordSent(2, 5);
  expect([meter.bytesInPart(1), meter.bytesInFlight()]).toEqual([70, 75]);
  meter.endPart(1);
  expect([meter.bytesInPart(1), meter.bytesInFlight()]).toEqual([0, 5]);
});
