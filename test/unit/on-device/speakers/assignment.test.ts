import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignBest } from '../../../../electron/on-device/speakers/assignment.ts';
// Computed by SciPy: test/fixtures/speakers/make.py
import cases from './assignment.json' with { type: 'json' };

describe('an assignment', () => {
  it.each(cases)('is that of SciPy: $shape', ({ scores, columns }) => {
    expect([...assignBest(scores.flat(), scores.length, scores[0]!.length)]).toEqual(columns);
  });

  it('has the greatest sum', () => {
    const sizes = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
    const scored = sizes.chain(([rows, columns]) =>
      fc.tuple(
        fc.constant([rows, columns] as const),
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: rows * columns, maxLength: rows * columns }),
      ),
    );
    fc.assert(
      fc.property(scored, ([[rows, columns], scores]) => {
        const found = assignBest(scores, rows, columns);
        const used = found.filter((column) => column >= 0);
        expect(new Set(used).size).toBe(used.length);
        expect(used.length).toBe(Math.min(rows, columns));
        const sum = found.reduce(
          (total, column, row) => total + (column < 0 ? 0 : scores[row * columns + column]!),
          0,
        );
        expect(sum).toBe(bestSum(scores, rows, columns));
      }),
    );
  });
});

/** Tries all assignments of as many pairs as possible. */
function bestSum(
  scores: readonly number[],
  rows: number,
  columns: number,
  row = 0,
  used = new Set<number>(),
): number {
  if (row === rows) return used.size === Math.min(rows, columns) ? 0 : -Infinity;
  let best = rows > columns ? bestSum(scores, rows, columns, row + 1, used) : -Infinity;
  for (let column = 0; column < columns; column++) {
    if (used.has(column)) continue;
    const rest = bestSum(scores, rows, columns, row + 1, new Set([...used, column]));
    best = Math.max(best, scores[row * columns + column]! + rest);
  }
  return best;
}
