import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { timesRefusal } from '../../../../../electron/core/transcript/edit/segment-times.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { draftWithWords, durationSeconds } from './edit-arbitraries.ts';

const spoken = draftOf([
  { start: 1, end: 4, text: 'One net.' },
  { start: 4, end: 6, text: 'Two nets.' },
  { start: 8, end: 9, text: 'Three.' },
]);

const timed = (before: Draft, segment: number, start: number, end: number): Draft =>
  applyChange(
    before,
    changeOf(
      before,
      { kind: 'set-times', segment, start, end },
      { recordingSeconds: 60, original: () => ({ segments: [], text: null }) },
    ),
  );
const times = ({ segments }: Draft) => segments.map(({ start, end }) => [start, end]);

/** Two words of 1.5 s in a segment of 4 s. */
const said = (start: number, text: string) =>
  withWords(newSegment(start, start + 4, text), [
    { from: 0, to: 3, start, end: start + 1.5, probability: null },
    { from: 4, to: 7, start: start + 2, end: start + 3.5, probability: null },
  ]);
const wordTimes = ({ segments }: Draft) =>
  segments.flatMap((segment) => wordsOf(segment)?.map(({ start, end }) => [start, end]) ?? []);

describe('the times of a segment', () => {
  test.each([
    [
      'where nothing else is',
      2,
      8.25,
      9.5,
      [
        [1, 4],
        [4, 6],
        [8.25, 9.5],
      ],
    ],
    [
      'with a gap to segments that touch it',
      1,
      4.5,
      5.5,
      [
        [1, 4],
        [4.5, 5.5],
        [8, 9],
      ],
    ],
    [
      'with the ends of segments that it would overlap',
      1,
      3,
      8.5,
      [
        [1, 3],
        [3, 8.5],
        [8.5, 9],
      ],
    ],
    [
      'rounded to the millisecond',
      2,
      8.0004,
      9.1239,
      [
        [1, 4],
        [4, 6],
        [8, 9.124],
      ],
    ],
  ] as const)('are set %s', (_where, segment, start, end, after) => {
    expect(times(timed(spoken, segment, start, end))).toStrictEqual(after);
  });

  test.each([
    ['min-duration', 1, 5, 5],
    ['min-duration', 1, 5, 5.05],
    ['previous', 1, 0.9, 6],
    ['previous', 1, 1.05, 6],
    ['next', 1, 4, 8.95],
    ['next', 1, 4, 9.1],
    ['next', 0, 1, 8.1],
    ['recording', 2, 8, 60.1],
    ['recording', 0, -0.1, 4],
    ['order', 9, 1, 2],
  ] as const)('are refused, because of “%s”', (stop, segment, start, end) => {
    expect(timesRefusal(spoken, { segment, start, end }, 60)).toBe(stop);
    expect(timed(spoken, segment, start, end)).toBe(spoken);
  });

  test('are refused where segments are out of order', () => {
    const mixed = draftOf([
      { start: 5, end: 6, text: 'One.' },
      { start: 1, end: 2, text: 'Two.' },
    ]);
    expect(timesRefusal(mixed, { segment: 1, start: 5, end: 7 }, 60)).toBe('order');
  });

  test('move an edge past its words, which stay in the recording; or all of it with them', () => {
    const said = withWords(newSegment(2, 4, 'one net'), [
      { from: 0, to: 3, start: 2.5, end: 3, probability: null },
      { from: 4, to: 7, start: 3, end: 3.5, probability: null },
    ]);
    const starts = (start: number, end: number) =>
      wordsOf(timed(draftOf([said]), 0, start, end).segments[0] ?? said)?.map((word) => word.start);
    expect(starts(1, 4)).toStrictEqual([2.5, 3]);
    expect(starts(2, 8)).toStrictEqual([2.5, 3]);
    expect(starts(12, 14)).toStrictEqual([12.5, 13]);
  });

  test('give words that another edit left no time a time again, in this segment and in a neighbour', () => {
    const before = draftOf([said(0, 'one net'), said(4, 'two old')]);
    const one = timed(before, 0, 0, 1.5);
    expect(wordTimes(one).slice(0, 2)).toStrictEqual([
      [0, 1.5],
      [1.5, 1.5],
    ]);
    expect(wordTimes(timed(one, 0, 0, 4)).slice(0, 2)).toStrictEqual([
      [0, 1.5],
      [1.5, 4],
    ]);
    const two = timed(before, 0, 0, 5.5);
    expect(wordTimes(two)[2]).toStrictEqual([5.5, 5.5]);
    expect(wordTimes(timed(two, 1, 4, 8)).slice(1)).toStrictEqual([
      [2, 3.5],
      [4, 6],
      [6, 7.5],
    ]);
  });

  test('one typed edge moves neither another one, unless they would overlap, nor the words inside', () => {
    const typing = fc.record({
      segment: fc.nat({ max: 7 }),
      edge: fc.constantFrom('start' as const, 'end' as const),
      toSeconds: fc.integer({ min: 0, max: 60_000 }).map((milliseconds) => milliseconds / 1000),
    });
    fc.assert(
      fc.property(draftWithWords, typing, (before, { segment: id, edge, toSeconds }) => {
        const segment = before.segments[id];
        fc.pre(segment !== undefined);
        const typed = { segment: id, start: segment.start, end: segment.end, [edge]: toSeconds };
        fc.pre(timesRefusal(before, typed, durationSeconds) === null);
        const { segments } = timed(before, id, typed.start, typed.end);
        expect(segments.map(({ start, end }) => [start, end])).toStrictEqual(
          before.segments.map(({ start, end }, index) => {
            if (index === id) return [typed.start, typed.end];
            return index < id ? [start, Math.min(end, typed.start)] : [Math.max(start, typed.end), end];
          }),
        );
        const after = segments[id] ?? segment;
        const isEmpty = segment.start === segment.end;
        for (const [index, word] of isEmpty ? [] : (wordsOf(segment)?.entries() ?? [])) {
          const now = wordsOf(after)?.[index];
          // Those without a duration at an edge that moves outwards get one.
          if (typed.start < segment.start && word.end <= segment.start) continue;
          if (typed.end > segment.end && word.start >= segment.end) continue;
          const kept = (seconds: number): number => Math.min(Math.max(seconds, after.start), after.end);
          expect(now?.start).toBeCloseTo(kept(word.start), 2);
          expect(now?.end).toBeCloseTo(kept(word.end), 2);
        }
      }),
    );
  });
});
