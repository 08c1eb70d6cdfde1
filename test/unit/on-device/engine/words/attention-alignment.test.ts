import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFirstFrames, warp } from '../../../../../electron/on-device/engine/words/attention-alignment.ts';

describe('time warping', () => {
  const table = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.record({
        rows: fc.constant(rows),
        columns: fc.constant(columns),
        costs: fc.array(fc.integer({ min: -9, max: 9 }), {
          minLength: rows * columns,
          maxLength: rows * columns,
        }),
      }),
    );

  it('finds a path than which none is cheaper', () => {
    fc.assert(
      fc.property(table, ({ rows, columns, costs }) => {
        const first = warp(Float32Array.from(costs), rows, columns);
        expect(first).toEqual(first.toSorted());
        expect(first[0]).toBe(0);
        expect(costOf([...first], costs, columns)).toBe(cheapest(costs, rows, columns));
      }),
    );
  });

  it('leaves all rows at the beginning when there are no columns', () => {
    expect([...warp(new Float32Array(0), 3, 0)]).toEqual([0, 0, 0]);
  });
});

describe('the alignment of tokens', () => {
  /** Frames of each token. */
  const durations = fc.array(fc.integer({ min: 10, max: 40 }), { minLength: 2, maxLength: 12 });

  it('finds where the attention of each begins', () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: 1, max: 3 }), (frames, heads) => {
        expect([...findFirstFrames(attention(frames, heads, () => 0))]).toEqual(startsOf(frames));
      }),
    );
  });

  it('decides by the majority of seven frames', () => {
    // The second token begins at frame 30, but frames 26 to 28 are its own as well.
    const flickering = attention([30, 30], 1, (row, frame) =>
      row === 1 && frame >= 26 && frame <= 28 ? 5 : 0,
    );
    expect([...findFirstFrames(flickering)]).toEqual([0, 27]);
  });

  it('ignores short spikes, and frames that all tokens attend to', () => {
    fc.assert(
      fc.property(durations, fc.nat(), (frames, seed) => {
        const total = frames.reduce((sum, count) => sum + count, 0);
        const spiked = seed % frames.length;
        const spike = seed % total;
        const common = (seed * 7) % total;
        const changed = attention(frames, 2, (row, frame) => {
          if (frame === common) return 50;
          return row === spiked && (frame === spike || frame === spike + 1) ? 5 : 0;
        });
        for (const [i, start] of findFirstFrames(changed).entries())
          expect(Math.abs(start - (startsOf(frames)[i] ?? 0))).toBeLessThanOrEqual(3);
      }),
    );
  });
});

/** The cost of the cheapest path that enters each row in the given column, from above or from the left above. */
function costOf(first: readonly number[], costs: readonly number[], columns: number): number {
  return first.reduce((sum, from, row) => {
    const next = first[row + 1];
    const end = next === undefined ? columns - 1 : Math.max(next - 1, from);
    const whole = costs.slice(row * columns + from, row * columns + end + 1).reduce((a, b) => a + b, 0);
    const further = next !== undefined && next > end ? (costs[row * columns + next] ?? 0) : 0;
    return sum + whole + Math.min(further, 0);
  }, 0);
}

/** The cost of the cheapest of all paths. */
function cheapest(costs: readonly number[], rows: number, columns: number, row = 0, column = 0): number {
  const here = costs[row * columns + column] ?? 0;
  if (row === rows - 1 && column === columns - 1) return here;
  const steps = [
    [row + 1, column],
    [row, column + 1],
    [row + 1, column + 1],
  ] as const;
  const rest = steps
    .filter(([r, c]) => r < rows && c < columns)
    .map(([r, c]) => cheapest(costs, rows, columns, r, c));
  return here + Math.min(...rest);
}

/** Attention of 0.1 everywhere and 1 to each token's own frames, with changes. */
function attention(frames: readonly number[], heads: number, change: (row: number, frame: number) => number) {
  const total = frames.reduce((sum, count) => sum + count, 0);
  const weights = new Float32Array(heads * frames.length * total);
  for (let head = 0; head < heads; head++) {
    let start = 0;
    for (const [row, count] of frames.entries()) {
      for (let frame = 0; frame < total; frame++) {
        const own = frame >= start && frame < start + count ? 1 : 0.1;
        weights[(head * frames.length + row) * total + frame] = own + change(row, frame);
      }
      start += count;
    }
  }
  return { weights, heads, tokens: frames.length, frames: total };
}

const startsOf = (frames: readonly number[]): readonly number[] =>
  frames.map((_, i) => frames.slice(0, i).reduce((sum, count) => sum + count, 0));
