import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundToMilliseconds } from '../../../../electron/contract/milliseconds.ts';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import {
  mergeSegments,
  newSegment,
  shiftSegment,
  splitSegment,
  timeAtOffset,
  withText,
  moveEdges,
  withWords,
} from '../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { wordRanges } from '../../../../electron/core/transcript/words-in-text.ts';

/** A segment whose words start at each second and last 0.6 s, with a probability of 0.9. */
function spoken(text: string, start = 0): Segment {
  const ranges = wordRanges(text);
  return withWords(
    newSegment(start, start + ranges.length, text),
    ranges.map((range, index) => ({
      ...range,
      start: start + index,
      end: start + index + 0.6,
      probability: 0.9,
    })),
  );
}

type Seen = readonly [text: string, start: number, end: number, probability: number | null];

const seen = (segment: Segment): readonly Seen[] | null =>
  wordsOf(segment)?.map(({ from, to, start, end, probability }) => [
    segment.text.slice(from, to),
    start,
    end,
    probability,
  ]) ?? null;

describe('the words of a changed text', () => {
  const fox = spoken('the quick brown fox jumps');

  it.each<readonly [string, string, readonly Seen[]]>([
    [
      'the quick red fox jumps',
      'the new one has the times of the one that it replaces',
      [['red', 2, 2.6, null]],
    ],
    ['the quick brown fax jumps', 'a corrected word is no longer unsure', [['fax', 3, 3.6, null]]],
    ['the quick brown Fox jumps', 'so is one with another case', [['Fox', 3, 3.6, null]]],
    ['the quick brown “fox,” jumps', 'punctuation changes nothing', [['“fox,”', 3, 3.6, 0.9]]],
    ['the  quick\u00a0brown fox jumps ', 'nor does white space', []],
    [
      'the quick and very brown fox jumps',
      'inserted words share the time between their neighbours by their letters',
      [
        ['and', 1.6, 1.771, null],
        ['very', 1.771, 2, null],
      ],
    ],
    ['so the quick brown fox jumps', 'before the first word there is no time', [['so', 0, 0, null]]],
    ['the quick brown fox jumps so', 'after the last word there is some', [['so', 4.6, 5, null]]],
    [
      'the quick brown fox, and jumps',
      'with punctuation at its neighbour',
      [
        ['fox,', 3, 3.6, 0.9],
        ['and', 3.6, 4, null],
      ],
    ],
    ['the quickbrown fox jumps', 'two words become one', [['quickbrown', 1, 2.6, null]]],
    [
      'the quick brown fox ju mps',
      'one word becomes two',
      [
        ['ju', 4, 4.24, null],
        ['mps', 4.24, 4.6, null],
      ],
    ],
  ])('%j: %s', (text, _why, changed) => {
    const words = seen(withText(fox, text)) ?? [];
    const others = words.filter(([word]) => !changed.some(([one]) => one === word));
    expect(words.filter((word) => !others.includes(word))).toEqual(changed);
    expect((seen(fox) ?? []).filter((word) => others.some(([one]) => one === word[0]))).toEqual(others);
  });

  it('are gone with their text, and come back with times of their segment', () => {
    const empty = withText(fox, '');
    expect(seen(empty)).toEqual([]);
    expect(seen(withText(empty, 'ab abc'))).toEqual([
      ['ab', 0, 2, null],
      ['abc', 2, 5, null],
    ]);
  });

  it('are dropped from a text that has too many', () => {
    expect(seen(withText(fox, '. '.repeat(300_000)))).toBeNull();
  });

  it('are found in scripts without spaces', () => {
    expect(seen(withText(spoken('港の網は'), '港の大網は'))?.filter((word) => word[3] === null)).toEqual([
      ['大', expect.any(Number), expect.any(Number), null],
    ]);
  });

  it('are the syllables of Tibetan, each with the mark that ends it', () => {
    const text = 'བོད་ཡིག་གི་ཚིག།';
    expect(wordRanges(text).map(({ from, to }) => text.slice(from, to))).toEqual(['བོད་', 'ཡིག་', 'གི་', 'ཚིག།']);
  });

  it('keep all words but those that a change replaces', () => {
    // No two are alike: which of two equal words was removed cannot be known.
    const letters = fc.string({ unit: fc.constantFrom(...'abcdéж'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 14 }),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 3 }),
        (texts, some, other, count) => {
          const inserted = texts.splice(0, Math.min(count, texts.length - 1));
          const [first = 0, last = 0] = [some, other].map((one) => one % texts.length).sort((a, b) => a - b);
          const changed = [...texts.slice(0, first), ...inserted, ...texts.slice(last)];
          const before = spoken(texts.join(' '));
          const after = seen(withText(before, changed.join(' ')));
          const words = seen(before) ?? [];
          expect(after?.slice(0, first)).toEqual(words.slice(0, first));
          expect(after?.slice(first + inserted.length)).toEqual(words.slice(last));
          // What was typed is between them.
          for (const [, start, end, probability] of after?.slice(first, first + inserted.length) ?? []) {
            expect(start).toBeGreaterThanOrEqual(words[first - 1]?.[2] ?? 0);
            expect(end).toBeLessThanOrEqual(words[last]?.[1] ?? before.end);
            expect(probability).toBeNull();
          }
        },
      ),
    );
  });
});

