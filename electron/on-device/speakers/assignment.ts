/**
 * Assigns each row at most one column and each column at most one row, so that the sum of the scores is greatest: the
 * Hungarian algorithm with potentials, in O(n² m) for n rows or columns, whichever are fewer, and m of the others.
 *
 * @param scores [rows, columns], row after row; finite
 * @returns the column of each row; -1 where there are fewer columns than rows
 */
export function assignBest(scores: ArrayLike<number>, rows: number, columns: number): Int32Array {
  if (rows <= columns) {
    return assignRows(rows, columns, (row, column) => -(scores[row * columns + column] ?? 0));
  }
  const rowOfColumns = assignRows(columns, rows, (column, row) => -(scores[row * columns + column] ?? 0));
  const result = new Int32Array(rows).fill(-1);
  rowOfColumns.forEach((row, column) => {
    result[row] = column;
  });
  return result;
}

/** Assigns every row a column at the least cost; there are at least as many columns. */
function assignRows(
  rows: number,
  columns: number,
  costOf: (row: number, column: number) => number,
): Int32Array {
  // The row of each column, from 1; 0: none. Column 0 holds the row that is being assigned.
  const rowOf = new Int32Array(columns + 1);
  const rowPotentials = new Float64Array(rows + 1);
  const columnPotentials = new Float64Array(columns + 1);
  const previous = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    const slack = new Float64Array(columns + 1).fill(Infinity);
    const isReached = new Uint8Array(columns + 1);
    let column = 0;
    // Grow a tree of alternating paths until it reaches a free column.
    do {
      isReached[column] = 1;
      const currentRow = rowOf[column] ?? 0;
      let delta = Infinity;
      let next = 0;
      for (let j = 1; j <= columns; j++) {
        if (isReached[j] === 1) continue;
        const reduced =
          costOf(currentRow - 1, j - 1) - (rowPotentials[currentRow] ?? 0) - (columnPotentials[j] ?? 0);
        if (reduced < (slack[j] ?? 0)) {
          slack[j] = reduced;
          previous[j] = column;
        }
        if ((slack[j] ?? 0) < delta) {
          delta = slack[j] ?? 0;
          next = j;
        }
      }
      for (let j = 0; j <= columns; j++) {
        if (isReached[j] === 1) {
          const reachedRow = rowOf[j] ?? 0;
          rowPotentials[reachedRow] = (rowPotentials[reachedRow] ?? 0) + delta;
          columnPotentials[j] = (columnPotentials[j] ?? 0) - delta;
        } else slack[j] = (slack[j] ?? 0) - delta;
      }
      column = next;
    } while ((rowOf[column] ?? 0) !== 0);
    while (column !== 0) {
      const previousColumn = previous[column] ?? 0;
      rowOf[column] = rowOf[previousColumn] ?? 0;
      column = previousColumn;
    }
  }
  const result = new Int32Array(rows).fill(-1);
  for (let j = 1; j <= columns; j++) {
    const row = rowOf[j] ?? 0;
    if (row > 0) result[row - 1] = j - 1;
  }
  return result;
}
