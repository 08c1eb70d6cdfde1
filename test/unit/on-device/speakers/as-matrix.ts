import type { Matrix } from '../../../../electron/on-device/speakers/matrix.ts';

/** Creates a matrix from its rows. */
export const asMatrix = (rows: readonly (readonly number[])[]): Matrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  values: Float64Array.from(rows.flat()),
});

/** Renumbers clusters in the order of their first members, so that equal partitions are equal. */
export function inOrder(clusters: Iterable<number>): readonly number[] {
  const numbers = new Map<number, number>();
  return Array.from(clusters, (cluster) => {
    if (!numbers.has(cluster)) numbers.set(cluster, numbers.size);
    return numbers.get(cluster)!;
  });
}
