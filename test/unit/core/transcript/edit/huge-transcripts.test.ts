import { describe, expect, test } from 'vitest';
import { maxSegmentTextLength, maxTextLength } from '../../../../../electron/contract/limits.ts';
import type { Draft, StoredOperation } from '../../../../../electron/contract/transcript.ts';
import { applyChange, invertChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { compareLines } from '../../../../../electron/core/transcript/edit/compare.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';
import { run } from './edit-arbitraries.ts';

const many = (length: number): Draft =>
  draftOf(Array.from({ length }, (_, at) => newSegment(at, at + 1, 'word')));

describe('a huge transcript', () => {
  test('can be restored and undone', () => {
    // More arguments of a call would overflow the stack.
    const before = many(200_000);
    const { after, changes } = run(before, [{ kind: 'delete', segments: [7] }, { kind: 'restore' }]);
    expect(after.segments).toHaveLength(200_000);
    expect(changes.toReversed().map(invertChange).reduce(applyChange, after).segments).toHaveLength(200_000);
    const only = { current: [], original: before.segments.map(({ id }) => id) };
    const all = before.segments.map(({ id }) => id);
    expect(
      run(before, [
        { kind: 'delete', segments: all },
        { kind: 'restore', only },
      ]).after.segments,
    ).toHaveLength(200_000);
  });

  test('loses many segments in few steps, because each copies all of it', () => {
    const before = many(10_000);
    const ids = before.segments.map(({ id }) => id);
    for (const segments of [ids.slice(100, 9000), ids.filter((id) => id % 2 === 0)]) {
      const { after, changes } = run(before, [{ kind: 'delete', segments }]);
      expect(changes).toMatchObject([{ length: 1 }]);
      const gone = new Set(segments);
      expect(after.segments.map(({ id }) => id)).toEqual(ids.filter((id) => !gone.has(id)));
      expect(changes.map(invertChange).reduce(applyChange, after).segments).toEqual(before.segments);
    }
  });
});

describe('a replacement that would make a text too long', () => {
  const long = newSegment(0, 1, 'a'.repeat(maxSegmentTextLength));
  const query = { text: 'a', matchCase: true, wholeWords: false };

  test.each([
    ['of a segment', draftOf([newSegment(0, 1, 'b a'), long]), { kind: 'replace', query, replacement: 'aa' }],
    [
      'of the transcript',
      draftOf(Array.from({ length: 201 }, () => newSegment(0, 1, 'a'.repeat(maxSegmentTextLength / 2)))),
      { kind: 'replace', query, replacement: 'aa' },
    ],
    [
      'without times',
      draftOf([], 'a'.repeat(maxTextLength)),
      { kind: 'replace', query, replacement: 'a'.repeat(1000) },
    ],
    [
      'by other spellings',
      draftOf([newSegment(0, 1, 'x '.repeat(maxSegmentTextLength / 2))]),
      { kind: 'respell', spellings: ['x'], replacement: 'xxxx' },
    ],
  ] satisfies [string, Draft, StoredOperation][])('%s changes nothing', (_what, before, operation) => {
    expect(run(before, [operation]).changes).toEqual([[]]);
  });

  test('is made where it fits exactly', () => {
    const half = draftOf([newSegment(0, 1, 'a'.repeat(maxSegmentTextLength / 2))]);
    const { after } = run(half, [{ kind: 'replace', query, replacement: 'aa' }]);
    expect(after.segments[0]?.text).toBe(long.text);
  });
});

const text = (mark: string, changed: number) =>
  Array.from({ length: 1100 }, (_, index) => (index < changed ? `${mark}${index}` : 'same')).join('\n');

test('lines of texts that differ in too many are compared as a whole', () => {
  // Each changed line is deleted and inserted.
  expect(compareLines(text('b', 1001), text('a', 1001))).toStrictEqual([
    { at: 0, before: text('a', 1001), after: text('b', 1001) },
  ]);
  expect(compareLines(text('b', 1000), text('a', 1000))).toHaveLength(101);
});
