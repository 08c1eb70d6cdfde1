import { describe, expect, test } from 'vitest';
import { dropPosition, stepPosition } from '../../renderer/features/queue/use-reorder.ts';
import { sampleRow } from '../support/window/sample-rows.ts';

/** Ten rows of a list of a hundred, from index 20 on; the row at index i has the id i. */
const view = {
  total: 100,
  offset: 20,
  rows: Array.from({ length: 10 }, (_, index) => sampleRow({ id: 20 + index })),
};
const ids = (...values: readonly number[]) => new Set(values);

describe('dropped rows', () => {
  test('are moved before the row at the drop position', () => {
    expect(dropPosition(view, ids(28), 22)).toStrictEqual({ kind: 'before', id: 22 });
  });

  test('dropped among themselves are moved before the next other row', () => {
    expect(dropPosition(view, ids(22, 23), 22)).toStrictEqual({ kind: 'before', id: 24 });
  });

  test('dropped at the end are moved after the last row', () => {
    expect(dropPosition({ ...view, total: 30 }, ids(29), 30)).toStrictEqual({ kind: 'after', id: 28 });
  });
});

describe('a move by keyboard', () => {
  test('moves a block past the adjacent row', () => {
    expect(stepPosition(view, ids(23, 24), 'up')).toStrictEqual({ kind: 'before', id: 22 });
    expect(stepPosition(view, ids(23, 24), 'down')).toStrictEqual({ kind: 'after', id: 25 });
  });

  test('does nothing beyond the loaded rows', () => {
    expect(stepPosition(view, ids(20), 'up')).toBeNull();
    expect(stepPosition(view, ids(29), 'down')).toBeNull();
    expect(stepPosition(view, ids(99), 'up')).toBeNull();
  });
});
