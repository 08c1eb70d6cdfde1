import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Matrix,
  multiplyByTransposed,
  newMatrix,
  rowOf,
  selectRows,
  transpose,
  withUnitRows,
} from '../../../../electron/on-device/speakers/matrix.ts';

const matrixOf = (rows: number, columns: number): fc.Arbitrary<Matrix> =>
  fc
    .array(fc.integer({ min: -9, max: 9 }), { minLength: rows * columns, maxLength: rows * columns })
    .map((values) => ({ rows, columns, values: Float64Array.from(values) }));
const size = fc.integer({ min: 0, max: 7 });

describe('a product with a transposed matrix', () => {
  it('has the scalar products of the rows', () => {
    // More than a block of rows on the right.
    const right = fc.oneof(size, fc.integer({ min: 60, max: 140 }));
    const factors = fc
      .tuple(size, right, size)
      .chain(([n, m, width]) => fc.tuple(matrixOf(n, width), matrixOf(m, width)));
    fc.assert(
      fc.property(factors, ([a, b]) => {
        const product = newMatrix(a.rows, b.rows);
        product.values.fill(NaN);
        multiplyByTransposed(a, b, product);
        for (let i = 0; i < a.rows; i++) {
          for (let j = 0; j < b.rows; j++) {
            const sum = rowOf(a, i).reduce((total, value, k) => total + value * rowOf(b, j)[k]!, 0);
            // No negative zero.
            expect(rowOf(product, i)[j]! + 0).toBe(sum + 0);
          }
        }
      }),
    );
  });
});

describe('a matrix', () => {
  const matrix: Matrix = { rows: 2, columns: 3, values: Float64Array.of(3, 0, 4, 0, 0, 0) };

  it('is transposed', () => {
    expect(transpose(matrix)).toEqual({ rows: 3, columns: 2, values: Float64Array.of(3, 0, 0, 0, 4, 0) });
  });

  it('gets rows of length 1, but for zeros', () => {
    expect([...withUnitRows(matrix).values]).toEqual([0.6, 0, 0.8, 0, 0, 0]);
    expect(matrix.values[0]).toBe(3);
  });

  it('is copied in another order of rows', () => {
    expect([...selectRows(matrix, [1, 0, 0]).values]).toEqual([0, 0, 0, 3, 0, 4, 3, 0, 4]);
  });
});
