import { describe, expect, it } from 'vitest';
import { QueueSpeedMeter } from '../../../../../electron/core/queue/view/speed-meter.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

function started(): { readonly clock: ManualClock; readonly meter: QueueSpeedMeter } {
  const clock = new ManualClock();
  const meter = new QueueSpeedMeter(clock);
  meter.observe(true);
  return { clock, meter };
}

describe('the speed', () => {
  it('is unknown before a recording has been finished', () => {
    const { clock, meter } = started();
    clock.advance(600_000);
    expect(meter.timesRealTime).toBeNull();
  });

  it('is the finished duration divided by the time it took', () => {
    const { clock, meter } = started();
    clock.advance(60_000);
    meter.recordFinished(600);
    clock.advance(60_000);
    meter.recordFinished(1200);
    expect(meter.timesRealTime).toBe(15);
    clock.advance(30_000);
    expect(meter.timesRealTime).toBe(15);
  });

  it('falls while nothing is finished', () => {
    const { clock, meter } = started();
    clock.advance(60_000);
    meter.recordFinished(600);
    clock.advance(240_000);
    expect(meter.timesRealTime).toBe(2);
  });

  it('ignores idle time and too short measurements', () => {
    const { clock, meter } = started();
    clock.advance(60_000);
    meter.recordFinished(600);
    meter.observe(false);
    clock.advance(3_600_000);
    expect(meter.timesRealTime).toBeNull();
    meter.observe(true);
    clock.advance(2_000);
    meter.recordFinished(600);
    expect(meter.timesRealTime).toBeNull();
    clock.advance(8_000);
    expect(meter.timesRealTime).toBe(60);
  });

  it('follows the recordings finished last', () => {
    const { clock, meter } = started();
    for (let index = 0; index < 30; index++) {
      clock.advance(120_000);
      meter.recordFinished(240);
    }
    for (let index = 0; index < 30; index++) {
      clock.advance(120_000);
      meter.recordFinished(1200);
    }
    expect(meter.timesRealTime).toBe(10);
  });
});
