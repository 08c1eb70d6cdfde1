import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import { assignSpeakers } from '../../../../electron/core/transcript/assign-speakers.ts';
import { newSegment, withWords } from '../../../../electron/core/transcript/segment.ts';
import type { TimedTurn } from '../../../../electron/core/transcript/turn-index.ts';
import { wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { wordRanges } from '../../../../electron/core/transcript/words-in-text.ts';

/** A segment from `start` on with a word each half second; a `|` in the text is half a second of silence. */
function spoken(start: number, marked: string): Segment {
  const text = marked.replaceAll('| ', '');
  const times = marked.split(' ').flatMap((word, i) => (word === '|' ? [] : [start + i / 2]));
  const words = wordRanges(text).map((range, i) => ({
    ...range,
    start: times[i]!,
    end: times[i]! + 0.5,
    probability: 0.9,
  }));
  return withWords(newSegment(start, start + marked.split(' ').length / 2, text), words);
}

const turn = (speaker: number, start: number, end: number): TimedTurn => ({ speaker, start, end });

/** What each speaker says, as `speaker: text` for each part of each segment. */
const told = (segments: readonly Segment[], turns: readonly TimedTurn[]): readonly (readonly string[])[] =>
  assignSpeakers(segments, turns).map((parts) =>
    parts.map(({ segment, speaker }) => `${speaker}: ${segment.text}`),
  );

describe('a segment', () => {
  it('belongs to who speaks in it', () => {
    const segments = [spoken(0, 'Good morning.'), spoken(1, 'Good morning, too.')];
    expect(told(segments, [turn(0, 0, 1), turn(1, 1, 2.5)])).toEqual([
      ['0: Good morning.'],
      ['1: Good morning, too.'],
    ]);
    expect(assignSpeakers(segments, [turn(0, 0, 9)])[1]?.[0]?.segment).toBe(segments[1]);
  });

  it('is split where the speaker changes, with its words', () => {
    const [parts] = assignSpeakers(
      [spoken(10, 'How are you? Fine, thanks.')],
      [turn(3, 10, 11.6), turn(7, 11.6, 13)],
    );
    expect(parts?.map(({ segment, speaker }) => [speaker, segment.start, segment.end, segment.text])).toEqual(
      [
        [3, 10, 11.5, 'How are you?'],
        [7, 11.5, 12.5, 'Fine, thanks.'],
      ],
    );
    expect(
      wordsOf(parts![1]!.segment)?.map(({ from, start, probability }) => [from, start, probability]),
    ).toEqual([
      [0, 11.5, 0.9],
      [6, 12, 0.9],
    ]);
  });

  it('is split several times', () => {
    const turns = [turn(0, 0, 1), turn(1, 1, 2), turn(0, 2, 3), turn(2, 3, 4)];
    expect(told([spoken(0, 'Are you? I am. Really, you? No, he.')], turns)).toEqual([
      ['0: Are you?', '1: I am.', '0: Really, you?', '2: No, he.'],
    ]);
  });

  it('without words gets estimated ones', () => {
    const segment = newSegment(0, 8, 'aaaa bbbb. cccc dddd.');
    expect(told([segment], [turn(0, 0, 4), turn(1, 4, 8)])).toEqual([['0: aaaa bbbb.', '1: cccc dddd.']]);
    expect(told([newSegment(0, 1, '')], [turn(4, 0, 1)])).toEqual([['4: ']]);
  });
});

describe('a change of speaker', () => {
  it.each([
    ['moves back to the end of a sentence', 2, ['0: Are you?', '1: I am very well.']],
    ['moves on to the end of a sentence', 0.5, ['0: Are you?', '1: I am very well.']],
    ['moves by two words', 1.9, ['0: Are you?', '1: I am very well.']],
    ['that is farther stays', 2.4, ['0: Are you? I am very', '1: well.']],
  ])('%s', (_, at, expected) => {
    // The last word starts after a pause.
    expect(told([spoken(0, 'Are you? I am very | well.')], [turn(0, 0, at), turn(1, at, 9)])).toEqual([
      expected,
    ]);
  });

  it('stays at a pause', () => {
    const turns = [turn(0, 0, 1.2), turn(1, 1.5, 9)];
    expect(told([spoken(0, 'I thought | No. Wait for me.')], turns)).toEqual([
      ['0: I thought', '1: No. Wait for me.'],
    ]);
    const without = [turn(0, 0, 1), turn(1, 1, 9)];
    expect(told([spoken(0, 'I thought No. Wait for me.')], without)).toEqual([
      ['0: I thought No.', '1: Wait for me.'],
    ]);
  });

  it('does not move to an abbreviation', () => {
    expect(told([spoken(0, 'We asked Dr. Mbeki about it.')], [turn(0, 0, 1.9), turn(1, 1.9, 9)])).toEqual([
      ['0: We asked Dr. Mbeki', '1: about it.'],
    ]);
  });

  it('moves to the edge of a segment where a sentence starts or ends', () => {
    const early = [turn(0, 0, 1.6), turn(1, 1.6, 9)];
    expect(told([spoken(0, 'Are you?'), spoken(1, 'I am very well indeed.')], early)).toEqual([
      ['0: Are you?'],
      ['1: I am very well indeed.'],
    ]);
    expect(
      told([spoken(0, 'Are you the'), spoken(1.5, 'doctor I am very well.')], [turn(0, 0, 2), turn(1, 2, 9)]),
    ).toEqual([['0: Are you the'], ['0: doctor', '1: I am very well.']]);
    expect(told([spoken(0, 'I am very well indeed.')], [turn(1, 0, 2), turn(0, 2, 9)])).toEqual([
      ['1: I am very well indeed.'],
    ]);
  });

  it('for a single word within a sentence is none', () => {
    const turns = [turn(0, 0, 1), turn(1, 1, 1.5), turn(0, 1.5, 9)];
    expect(told([spoken(0, 'I think yes we can.')], turns)).toEqual([['0: I think yes we can.']]);
    expect(told([spoken(0, 'I think. Yes. We can.')], turns)).toEqual([
      ['0: I think.', '1: Yes.', '0: We can.'],
    ]);
  });
});

describe('a word', () => {
  it('that two say belongs to who speaks already', () => {
    const turns = [turn(1, 0, 1), turn(0, 0.6, 5), turn(1, 1.6, 2.4)];
    expect(told([spoken(0, 'a b c d e f')], turns)).toEqual([['1: a b', '0: c d e f']]);
  });

  it('that nobody says belongs to the closest turn, or to nobody', () => {
    expect(told([spoken(0, 'a b.')], [turn(5, 1.8, 3)])).toEqual([['5: a b.']]);
    expect(told([spoken(0, 'a b.')], [turn(5, 2.1, 3)])).toEqual([['null: a b.']]);
    expect(told([spoken(0, 'a b.')], [])).toEqual([['null: a b.']]);
    expect(told([spoken(0, 'a | | | | | b c')], [turn(5, 3, 4)])).toEqual([['5: a b c']]);
  });

  it('is not said by a long turn that ended before short ones', () => {
    expect(told([spoken(20, 'a b')], [turn(0, 0, 10), turn(1, 1, 2), turn(2, 20, 21)])).toEqual([['2: a b']]);
  });
});

it('keeps all text, times and words, in order', () => {
  const word = fc.constantFrom('yes', 'No.', 'well,', 'I', 'am?', '|');
  const segments = fc
    .array(fc.array(word, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 })
    .map((texts) => {
      let at = 0;
      return texts.flatMap((words) => {
        const text = words
          .join(' ')
          .replaceAll(/^(\| )*\|?|( \|)+$/g, '')
          .trim();
        const segment = text === '' ? null : spoken(at, text);
        at = (segment?.end ?? at) + 0.25;
        return segment ?? [];
      });
    });
  const turns = fc
    .array(
      fc.tuple(
        fc.nat(3),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
      ),
    )
    .map((all) =>
      all
        .map(([speaker, start, seconds]) => turn(speaker, start, start + seconds))
        .sort((a, b) => a.start - b.start),
    );
  fc.assert(
    fc.property(segments, turns, (all, spans) => {
      const speakers = new Set([null, ...spans.map(({ speaker }) => speaker)]);
      for (const [i, parts] of assignSpeakers(all, spans).entries()) {
        const segment = all[i]!;
        expect(parts.map((part) => part.segment.text).join(' ')).toBe(segment.text);
        expect(parts[0]?.segment.start).toBe(segment.start);
        expect(parts.at(-1)?.segment.end).toBe(segment.end);
        expect(parts.flatMap((part) => wordsOf(part.segment) ?? []).length).toBe(wordsOf(segment)?.length);
        for (const [j, part] of parts.entries()) {
          expect(speakers).toContain(part.speaker);
          expect(part.segment.text).not.toBe('');
          if (j === 0) continue;
          expect(part.speaker).not.toBe(parts[j - 1]?.speaker);
          expect(part.segment.start).toBe(parts[j - 1]?.segment.end);
        }
      }
    }),
  );
});
