import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draft, EditOperation } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { wordMoveRefusal } from '../../../../../electron/core/transcript/edit/move-word.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { draftWithWords, durationSeconds } from './edit-arbitraries.ts';

/** A segment whose words start each half second and take 0.4 s. */
const spoken = (start: number, end: number, text: string) =>
  withWords(
    newSegment(start, end, text),
    [...text.matchAll(/\S+/g)].map(({ index, 0: word }, at) => ({
      from: index,
      to: index + word.length,
      start: start + at / 2,
      end: start + at / 2 + 0.4,
      probability: 0.5,
    })),
  );

const touching = draftOf([spoken(0, 2, 'One net and two'), spoken(2, 3, 'more nets.')]);
const apart = draftOf([spoken(0, 2, 'One net and two'), spoken(5, 6, 'more nets.')]);

const edit = (before: Draft, operation: EditOperation): Draft =>
  applyChange(
    before,
    changeOf(before, operation, {
      recordingSeconds: durationSeconds,
      original: () => ({ segments: [], text: null }),
    }),
  );
const seen = ({ segments }: Draft) => segments.map(({ start, end, text }) => [start, end, text]);
const allWords = ({ segments }: Draft) =>
  segments.flatMap((segment) =>
    (wordsOf(segment) ?? []).map(({ from, to, start, end }) => [segment.text.slice(from, to), start, end]),
  );
const texts = ({ segments }: Draft) => segments.map(({ text }) => text.replaceAll(/\s/g, ''));
const move = (segment: number, edge: 'start' | 'end', by: -1 | 1) =>
  ({ kind: 'move-word', segment, edge, by }) as const;

describe('an edge moves by one word', () => {
  test('to the later one, whose word joins the segment before', () => {
    const after = edit(touching, move(0, 'end', 1));
    expect(seen(after)).toStrictEqual([
      [0, 2.5, 'One net and two more'],
      [2.5, 3, 'nets.'],
    ]);
    expect(allWords(after)).toStrictEqual(allWords(touching));
    expect(edit(touching, move(1, 'start', 1))).toStrictEqual(after);
  });

  test('to the earlier one, whose word joins the segment after', () => {
    const after = edit(touching, move(1, 'start', -1));
    expect(seen(after)).toStrictEqual([
      [0, 1.5, 'One net and'],
      [1.5, 3, 'two more nets.'],
    ]);
    expect(allWords(after)).toStrictEqual(allWords(touching));
  });

  test('across a pause, which stays between the words', () => {
    expect(seen(edit(apart, move(0, 'end', 1)))).toStrictEqual([
      [0, 5.4, 'One net and two more'],
      [5.5, 6, 'nets.'],
    ]);
    expect(seen(edit(apart, move(0, 'end', -1)))).toStrictEqual([
      [0, 1.4, 'One net and'],
      [1.5, 6, 'two more nets.'],
    ]);
  });

  test('by estimated times where words have none', () => {
    const untimed = draftOf([newSegment(0, 2, 'aa bb cc dd'), newSegment(3, 4, 'ee.')]);
    const taken = edit(untimed, move(1, 'start', -1));
    expect(seen(taken)).toStrictEqual([
      [0, 1.5, 'aa bb cc'],
      [1.5, 4, 'dd ee.'],
    ]);
    expect(taken.segments.map(wordsOf)).toStrictEqual([null, null]);
    expect(seen(edit(taken, move(0, 'end', -1)))).toStrictEqual([
      [0, 1, 'aa bb'],
      [1, 4, 'cc dd ee.'],
    ]);
  });

  test('and leaves the segment that loses the word at least 0.1 s', () => {
    const quick = draftOf([newSegment(0, 0.15, 'aa bb'), newSegment(0.15, 1.05, 'cccccccc d')]);
    expect(seen(edit(quick, move(0, 'end', -1)))).toStrictEqual([
      [0, 0.1, 'aa'],
      [0.1, 1.05, 'bb cccccccc d'],
    ]);
    const late = draftOf([spoken(0, 2, 'One net'), spoken(2, 2.52, 'more nets.')]);
    expect(seen(edit(late, move(0, 'end', 1)))).toStrictEqual([
      [0, 2.42, 'One net more'],
      [2.42, 2.52, 'nets.'],
    ]);
    const short = draftOf([spoken(0, 2, 'One net'), newSegment(2, 2.05, 'more nets.')]);
    expect(seen(edit(short, move(0, 'end', 1)))).toStrictEqual([
      [0, 2, 'One net more'],
      [2, 2.05, 'nets.'],
    ]);
  });

  test('and each segment keeps its number, its speaker and what a service said about it', () => {
    const before: Draft = {
      ...touching,
      speakers: ['Anna', 'Piet'],
      segments: touching.segments.map((segment, index) => ({
        ...segment,
        speaker: index,
        extras: { ...segment.extras, of: index },
      })),
    };
    for (const by of [-1, 1] as const) {
      const { segments } = edit(before, move(1, 'start', by));
      expect(segments.map(({ id, speaker, extras }) => [id, speaker, extras?.['of']])).toStrictEqual([
        [0, 0, 0],
        [1, 1, 1],
      ]);
    }
  });

  test('but not where no word can leave, and says why', () => {
    const short = draftOf([spoken(0, 1, 'One'), newSegment(1, 2, ''), spoken(0.2, 3, 'too early')]);
    const stops = [
      [move(0, 'start', -1), 'no-words'],
      [move(0, 'end', -1), 'only-word'],
      [move(0, 'end', 1), 'no-words'],
      [move(2, 'end', 1), 'no-words'],
      [move(2, 'start', 1), 'order'],
      [move(7, 'start', 1), 'no-words'],
    ] as const;
    for (const [operation, stop] of stops) {
      expect(wordMoveRefusal(short, operation)).toBe(stop);
      expect(edit(short, operation)).toBe(short);
    }
  });

  test('and back: the words have the same times in the same segments', () => {
    fc.assert(
      fc.property(
        draftWithWords,
        fc.nat({ max: 7 }),
        fc.constantFrom(-1 as const, 1 as const),
        (before, segment, by) => {
          const there = edit(before, move(segment, 'end', by));
          const back = edit(there, move(segment, 'end', by === 1 ? -1 : 1));
          // Where no word moves there, or the only one would move back.
          if (there === before || back === there) return;
          expect(texts(back)).toStrictEqual(texts(before));
          const starts = allWords(before).map(([, start]) => start);
          allWords(back).forEach(([, start], index) => {
            // Shares of another segment round by a millisecond.
            expect(Math.abs(Number(start) - Number(starts[index]))).toBeLessThan(0.003);
          });
        },
      ),
    );
  });
});