describe('the words of a split segment', () => {
  const fox = spoken('the quick brown fox');

  it('stay where they are', () => {
    const [first, second] = splitSegment(fox, 10, 2);
    expect(seen(first)).toEqual(seen(fox)?.slice(0, 2));
    expect(seen(second)).toEqual(seen(fox)?.slice(2));
    expect(second.text).toBe('brown fox');
  });

  it('are cut by their letters', () => {
    const [first, second] = splitSegment(fox, 6, 1.24);
    expect(seen(first)?.at(-1)).toEqual(['qu', 1, 1.24, 0.9]);
    expect(seen(second)?.[0]).toEqual(['ick', 1.24, 1.6, 0.9]);
  });

  it('are within their half, wherever the split is', () => {
    const [first, second] = splitSegment(fox, 10, 1.3);
    expect(seen(first)).toEqual([
      ['the', 0, 0.6, 0.9],
      ['quick', 1, 1.3, 0.9],
    ]);
    expect(seen(second)).toEqual([
      ['brown', 2, 2.6, 0.9],
      ['fox', 3, 3.6, 0.9],
    ]);
  });
});

describe('the words of merged segments', () => {
  it('are those of both', () => {
    const [first, second] = [spoken(' the quick '), spoken(' brown fox ', 2)];
    const merged = mergeSegments(first, second);
    expect(merged.text).toBe('the quick brown fox');
    expect(seen(merged)).toEqual([...(seen(first) ?? []), ...(seen(second) ?? [])]);
  });

  it('are estimated where one has none', () => {
    const [first, second] = [spoken('the quick'), newSegment(2, 4, 'brown fox')];
    expect(seen(mergeSegments(first, second))).toEqual([
      ...(seen(first) ?? []),
      ['brown', 2, 3.25, null],
      ['fox', 3.25, 4, null],
    ]);
    expect(seen(mergeSegments(newSegment(0, 2, 'a b'), spoken('c d', 2)))).toEqual([
      ['a', 0, 1, null],
      ['b', 1, 2, null],
      ['c', 2, 2.6, 0.9],
      ['d', 3, 3.6, 0.9],
    ]);
    expect(seen(mergeSegments(newSegment(0, 2, 'a'), second))).toBeNull();
  });

  it('are in order where the segments overlap', () => {
    expect(seen(mergeSegments(spoken('a b', 0), spoken('c', 1)))).toEqual([
      ['a', 0, 0.6, 0.9],
      ['b', 1, 1.6, 0.9],
      ['c', 1.6, 1.6, 0.9],
    ]);
  });
});

