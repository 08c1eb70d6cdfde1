import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kMeans } from '../../../../electron/on-device/speakers/k-means.ts';
import { type Matrix, rowOf } from '../../../../electron/on-device/speakers/matrix.ts';
import { asMatrix, inOrder } from './as-matrix.ts';
// Computed by scikit-learn, the best of 50 attempts: test/fixtures/speakers/make.py
import cases from './k-means.json' with { type: 'json' };

describe('k-means', () => {
  it.each(cases.map((one, i) => ({ ...one, name: `case ${i}` })))(
    'is as good as scikit-learn: $name',
    (one) => {
      const vectors = asMatrix(one.vectors);
      const clusters = kMeans(vectors, one.count);
      expect(spreadOf(vectors, clusters) / spreadOf(vectors, one.clusters)).toBeLessThan(1.05);
      expect(spreadOf(vectors, one.clusters)).toBeCloseTo(one.spread, 3);
    },
  );

  it('finds clear clusters', () => {
    const [clear] = cases;
    const clusters = kMeans(asMatrix(clear!.vectors), clear!.count);
    expect(inOrder(clusters)).toEqual(inOrder(clear!.clusters));
  });

  it('fills every cluster, even with equal vectors, and finds the same each time', () => {
    const coordinate = fc.integer({ min: -2, max: 2 });
    const rows = fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.nat(), (vectors, seed) => {
        const count = 1 + (seed % vectors.length);
        const clusters = kMeans(asMatrix(vectors), count);
        expect(new Set(clusters).size).toBe(count);
        expect(kMeans(asMatrix(vectors), count)).toEqual(clusters);
      }),
    );
  });
});

/** The sum of the squared distances from the centroids. */
function spreadOf(vectors: Matrix, clusters: ArrayLike<number>): number {
  const members = Map.groupBy(Array.from(clusters).keys(), (i) => clusters[i]!);
  let spread = 0;
  for (const ids of members.values()) {
    for (let k = 0; k < vectors.columns; k++) {
      const values = ids.map((i) => rowOf(vectors, i)[k]!);
      const mean = values.reduce((sum, value) => sum + value) / values.length;
      spread += values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    }
  }
  return spread;
}
