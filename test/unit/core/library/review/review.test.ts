import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftSegment } from '../../../../../electron/contract/model/transcript.ts';
import { applyChange } from '../../../../../electron/core/library/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/library/edit/edit.ts';
import { withoutRepeats } from '../../../../../electron/core/library/review/phrases.ts';
import { review } from '../../../../../electron/core/library/review/review.ts';
import { draft, durationSeconds } from '../edit/arbitraries.ts';

const segment = (id: number, start: number, end: number, text: string): DraftSegment => ({
  id,
  start,
  end,
  text,
  speaker: null,
});

const kinds = (...segments: readonly DraftSegment[]) =>
  review(segments).map((one) => [one.kind, one.segment]);

const calm = segment(0, 0, 4, 'I went to work. What else?');

describe('a suspect place is', () => {
  test.each([
    [
      'a phrase that follows itself',
      [segment(1, 4, 9, 'The nets do not know. The nets do not know.')],
      'repeated',
    ],
    ['a word that follows itself again and again', [segment(1, 4, 9, 'no no no no')], 'repeated'],
    ['the same as before', [segment(1, 4, 8, 'I went to work, what else')], null],
    ['said faster than anybody can', [segment(1, 4, 5, 'We sat on the wall at noon, eleven of us.')], 'fast'],
    ['on for less than 0.3 s', [segment(1, 4, 4.2, 'Yes.')], 'short'],
    ['in two places at once', [segment(1, 3, 8, 'Nobody had called.')], 'overlap'],
    ['silence of more than 10 s', [segment(1, 15, 18, 'Nobody had called.')], 'gap'],
    ['made up at the end', [segment(1, 4, 6, 'Thank you for watching!')], 'closing'],
    ['made up in another language', [segment(1, 4, 8, 'Untertitel im Auftrag des ZDF, 2021')], 'closing'],
  ])('%s', (_what, more, kind) => {
    expect(kinds(calm, ...more)).toStrictEqual(kind === null ? [] : [[kind, 1]]);
  });

  test('the same segment once more', () => {
    expect(kinds(calm, segment(1, 4, 8, calm.text.toUpperCase()))).toStrictEqual([['loop', 1]]);
  });

  test('in another script than all the rest', () => {
    const rest = Array.from({ length: 9 }, (_, id) =>
      segment(id, id * 4, id * 4 + 4, `Said in English, ${id}`),
    );
    expect(kinds(...rest, segment(9, 36, 40, 'Продолжим'))).toStrictEqual([['script', 9]]);
    expect(kinds(...rest, segment(9, 36, 40, 'Σ 42'))).toStrictEqual([]);
  });
});

test('what is well is left alone', () => {
  expect(
    kinds(
      calm,
      segment(1, 4, 6, 'Thank you for bringing the bread.'),
      segment(2, 6, 8, 'Very, very good.'),
      segment(3, 8, 9, 'Yes.'),
      segment(4, 9, 10, 'Yes.'),
      segment(5, 20, 21, ''),
    ),
  ).toStrictEqual([]);
});

test('a phrase that follows itself is left once', () => {
  expect(withoutRepeats('Well, you know, you know, you know, it was loud.')).toBe(
    'Well, you know, it was loud.',
  );
  expect(withoutRepeats('no no no no yes yes yes yes')).toBe('no yes');
  expect(withoutRepeats('He had had enough.')).toBe(null);
});

test('a finding is known again, until what it is about changes', () => {
  const wrong = segment(1, 4, 4.1, 'Yes.');
  const [before] = review([calm, wrong]);
  const [moved] = review([
    { ...calm, start: 1, end: 5 },
    { ...wrong, start: 5, end: 5.1 },
  ]);
  const [changed] = review([calm, { ...wrong, text: 'No.' }]);
  expect(moved?.key).toBe(before?.key);
  expect(changed?.key).not.toBe(before?.key);
});

test('a mend puts right what it is for, or joins it with its neighbour', () => {
  fc.assert(
    fc.property(draft, (before) => {
      const context = { durationSeconds, original: () => ({ segments: before.segments, text: null }) };
      for (const { key, mend } of review(before.segments)) {
        if (mend === null) continue;
        const after = applyChange(before, changeOf(before, mend.operation, context));
        const isJoined = after.segments.length === before.segments.length - 1;
        const isLeft = review(after.segments).some((one) => one.key === key);
        expect(mend.kind === 'merge' ? isJoined : !isLeft).toBe(true);
      }
    }),
  );
});

test('50,000 segments are read once, and after an edit only what changed', () => {
  const { segments } = draftOf(
    Array.from({ length: 50_000 }, (_, id) => ({
      start: id * 2,
      end: id * 2 + 2,
      text: `Words, number ${id}`,
    })),
  );
  expect(review(segments)).toStrictEqual([]);
  const edited = segments.with(777, { ...segments[777]!, text: 'Thank you for watching' });
  expect(kinds(...edited)).toStrictEqual([['closing', 777]]);
});
