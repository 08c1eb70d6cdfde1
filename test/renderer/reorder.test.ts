import { describe, expect, test } from 'vitest';
import { dropPosition, stepPosition } from '../../renderer/features/queue/use-reorder.ts';
import { sampleRow } from '../support/window/sample-rows.ts';

/** Ten rows of a list of a hundred, from index 20 on; the row at index i has the id i. */
const view = {
  total: 100,
  offset: 20,
  rows: Array.from({ length: 10 }, (_, index) => sampleRow({ id: 20 + index })),
};
const ids = (...those: readonly number[]) => new Set(those);

describe('rows that are dropped', () => {
  test('come before the row that is there', () => {
    expect(dropPosition(view, ids(28), 22)).toStrictEqual({ kind: 'before', id: 22 });
  });

  test('among themselves come before the next that is none of them', () => {
    expect(dropPosition(view, ids(22, 23), 22)).toStrictEqual({ kind: 'before', id: 24 });
  });

  test('at the end come after the last', () => {
    expect(dropPosition({ ...view, total: 30 }, ids(29), 30)).toStrictEqual({ kind: 'after', id: 28 });
  });
});

describe('a step by keyboard', () => {
  test('moves a block past its neighbour', () => {
    expect(stepPosition(view, ids(23, 24), 'up')).toStrictEqual({ kind: 'before', id: 22 });
    expect(stepPosition(view, ids(23, 24), 'down')).toStrictEqual({ kind: 'after', id: 25 });
  });

  test('leads nowhere beyond what is loaded', () => {
    expect(stepPosition(view, ids(20), 'up')).toBeNull();
    expect(stepPosition(view, ids(29), 'down')).toBeNull();
    expect(stepPosition(view, ids(99), 'up')).toBeNull();
  });
});
