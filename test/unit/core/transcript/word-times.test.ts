import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentSchema } from '../../../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../../../electron/core/transcript/segment.ts';
import { packWords, wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { spokenSegment } from './spoken-segment.ts';

describe('packed words', () => {
  it('are restored exactly in segments of up to four minutes', () => {
    fc.assert(
      fc.property(spokenSegment({ maxSeconds: 240 }), ({ segment, words }) => {
        const packed = withWords(segment, words);
        expect(wordsOf(packed)).toEqual(words);
        // They survive the database and the service's responses.
        expect(segmentSchema.parse(JSON.parse(JSON.stringify(packed)))).toEqual(packed);
      }),
    );
  });

  it('are restored to a hundredth of a second in segments of an hour', () => {
    fc.assert(
      fc.property(spokenSegment({ maxSeconds: 3600 }), ({ segment, words }) => {
        const restored = wordsOf(withWords(segment, words)) ?? [];
        expect(restored.length).toBe(words.length);
        restored.forEach(({ start, end }, index) => {
          expect(Math.abs(start - (words[index]?.start ?? NaN))).toBeLessThan(0.01);
          expect(Math.abs(end - (words[index]?.end ?? NaN))).toBeLessThan(0.01);
        });
      }),
    );
  });

  it('take about ten characters per word, none of which JSON escapes', () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const words = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
      from: index,
      to: index + word.length,
      start: index / 10,
      end: (index + word.length) / 10,
      probability: 0.98,
    }));
    const packed = packWords(newSegment(0, 4.4, text), words) ?? '';
    expect(packed.length).toBe(words.length * 10);
    expect(JSON.stringify(packed).length).toBe(packed.length + 2);
  });

  it('are dropped if they do not cover the text', () => {
    const segment = newSegment(0, 2, 'One two');
    const word = { start: 0, end: 1, probability: null };
    const packed = (...ranges: readonly (readonly [number, number])[]) =>
      wordsOf(
        withWords(
          segment,
          ranges.map(([from, to]) => ({ ...word, from, to })),
        ),
      );
    expect(packed([0, 3], [4, 7])).toHaveLength(2);
    expect(packed([0, 7])).toHaveLength(1);
    expect(packed([0, 3])).toBeNull();
    expect(packed([4, 7])).toBeNull();
    expect(packed([0, 4], [4, 7])).toBeNull();
    expect(packed([0, 3], [3, 7])).toBeNull();
    expect(packed([0, 3], [2, 7])).toBeNull();
    expect(packed([4, 7], [0, 3])).toBeNull();
    expect(packed([0, 3], [4, 7], [7, 7])).toBeNull();
    expect(packed([0, 3], [4, 8])).toBeNull();
  });

  it('are put in order and within the segment', () => {
    const segment = withWords(newSegment(1, 3, 'a b c'), [
      { from: 0, to: 1, start: 0, end: 2.5, probability: 2 },
      { from: 2, to: 3, start: 2, end: 1, probability: NaN },
      { from: 4, to: 5, start: 2.75, end: 9, probability: -1 },
    ]);
    expect(wordsOf(segment)).toEqual([
      { from: 0, to: 1, start: 1, end: 2.5, probability: 1 },
      { from: 2, to: 3, start: 2.5, end: 2.5, probability: null },
      { from: 4, to: 5, start: 2.75, end: 3, probability: 0 },
    ]);
  });

  it('count as none if they cannot be read, whatever is stored', () => {
    const anything = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ABCfgh_-019é"') }),
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(spokenSegment({ maxSeconds: 60 }), anything, fc.nat(), (spoken, other, cut) => {
        const { segment, words } = spoken;
        const packed = packWords(segment, words) ?? '';
        const at = cut % (packed.length + 1);
        for (const stored of [other, packed.slice(0, at) + String(other) + packed.slice(at + 1)]) {
          const read = segmentSchema.parse({ ...segment, extras: { words: stored } });
          const restored = wordsOf(read);
          if (restored === null) continue;
          // What can be read is valid: it would be packed again.
          expect(packWords(read, restored)).toBeDefined();
        }
      }),
    );
    expect(wordsOf({ ...newSegment(0, 1, 'Some'), extras: { words: '' } })).toBeNull();
  });

  it('are dropped, and the segment stays, if there are too many', () => {
    const words = Array.from({ length: 7000 }, (_, index) => ({
      from: 2 * index,
      to: 2 * index + 1,
      start: index,
      end: index + 1,
      probability: null,
    }));
    const segment = withWords(newSegment(0, 7000, 'a '.repeat(7000).trim()), words);
    expect(segment.extras).toBeUndefined();
    expect(segmentSchema.parse(segment)).toEqual(segment);
  });
});
