import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchingPairs } from '../../../../electron/core/transcript/matching-pairs.ts';

/** Finds the pairs with the package, which is slower. */
function pairsOfPackage(before: string[], after: string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let [at, to] = [0, 0];
  for (const { added, removed, value } of diffArrays(before, after, { maxEditLength: 400 }) ?? []) {
    if (!added && !removed) value.forEach((_, index) => pairs.push([at + index, to + index]));
    if (!added) at += value.length;
    if (!removed) to += value.length;
  }
  return pairs;
}

const list = (maxLength: number) => fc.array(fc.constantFrom(...'abcd'), { maxLength });

test('are those of the shortest diff', () => {
  fc.assert(
    fc.property(list(30), list(30), (before, after) => {
      expect(matchingPairs(before, after)).toEqual(pairsOfPackage(before, after));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [200, 100],
  [201, 0],
])('of lists with %i other values are %i', (otherCount, pairCount) => {
  const before = Array.from({ length: 300 }, (_, at) => String(at));
  const after = before.map((value, at) => (at < otherCount ? 'other' : value));
  expect(matchingPairs(before, after)).toHaveLength(pairCount);
});
