import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partRange, planParts } from '../../../../electron/on-device/jobs/job.ts';

test('the parts cover the file without gaps, overlaps or empty parts (API part 2.3)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 500 }), (size, partSize) => {
      const plan = planParts(size, partSize, 0);
      let end = 0;
      for (let n = 1; n <= plan.partCount; n++) {
        const { offset, length } = partRange(size, plan, n);
        expect(offset).toBe(end);
        expect(length).toBe(Math.min(partSize, size - (n - 1) * partSize));
        expect(length).toBeGreaterThan(0);
        end = offset + length;
      }
      expect(end).toBe(size);
    }),
  );
});

test('plans parts of a file beyond 32 bits exactly', () => {
  const size = 64 * 1024 ** 3 - 1;
  const plan = planParts(size, 8 * 1024 ** 2, 0);
  expect(plan.partCount).toBe(8192);
  expect(partRange(size, plan, 8192)).toEqual({ offset: 8191 * 8 * 1024 ** 2, length: 8 * 1024 ** 2 - 1 });
});
