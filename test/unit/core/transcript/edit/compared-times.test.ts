import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundToMilliseconds } from '../../../../../electron/contract/milliseconds.ts';
import type { Draft, StoredOperation } from '../../../../../electron/contract/transcript.ts';
import { comparedTimes, compareSegments } from '../../../../../electron/core/transcript/edit/compare.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { findRetiming } from '../../../../../electron/core/transcript/edit/retiming.ts';
import { durationSeconds, edited, restoration } from './edit-arbitraries.ts';

const texts = ['One net.', 'Two nets.', 'Three boats.', 'Four walls.', 'Five.', 'Six.', 'Seven.', 'Eight.'];
const original = draftOf(texts.map((text, index) => ({ start: index * 4, end: index * 4 + 4, text })));

/** Returns the draft after some operations, and what its comparison says about times. */
function after(...operations: readonly StoredOperation[]) {
  const draft = edited(original, original, operations);
  const retiming = findRetiming(draft.segments, original.segments, durationSeconds);
  const rows = compareSegments(draft.segments, original.segments);
  const changed = rows.filter((row) => retiming !== null && comparedTimes(row, retiming) !== null);
  return { draft, changed, times: changed.map((row) => retiming && comparedTimes(row, retiming)) };
}

const boundary = { kind: 'move-boundary', segment: 1, edge: 'end', toSeconds: 9 } as const;

test('a moved boundary is a change of both segments, and restoring one restores it', () => {
  const { draft, changed, times } = after(boundary);
  expect(times).toStrictEqual([
    { before: { start: 4, end: 8 }, after: { start: 4, end: 9 } },
    { before: { start: 8, end: 12 }, after: { start: 9, end: 12 } },
  ]);
  for (const row of changed)
    expect(edited(draft, original, [restoration(row)]).segments).toStrictEqual(original.segments);
});

test('restoring one after the other brings back a gap that was closed', () => {
  const gapped = draftOf(texts.map((text, index) => ({ start: index * 4, end: index * 4 + 3, text })));
  const compared = (draft: Draft) => {
    const retiming = findRetiming(draft.segments, gapped.segments, durationSeconds);
    if (retiming === null) throw new Error('Times cannot be compared.');
    return compareSegments(draft.segments, gapped.segments).filter(
      (row) => comparedTimes(row, retiming) !== null,
    );
  };
  const closed = edited(gapped, gapped, [{ ...boundary, toSeconds: 8.5 }]);
  expect(compared(closed)).toHaveLength(2);
  for (const row of compared(closed)) {
    let draft = edited(closed, gapped, [restoration(row)]);
    for (const left of compared(draft)) draft = edited(draft, gapped, [restoration(left)]);
    expect(draft.segments).toStrictEqual(gapped.segments);
  }
});

test('restoring a segment beside a merged one leaves the merged one its times', () => {
  const operations = [
    { kind: 'merge', segment: 0, through: 1 },
    { kind: 'delete', segments: [2] },
    { kind: 'insert', after: 0, text: 'New.', fillsGap: true },
  ] as const;
  const draft = edited(original, original, operations);
  const row = compareSegments(draft.segments, original.segments).find(({ current }) =>
    current.some(({ text }) => text === 'New.'),
  );
  if (row === undefined) throw new Error('There is no such change.');
  expect(row.current[0]?.start).toBe(8);
  const restored = edited(draft, original, [restoration(row)]).segments;
  expect(restored.slice(0, 2)).toMatchObject([
    { start: 0, end: 8, text: 'One net. Two nets.' },
    { start: 8, end: 12, text: 'Three boats.' },
  ]);
});

test('a split is not a change of times, and the boundary inside of moved words is', () => {
  expect(after({ kind: 'split', segment: 1, offset: 4, atSeconds: 6 }).changed).toStrictEqual([]);
  const { draft, changed } = after({ kind: 'move-word', segment: 1, edge: 'end', by: -1 });
  expect(changed.map((row) => row.current.map(({ id }) => id))).toStrictEqual([[1, 2]]);
  expect(edited(draft, original, changed.map(restoration)).segments).toStrictEqual(original.segments);
});

test.each([
  ['shifted', 1, 2.5],
  ['stretched', 25 / 24, 0],
  ['both', 0.93, 1.2],
])('of a transcript that was %s, only other changes count and are restored', (_, factor, offsetSeconds) => {
  const retime = { kind: 'retime', factor, offsetSeconds } as const;
  expect(after(retime).changed).toStrictEqual([]);
  const { draft, changed } = after(boundary, retime);
  expect(changed).toHaveLength(2);
  const restored = edited(draft, original, changed.slice(0, 1).map(restoration)).segments;
  const expected = after(retime).draft.segments;
  for (const [index, { start, end, text }] of restored.entries()) {
    expect(text).toBe(texts[index]);
    expect(start).toBeCloseTo(expected[index]?.start ?? -1, 2);
    expect(end).toBeCloseTo(expected[index]?.end ?? -1, 2);
  }
});

