import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../../../electron/core/queue/machine/transitions.ts';

const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });

describe('the backoff', () => {
  it('is random between zero and a ceiling that doubles up to a minute', () => {
    const most = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => backoffMs(attempts, 0.999_999, null));
    expect(most).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(backoffMs(8, 0, null)).toBe(0);
    expect(backoffMs(3, 0.5, null)).toBe(4_000);
  });

  it('is five minutes after eight attempts, without jitter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 10_000 }), random, (attempts, drawn) => {
        expect(backoffMs(attempts, drawn, null)).toBe(300_000);
      }),
    );
  });

  it('is never shorter than what the service asks for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), random, fc.nat(3_600_000), (attempts, drawn, floor) => {
        expect(backoffMs(attempts, drawn, floor)).toBe(Math.max(floor, backoffMs(attempts, drawn, null)));
      }),
    );
  });
});
