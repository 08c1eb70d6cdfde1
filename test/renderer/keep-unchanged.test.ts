import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepUnchanged } from '../../renderer/view-subscriptions.ts';

interface Row {
  readonly id: number;
  readonly state: { readonly kind: string; readonly progress?: number | undefined };
}

const rows = (...list: readonly Row[]): readonly Row[] => structuredClone(list);
const waiting = (id: number): Row => ({ id, state: { kind: 'waiting' } });

test('equal rows stay the same objects wherever they move', () => {
  const before = rows(waiting(1), waiting(2), { id: 3, state: { kind: 'transcribing', progress: 10 } });
  const after = rows({ id: 3, state: { kind: 'transcribing', progress: 11 } }, waiting(2), waiting(4));

  const result = keepUnchanged(before, after);

  expect(result).toStrictEqual(after);
  expect(result[1]).toBe(before[1]);
  expect(result[0]).toBe(after[0]);
});

test('an added or removed field makes another row', () => {
  const before = rows({ id: 1, state: { kind: 'paused', progress: undefined } });
  const after = rows({ id: 1, state: { kind: 'paused' } });
  expect(keepUnchanged(before, after)[0]).toBe(after[0]);
});

test('the result always equals the new data', () => {
  const row = fc.record({ id: fc.nat({ max: 5 }), state: fc.jsonValue() }, { noNullPrototype: true });
  const list = fc.uniqueArray(row, { selector: ({ id }) => id });
  fc.assert(
    fc.property(list, list, (before, after) => {
      expect(keepUnchanged(before, after)).toStrictEqual(after);
    }),
  );
});
