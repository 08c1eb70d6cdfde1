import { type Matrix, multiplyByTransposed, newMatrix, rowOf } from './matrix.ts';

/** The best of several attempts is kept, since the outcome depends on the first centroids. */
const attemptCount = 5;
const maxRounds = 300;

/**
 * Divides vectors of length 1 into a given number of clusters, so that the sum of the squared distances from their
 * centroids is small: k-means (Lloyd's algorithm) from centroids that k-means++ chooses. The choice is the same in every
 * run. No cluster is empty.
 *
 * @param vectors [n, width]
 * @param count the number of clusters, at most n
 * @param throwIfCancelled called before each round
 * @returns the cluster of each vector, from 0
 */
export function kMeans(
  vectors: Matrix,
  count: number,
  throwIfCancelled: () => void = () => undefined,
): Int32Array {
  const random = new LinearCongruentialGenerator();
  let best: Attempt | null = null;
  for (let i = 0; i < (count > 1 ? attemptCount : 1); i++) {
    const attempt = runAttempt(vectors, chooseCentroids(vectors, count, random), throwIfCancelled);
    if (best === null || attempt.inertia < best.inertia) best = attempt;
  }
  return best?.clusters ?? new Int32Array(0);
}

interface Attempt {
  readonly clusters: Int32Array;
  /** The sum of the squared distances from the centroids. */
  readonly inertia: number;
}

function runAttempt(vectors: Matrix, centroids: Matrix, throwIfCancelled: () => void): Attempt {
  const clusters = new Int32Array(vectors.rows).fill(-1);
  const distances = new Float64Array(vectors.rows);
  for (let round = 0; round < maxRounds; round++) {
    throwIfCancelled();
    const hasChanged = assignVectors(vectors, centroids, clusters, distances);
    fillEmptyClusters(clusters, distances, centroids.rows);
    moveCentroids(vectors, clusters, centroids);
    if (!hasChanged) break;
  }
  return { clusters, inertia: distances.reduce((sum, distance) => sum + distance, 0) };
}

/** Assigns each vector to the closest centroid. @returns whether any changed */
function assignVectors(
  vectors: Matrix,
  centroids: Matrix,
  clusters: Int32Array,
  distances: Float64Array,
): boolean {
  const products = newMatrix(vectors.rows, centroids.rows);
  multiplyByTransposed(vectors, centroids, products);
  const lengths = Float64Array.from({ length: centroids.rows }, (_, i) => squaredLength(rowOf(centroids, i)));
  let hasChanged = false;
  for (let i = 0; i < vectors.rows; i++) {
    let best = 0;
    let min = Infinity;
    for (const [cluster, product] of rowOf(products, i).entries()) {
      const distance = (lengths[cluster] ?? 0) - 2 * product;
      if (distance < min) {
        min = distance;
        best = cluster;
      }
    }
    if (clusters[i] !== best) hasChanged = true;
    clusters[i] = best;
    distances[i] = Math.max(0, squaredLength(rowOf(vectors, i)) + min);
  }
  return hasChanged;
}

/** Gives each empty cluster the vector that is farthest from its centroid, unless it is alone. */
function fillEmptyClusters(clusters: Int32Array, distances: Float64Array, count: number): void {
  const sizes = new Int32Array(count);
  for (const cluster of clusters) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  for (let empty = 0; empty < count; empty++) {
    if ((sizes[empty] ?? 0) > 0) continue;
    let farthest = -1;
    for (const [i, cluster] of clusters.entries()) {
      if ((sizes[cluster] ?? 0) < 2) continue;
      if (farthest < 0 || (distances[i] ?? 0) > (distances[farthest] ?? 0)) farthest = i;
    }
    const donor = clusters[farthest];
    if (donor === undefined) return;
    sizes[donor] = (sizes[donor] ?? 0) - 1;
    sizes[empty] = 1;
    clusters[farthest] = empty;
    distances[farthest] = 0;
  }
}

function moveCentroids(vectors: Matrix, clusters: Int32Array, centroids: Matrix): void {
  const sizes = new Int32Array(centroids.rows);
  centroids.values.fill(0);
  for (const [i, cluster] of clusters.entries()) {
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    const centroid = rowOf(centroids, cluster);
    for (const [k, value] of rowOf(vectors, i).entries()) centroid[k] = (centroid[k] ?? 0) + value;
  }
  for (const [cluster, size] of sizes.entries()) {
    const centroid = rowOf(centroids, cluster);
    for (let k = 0; k < centroid.length; k++) centroid[k] = (centroid[k] ?? 0) / Math.max(1, size);
  }
}

/** Chooses vectors as centroids: each with a probability in proportion to its squared distance from those before. */
function chooseCentroids(vectors: Matrix, count: number, random: LinearCongruentialGenerator): Matrix {
  const centroids = newMatrix(count, vectors.columns);
  const distances = new Float64Array(vectors.rows).fill(1);
  for (let index = 0; index < count; index++) {
    const centroid = rowOf(centroids, index);
    centroid.set(rowOf(vectors, random.choose(distances)));
    for (let i = 0; i < vectors.rows; i++) {
      const distance = squaredDistance(rowOf(vectors, i), centroid);
      distances[i] = index === 0 ? distance : Math.min(distances[i] ?? 0, distance);
    }
  }
  return centroids;
}

const squaredLength = (vector: Float64Array): number => vector.reduce((sum, value) => sum + value * value, 0);

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += ((a[k] ?? 0) - (b[k] ?? 0)) ** 2;
  return sum;
}

/** Generates numbers that look random and are the same in every run. */
class LinearCongruentialGenerator {
  #state = 1;

  /** Chooses an index with a probability in proportion to its weight; 0 if all are zero. */
  choose(weights: Float64Array): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    let remaining = (this.#state / 2 ** 32) * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => (remaining -= weight) < 0);
    return Math.max(0, index);
  }
}