test('times of which most have changed are not compared, and stay where they are', () => {
  const moves = [1, 2, 3, 4, 5, 6, 7].map((segment): StoredOperation => ({
    kind: 'move-boundary',
    segment,
    edge: 'start',
    toSeconds: segment * 4 + segment ** 3 / 100,
  }));
  const text: StoredOperation = { kind: 'set-text', segment: 2, text: 'Three ships.' };
  const { draft, changed } = after(...moves, text);
  expect(changed).toStrictEqual([]);
  const row = compareSegments(draft.segments, original.segments).find(
    ({ before, after: now }) => before !== now,
  );
  if (row === undefined) throw new Error('Nothing has changed.');
  expect(edited(draft, original, [restoration(row)]).segments).toStrictEqual(after(...moves).draft.segments);
});

const milliseconds = (min: number, max: number) => fc.integer({ min, max }).map((ms) => ms / 1000);

const isInOrder = ({ segments }: Draft): boolean =>
  segments.every(({ start }, index) => start >= (segments[index - 1]?.start ?? 0));

test('restored segments leave the others in order, even if they overlapped', () => {
  const id = fc.nat({ max: 7 });
  const time = milliseconds(0, 20_000);
  const spoken = fc
    .array(fc.tuple(milliseconds(0, 3000), milliseconds(0, 4000)), { minLength: 1, maxLength: 8 })
    .map((pieces) => {
      let start = 0;
      return draftOf(
        pieces.map(([sinceLast, length], index) => {
          start = roundToMilliseconds(start + sinceLast);
          return { start, end: roundToMilliseconds(start + length), text: `Net ${index}` };
        }),
      );
    });
  const operations = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('delete' as const), segments: fc.array(id, { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('set-times' as const), segment: id, start: time, end: time }),
      fc.record({
        kind: fc.constant('put-back' as const),
        start: time,
        end: time,
        text: fc.constant('New'),
        speaker: fc.constant(null),
      }),
      fc.record({
        kind: fc.constant('restore' as const),
        only: fc.record({
          current: fc.array(id, { maxLength: 1 }),
          original: fc
            .tuple(id, fc.integer({ min: 1, max: 3 }))
            .map(([from, count]) => Array.from({ length: count }, (_, index) => from + index)),
        }),
      }),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(spoken, operations, (before, edits) => {
      let draft = before;
      for (const edit of edits) {
        const changed = edited(draft, before, [edit]);
        expect(edit.kind !== 'restore' || !isInOrder(draft) || isInOrder(changed)).toBe(true);
        draft = changed;
      }
    }),
    { numRuns: 5000 },
  );
});

test('deleted segments get their time back from a neighbour that took it', () => {
  const spoken = draftOf([
    { start: 0, end: 4, text: 'One net. Two nets.' },
    { start: 4, end: 6, text: 'Three boats' },
    { start: 8, end: 9, text: 'Four walls' },
  ]);
  const restore = { kind: 'restore', only: { current: [], original: [1] } } as const;
  const times = (...edits: readonly StoredOperation[]) =>
    edited(spoken, spoken, [{ kind: 'delete', segments: [1] }, ...edits, restore]).segments.map(
      ({ start, end }) => [start, end],
    );
  const exact = [
    [0, 4],
    [4, 6],
    [8, 9],
  ];
  expect(times()).toStrictEqual(exact);
  expect(times({ kind: 'set-times', segment: 2, start: 4, end: 9 })).toStrictEqual(exact);
  expect(times({ kind: 'set-times', segment: 0, start: 0, end: 7 })).toStrictEqual(exact);
  // The next segment ends before the original place: as much as it can give.
  expect(times({ kind: 'set-times', segment: 2, start: 4, end: 4.5 })).toStrictEqual([
    [0, 4],
    [4, 4.4],
    [4.4, 4.5],
  ]);
  // A new segment keeps its time if there is room beside it, or else half of it.
  const inserted = (atSeconds: number, end: number) =>
    times(
      { kind: 'insert', after: 0, text: 'New', fillsGap: true },
      { kind: 'set-times', segment: 3, start: atSeconds, end },
    );
  expect(inserted(4.5, 5)).toStrictEqual([
    [0, 4],
    [4.5, 5],
    [5, 6],
    [8, 9],
  ]);
  expect(inserted(4, 8)).toStrictEqual([
    [0, 4],
    [4, 6],
    [6, 6.1],
    [8, 9],
  ]);
});
