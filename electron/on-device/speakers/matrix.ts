/** A matrix of numbers, row after row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** Creates a matrix of zeros. */
export const newMatrix = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  values: new Float64Array(rows * columns),
});

/** Returns one row of a matrix as a view. */
export const rowOf = ({ columns, values }: Matrix, row: number): Float64Array =>
  values.subarray(row * columns, (row + 1) * columns);

/** Returns neighbouring rows of a matrix as a view. */
export const rowsOf = ({ columns, values }: Matrix, from: number, to: number): Matrix => ({
  rows: to - from,
  columns,
  values: values.subarray(from * columns, to * columns),
});

/** Copies rows of a matrix in the given order. */
export function selectRows(matrix: Matrix, rows: ArrayLike<number>): Matrix {
  const selected = newMatrix(rows.length, matrix.columns);
  for (let i = 0; i < rows.length; i++) rowOf(selected, i).set(rowOf(matrix, rows[i] ?? 0));
  return selected;
}

export function transpose({ rows, columns, values }: Matrix): Matrix {
  const transposed = newMatrix(columns, rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) transposed.values[j * rows + i] = values[i * columns + j] ?? 0;
  }
  return transposed;
}

/** Returns a copy whose rows have the length 1; a row of zeros stays. */
export function withUnitRows(matrix: Matrix): Matrix {
  const unit = selectRows(
    matrix,
    Array.from({ length: matrix.rows }, (_, i) => i),
  );
  for (let i = 0; i < unit.rows; i++) {
    const row = rowOf(unit, i);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) / length;
  }
  return unit;
}

/** Rows of the second factor that stay in the processor's cache. */
const blockRows = 64;

/**
 * Multiplies a matrix with the transpose of another one: each value is the scalar product of two rows. Two rows times
 * four are computed together, which is more than twice as fast as one by one.
 *
 * @param left [n, width]
 * @param right [m, width]
 * @param product [n, m], which is overwritten
 */
export function multiplyByTransposed(left: Matrix, right: Matrix, product: Matrix): void {
  for (let from = 0; from < right.rows; from += blockRows) {
    const to = Math.min(from + blockRows, right.rows);
    for (let i = 0; i < left.rows; i += 2) {
      let j = from;
      if (i + 1 < left.rows) for (; j + 3 < to; j += 4) multiplyBlock(left, i, right, j, product);
      for (; j < to; j++) {
        multiplyRows(left, i, right, j, product);
        if (i + 1 < left.rows) multiplyRows(left, i + 1, right, j, product);
      }
    }
  }
}

function multiplyRows(left: Matrix, i: number, right: Matrix, j: number, product: Matrix): void {
  const width = left.columns;
  const [a, b] = [left.values, right.values];
  let sum = 0;
  for (let k = 0; k < width; k++) sum += (a[i * width + k] ?? 0) * (b[j * width + k] ?? 0);
  product.values[i * product.columns + j] = sum;
}

/** Multiplies the rows from `i` to `i + 1` with those from `j` to `j + 3`. */
function multiplyBlock(left: Matrix, i: number, right: Matrix, j: number, product: Matrix): void {
  const width = left.columns;
  const [a, b, out] = [left.values, right.values, product.values];
  const a0 = i * width;
  const a1 = a0 + width;
  const b0 = j * width;
  const b1 = b0 + width;
  const b2 = b1 + width;
  const b3 = b2 + width;
  let [s00, s01, s02, s03] = [0, 0, 0, 0];
  let [s10, s11, s12, s13] = [0, 0, 0, 0];
  for (let k = 0; k < width; k++) {
    const x = a[a0 + k] ?? 0;
    const y = a[a1 + k] ?? 0;
    const p = b[b0 + k] ?? 0;
    const q = b[b1 + k] ?? 0;
    const r = b[b2 + k] ?? 0;
    const s = b[b3 + k] ?? 0;
    s00 += x * p;
    s01 += x * q;
    s02 += x * r;
    s03 += x * s;
    s10 += y * p;
    s11 += y * q;
    s12 += y * r;
    s13 += y * s;
  }
  const to = i * product.columns + j;
  out[to] = s00;
  out[to + 1] = s01;
  out[to + 2] = s02;
  out[to + 3] = s03;
  const next = to + product.columns;
  out[next] = s10;
  out[next + 1] = s11;
  out[next + 2] = s12;
  out[next + 3] = s13;
}