describe('the words of a segment with other times', () => {
  const fox = spoken('the quick brown');

  it('stay where they are in the recording when an edge moves, but within the segment', () => {
    expect(seen(moveEdges(fox, -1, 5))).toEqual(seen(fox));
    expect(seen(moveEdges(fox, 0.5, 2.25))).toEqual([
      ['the', 0.5, 0.6, 0.9],
      ['quick', 1, 1.6, 0.9],
      ['brown', 2, 2.25, 0.9],
    ]);
  });

  it('get times again when an edge that left them no time moves outwards', () => {
    const squeezedAtEnd = moveEdges(fox, 0, 0.8);
    expect(seen(squeezedAtEnd)?.slice(1)).toEqual([
      ['quick', 0.8, 0.8, 0.9],
      ['brown', 0.8, 0.8, 0.9],
    ]);
    expect(seen(moveEdges(squeezedAtEnd, 0, 2.6))).toEqual([
      ['the', 0, 0.6, 0.9],
      ['quick', 0.6, 1.6, 0.9],
      ['brown', 1.6, 2.6, 0.9],
    ]);
    expect(seen(moveEdges(moveEdges(fox, 1.7, 3), 0.4, 3))).toEqual([
      ['the', 0.4, 1, 0.9],
      ['quick', 1, 2, 0.9],
      ['brown', 2, 2.6, 0.9],
    ]);
    // The other edge gives them none.
    expect(seen(moveEdges(squeezedAtEnd, -1, 0.8))).toEqual(seen(squeezedAtEnd));
  });

  it('have a duration, in order and within the segment, after an edge moves inwards and back', () => {
    const segment = fc
      .array(fc.constantFrom('a', 'the', 'jumps,', '“No.”', 'e\u0301te\u0301'), {
        minLength: 1,
        maxLength: 12,
      })
      .map((texts) => spoken(texts.join(' '), 3));
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(segment, fc.constantFrom('start' as const, 'end' as const), share, (before, edge, at) => {
        const inner = roundToMilliseconds(before.start + (before.end - before.start) * at);
        const edges = { start: before.start, end: before.end, [edge]: inner };
        const back = moveEdges(moveEdges(before, edges.start, edges.end), before.start, before.end);
        const words = wordsOf(back) ?? [];
        expect(words).toHaveLength(wordRanges(before.text).length);
        let earliest = back.start;
        for (const [index, word] of words.entries()) {
          expect(word.start).toBeGreaterThanOrEqual(earliest);
          expect(word.end).toBeGreaterThan(word.start);
          earliest = word.end;
          const original = wordsOf(before)?.[index] ?? word;
          const isInside = original.start >= edges.start && original.end <= edges.end;
          expect(word).toEqual(isInside ? original : { ...original, start: word.start, end: word.end });
        }
        expect(earliest).toBeLessThanOrEqual(back.end);
      }),
    );
  });

  it('move along when the transcript is retimed', () => {
    const retimed = shiftSegment(fox, 10, 16);
    expect(seen(retimed)).toEqual([
      ['the', 10, 11.2, 0.9],
      ['quick', 12, 13.2, 0.9],
      ['brown', 14, 15.2, 0.9],
    ]);
    expect(retimed.extras).toEqual(fox.extras);
  });

  it('share the segment as before when it has a duration again', () => {
    const empty = moveEdges(fox, 7, 7);
    expect(seen(empty)?.flatMap(([, start, end]) => [start, end])).toEqual(Array(6).fill(7));
    expect(seen(moveEdges(empty, 7, 10))?.map(([, start]) => start)).toEqual([7, 8, 9]);
  });
});

describe('the time at a position in the text', () => {
  const fox = spoken('the quick');

  it.each([
    [0, 0],
    [1, 0.2],
    [3, 1],
    [4, 1],
    [5, 1.12],
    [9, 1.6],
    [99, 1.6],
  ])('is that of the word at %i', (offset, seconds) => {
    expect(timeAtOffset(fox, offset)).toBe(seconds);
  });

  it('is estimated from the letters without words', () => {
    expect(timeAtOffset(newSegment(0, 8, 'the quick'), 4)).toBe(3);
  });
});
