/** Finds when tokens are said from the model's cross-attention. */

/** How much tokens attend to frames of the audio, for each alignment head. */
export interface TokenAttention {
  /** [heads, tokens, frames], none negative. {@link findFirstFrames} overwrites it. */
  readonly weights: Float32Array;
  readonly heads: number;
  readonly tokens: number;
  readonly frames: number;
}

/** Width of the median filter over frames, as in OpenAI's Whisper. */
const filterWidth = 7;
const filterMiddle = (filterWidth - 1) / 2;

/**
 * Returns for each token the first frame that belongs to it; ascending, and 0 for the first token. The method is that
 * of OpenAI's Whisper (`timing.py`): the weights of each head are standardized over the tokens, so that frames which
 * all tokens attend to do not count, and smoothed over time; the sum over the heads is aligned by dynamic time warping.
 */
export function findFirstFrames({ weights, heads, tokens, frames }: TokenAttention): Int32Array {
  const size = tokens * frames;
  const costs = new Float32Array(size);
  for (let head = 0; head < heads; head++) {
    const table = weights.subarray(head * size, (head + 1) * size);
    scaleRows(table, frames);
    standardizeColumns(table, frames);
    for (let from = 0; from < size; from += frames) {
      subtractMedians(costs.subarray(from, from + frames), table.subarray(from, from + frames));
    }
  }
  return warp(costs, tokens, frames);
}

/** Makes each row add up to 1: its frames are only a part of those that the model attends to. */
function scaleRows(table: Float32Array, columns: number): void {
  for (let from = 0; from < table.length; from += columns) {
    let sum = 0;
    for (let i = from; i < from + columns; i++) sum += table[i] ?? 0;
    if (sum > 0) for (let i = from; i < from + columns; i++) table[i] = (table[i] ?? 0) / sum;
  }
}

/** Gives each column a mean of 0 and a standard deviation of 1. */
function standardizeColumns(table: Float32Array, columns: number): void {
  const rows = table.length / columns;
  const means = new Float64Array(columns);
  const variances = new Float64Array(columns);
  for (let from = 0; from < table.length; from += columns) {
    for (let column = 0; column < columns; column++) {
      means[column] = (means[column] ?? 0) + (table[from + column] ?? 0) / rows;
    }
  }
  for (let from = 0; from < table.length; from += columns) {
    for (let column = 0; column < columns; column++) {
      const distance = (table[from + column] ?? 0) - (means[column] ?? 0);
      table[from + column] = distance;
      variances[column] = (variances[column] ?? 0) + distance ** 2 / rows;
    }
  }
  // A frame that all tokens attend to equally says nothing.
  const deviations = variances.map((variance) => Math.sqrt(variance) || Infinity);
  for (let from = 0; from < table.length; from += columns) {
    for (let column = 0; column < columns; column++) {
      table[from + column] = (table[from + column] ?? 0) / (deviations[column] ?? 1);
    }
  }
}

/** Subtracts the median around each value of a row, which is mirrored beyond its ends. */
function subtractMedians(costs: Float32Array, row: Float32Array): void {
  const last = row.length - 1;
  const valueAt = (i: number): number => row[Math.max(0, i > last ? 2 * last - i : Math.abs(i))] ?? 0;
  // The values around the current one, in ascending order.
  const sorted = Float32Array.from({ length: filterWidth }, (_, i) => valueAt(i - filterMiddle)).toSorted();
  for (let i = 0; i <= last; i++) {
    costs[i] = (costs[i] ?? 0) - (sorted[filterMiddle] ?? 0);
    replaceSorted(sorted, valueAt(i - filterMiddle), valueAt(i + 1 + filterMiddle));
  }
}

/** Replaces a value of a sorted list and keeps the list sorted. */
function replaceSorted(sorted: Float32Array, removed: number, added: number): void {
  let i = 0;
  while ((sorted[i] ?? removed) < removed) i++;
  for (; i > 0 && (sorted[i - 1] ?? 0) > added; i--) sorted[i] = sorted[i - 1] ?? 0;
  for (; i < sorted.length - 1 && (sorted[i + 1] ?? 0) < added; i++) sorted[i] = sorted[i + 1] ?? 0;
  sorted[i] = added;
}

/** Steps of a path: to the next row and column, to the next row, to the next column. */
const stepBoth = 0;
const stepRow = 1;
const stepColumn = 2;

/**
 * Finds the cheapest path through a table of costs from its first row and column to its last ones (dynamic time warping).
 * Each step goes to the next row, the next column, or both.
 *
 * @param costs [rows, columns]
 * @returns for each row, the first column of the path in it; ascending, 0 for the first row
 */
export function warp(costs: Float32Array, rows: number, columns: number): Int32Array {
  const firstColumns = new Int32Array(rows);
  if (columns === 0) return firstColumns;
  const steps = new Uint8Array(rows * columns);
  /** The cost of the cheapest path to each column of the previous row, replaced by those of the current one. */
  const totals = new Float64Array(columns).fill(Infinity);
  for (let row = 0; row < rows; row++) {
    let left = Infinity;
    let diagonal = row === 0 ? 0 : Infinity;
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column;
      const above = totals[column] ?? Infinity;
      const best = Math.min(diagonal, above, left);
      steps[index] = best === diagonal ? stepBoth : best === above ? stepRow : stepColumn;
      diagonal = above;
      left = best + (costs[index] ?? 0);
      totals[column] = left;
    }
  }
  for (let row = rows - 1, column = columns - 1; row > 0;) {
    firstColumns[row] = column;
    const step = steps[row * columns + column];
    if (step !== stepColumn) row--;
    if (step !== stepRow) column--;
  }
  return firstColumns;
}
