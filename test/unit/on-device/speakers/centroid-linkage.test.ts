import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterByCentroids } from '../../../../electron/on-device/speakers/centroid-linkage.ts';
import { type Matrix, rowOf, withUnitRows } from '../../../../electron/on-device/speakers/matrix.ts';
import { asMatrix, inOrder } from './as-matrix.ts';
// Computed by SciPy: test/fixtures/speakers/make.py
import cases from './centroid-linkage.json' with { type: 'json' };

function cancel(): never {
  throw new Error('cancelled');
}

describe('centroid linkage', () => {
  it.each(cases.map((one, i) => ({ ...one, name: `case ${i}` })))(
    'finds the clusters of SciPy: $name',
    (one) => {
      for (const { threshold, of } of one.clusters) {
        expect([...clusterByCentroids(asMatrix(one.vectors), threshold)]).toEqual(inOrder(of));
      }
    },
  );

  it('merges the closest centroids first', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
    const vectors = fc
      .array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 12 })
      .map((rows) => withUnitRows(asMatrix(rows)))
      .filter((matrix) => !matrix.values.includes(0));
    fc.assert(
      fc.property(vectors, fc.double({ min: 0, max: 1.5, noNaN: true }), (matrix, threshold) => {
        const expected = clusterSlowly(matrix, threshold);
        fc.pre(expected !== null);
        expect([...clusterByCentroids(matrix, threshold)]).toEqual(expected);
      }),
    );
  });

  it('merges clusters that are farther apart if there are too many', () => {
    const { vectors, clusters } = cases[0]!;
    for (const { of } of clusters) {
      expect([...clusterByCentroids(asMatrix(vectors), 0.05, new Set(of).size)]).toEqual(inOrder(of));
    }
  });

  it('joins equal vectors, and needs none', () => {
    expect([
      ...clusterByCentroids(
        asMatrix([
          [1, 0],
          [0, 1],
          [1, 0],
        ]),
        0,
      ),
    ]).toEqual([0, 1, 0]);
    expect([...clusterByCentroids(asMatrix([]), 1)]).toEqual([]);
  });

  it('can be cancelled', () => {
    expect(() =>
      clusterByCentroids(
        asMatrix([
          [1, 0],
          [0, 1],
        ]),
        1,
        Infinity,
        cancel,
      ),
    ).toThrow('cancelled');
  });
});

/** Clusters by the definition; `null` if the result depends on rounding. */
function clusterSlowly(vectors: Matrix, threshold: number): readonly number[] | null {
  let clusters = Array.from({ length: vectors.rows }, (_, i) => [i]);
  const centroid = (members: readonly number[]): readonly number[] =>
    [0, 1, 2].map((k) => members.reduce((sum, i) => sum + rowOf(vectors, i)[k]!, 0) / members.length);
  for (;;) {
    const pairs = clusters
      .flatMap((a, i) =>
        clusters.slice(i + 1).map((b) => ({ a, b, distance: distance(centroid(a), centroid(b)) })),
      )
      .sort((one, other) => one.distance - other.distance);
    const [closest, next] = pairs;
    if (pairs.some((pair) => Math.abs(pair.distance - threshold) < 1e-3)) return null;
    if (closest === undefined || closest.distance > threshold) break;
    if (next !== undefined && next.distance - closest.distance < 1e-3) return null;
    const { a, b } = closest;
    clusters = [...clusters.filter((one) => one !== a && one !== b), [...a, ...b]];
  }
  return inOrder(
    Array.from({ length: vectors.rows }, (_, i) => clusters.findIndex((members) => members.includes(i))),
  );
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, k) => value - b[k]!));
