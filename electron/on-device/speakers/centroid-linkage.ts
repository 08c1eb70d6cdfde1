import { type Matrix, multiplyByTransposed, newMatrix, rowsOf } from './matrix.ts';

/** Rows whose distances are computed together. */
const blockRows = 64;
/** Merges between two calls of `throwIfCancelled`. */
const mergesPerCheck = 64;

/**
 * Clusters vectors of length 1 by centroid linkage: the two clusters whose centroids are closest merge, until the closest
 * are farther apart than the threshold. The result is that of SciPy's `fcluster(linkage(vectors, 'centroid'), threshold,
 * 'distance')`.
 *
 * It holds the squared distance of each pair as a 32-bit number, 200 MB for 10,000 vectors, and takes time in proportion
 * to the number of pairs: Müllner's generic algorithm (arXiv:1109.2378) with the update formula of Lance and Williams.
 *
 * @param vectors [n, width]
 * @param threshold a Euclidean distance
 * @param maxClusters while there are more, the closest clusters merge even if they are farther apart than the threshold
 * @param throwIfCancelled called often enough to stop within a second
 * @returns the cluster of each vector, numbered from 0 in the order of their first vectors
 */
export function clusterByCentroids(
  vectors: Matrix,
  threshold: number,
  maxClusters = Infinity,
  throwIfCancelled: () => void = () => undefined,
): Int32Array {
  const linkage = new Linkage(vectors, throwIfCancelled);
  for (let clusters = vectors.rows; ; clusters--) {
    if (clusters % mergesPerCheck === 0) throwIfCancelled();
    const maxDistance = clusters > maxClusters ? Number.MAX_VALUE : threshold * threshold;
    if (!linkage.mergeClosest(maxDistance)) break;
  }
  return linkage.clusters();
}

class Linkage {
  readonly #count: number;
  /** Squared distances of all pairs (i, j) with i < j, row after row. */
  readonly #distances: Float32Array;
  /** Vectors in each cluster; 0: it was merged into another one. */
  readonly #sizes: Int32Array;
  /** The cluster that each cluster was merged into; itself until then. */
  readonly #parents: Int32Array;
  /** The closest cluster with a greater number; it may be out of date. */
  readonly #closest: Int32Array;
  /** A lower bound of the distance to it. */
  readonly #bounds: Float32Array;

  constructor(vectors: Matrix, throwIfCancelled: () => void) {
    const count = vectors.rows;
    this.#count = count;
    this.#distances = squaredDistances(vectors, throwIfCancelled);
    this.#sizes = new Int32Array(count).fill(1);
    this.#parents = Int32Array.from({ length: count }, (_, i) => i);
    this.#closest = new Int32Array(count);
    this.#bounds = new Float32Array(count);
    for (let i = 0; i < count; i++) this.#findClosest(i);
  }

  /** Merges the closest pair. @returns `false` if no pair is within the maximum distance. */
  mergeClosest(maxDistance: number): boolean {
    for (;;) {
      const low = this.#minBound();
      const bound = this.#bounds[low] ?? Infinity;
      if (!(bound <= maxDistance)) return false;
      const high = this.#closest[low] ?? 0;
      if (this.#sizeOf(high) > 0 && this.#distance(low, high) === bound) {
        this.#merge(low, high);
        return true;
      }
      this.#findClosest(low);
    }
  }

  /** Returns the cluster of each vector. */
  clusters(): Int32Array {
    const numbers = new Map<number, number>();
    return Int32Array.from({ length: this.#count }, (_, i) => {
      let root = i;
      for (let parent = this.#parents[root] ?? root; parent !== root; parent = this.#parents[root] ?? root)
        root = parent;
      const number = numbers.get(root) ?? numbers.size;
      numbers.set(root, number);
      return number;
    });
  }

  #sizeOf(cluster: number): number {
    return this.#sizes[cluster] ?? 0;
  }

  #indexOf(low: number, high: number): number {
    return low * this.#count - (low * (low + 1)) / 2 + high - low - 1;
  }

  #distance(low: number, high: number): number {
    return this.#distances[this.#indexOf(low, high)] ?? Infinity;
  }

  #minBound(): number {
    let best = 0;
    let min = Infinity;
    for (let i = 0; i < this.#count; i++) {
      const bound = this.#bounds[i] ?? Infinity;
      if (bound < min) {
        min = bound;
        best = i;
      }
    }
    return best;
  }

  #findClosest(low: number): void {
    let best = low;
    let min = Infinity;
    let index = this.#indexOf(low, low + 1);
    for (let high = low + 1; high < this.#count; high++, index++) {
      const distance = this.#distances[index] ?? Infinity;
      if (distance < min && this.#sizeOf(high) > 0) {
        min = distance;
        best = high;
      }
    }
    this.#closest[low] = best;
    this.#bounds[low] = min;
  }

  /** Merges a cluster into another one with a greater number. */
  #merge(low: number, high: number): void {
    const [lowSize, highSize] = [this.#sizeOf(low), this.#sizeOf(high)];
    const size = lowSize + highSize;
    const between = (this.#distance(low, high) * lowSize * highSize) / size / size;
    this.#parents[low] = high;
    this.#sizes[low] = 0;
    this.#bounds[low] = Infinity;
    this.#sizes[high] = size;
    for (let other = 0; other < this.#count; other++) {
      if (other === high || this.#sizeOf(other) === 0) continue;
      const toLow = other < low ? this.#distance(other, low) : this.#distance(low, other);
      const index = other < high ? this.#indexOf(other, high) : this.#indexOf(high, other);
      const distance = (lowSize * toLow + highSize * (this.#distances[index] ?? 0)) / size - between;
      this.#distances[index] = distance;
      if (other < high) {
        if (this.#closest[other] === low) this.#closest[other] = high;
        // Centroids can come closer; if they move away, the bound stays below the distance.
        if (distance < (this.#bounds[other] ?? 0)) {
          this.#closest[other] = high;
          this.#bounds[other] = this.#distances[index] ?? distance;
        }
      }
    }
    this.#findClosest(high);
  }
}

function squaredDistances(vectors: Matrix, throwIfCancelled: () => void): Float32Array {
  const count = vectors.rows;
  const distances = new Float32Array((count * (count - 1)) / 2);
  const products = newMatrix(blockRows, count);
  let index = 0;
  for (let from = 0; from < count; from += blockRows) {
    throwIfCancelled();
    const to = Math.min(from + blockRows, count);
    const right = rowsOf(vectors, from, count);
    const block = { ...products, rows: to - from, columns: right.rows };
    multiplyByTransposed(rowsOf(vectors, from, to), right, block);
    for (let i = 0; i < block.rows; i++) {
      for (let j = i + 1; j < block.columns; j++) {
        distances[index] = Math.max(0, 2 - 2 * (block.values[i * block.columns + j] ?? 0));
        index++;
      }
    }
  }
  return distances;
}
