import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partCountOf, partOf } from '../../../../electron/core/api/part-plan.ts';

it('splits any file into parts without gaps or overlaps', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 600 }),
      (fileSize, partSize) => {
        const count = partCountOf(fileSize, partSize);
        let end = 0;
        for (let number = 1; number <= count; number += 1) {
          const part = partOf(fileSize, partSize, number);
          expect(part.offset).toBe(end);
          expect(part.length).toBe(number < count ? partSize : fileSize - end);
          end += part.length;
        }
        expect(end).toBe(fileSize);
      },
    ),
  );
});

it('plans files beyond 4 GiB', () => {
  const size = 50 * 1024 ** 3 + 1;
  const count = partCountOf(size, 8 * 1024 ** 2);
  expect(count).toBe(6401);
  expect(partOf(size, 8 * 1024 ** 2, count)).toEqual({ number: count, offset: size - 1, length: 1 });
});

it.each([0, 3, 1.5, Number.NaN])('rejects part %s of a file with two parts', (number) => {
  expect(() => partOf(16, 8, number)).toThrow(
    new RangeError(`a file of 16 bytes has no part ${number} of 8 bytes`),
  );
});
