import { describe, expect, it } from 'vitest';
import { readWords } from '../../../../electron/core/api/read-words.ts';
import { newSegment } from '../../../../electron/core/transcript/segment.ts';
import { maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import { maxWords, wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { oddValues } from '../../../faults/odd-values.ts';

const segment = newSegment(10, 12, 'Good morning.');
const good = { from: 0, to: 4, start: 10.1, end: 10.4, probability: 0.9 };
const morning = { from: 5, to: 13, start: 10.5, end: 11, probability: 0.25 };

const withMarks = (count: number) => [
  { text: `Good${'!'.repeat(count)}`, start: 10.1, end: 10.4, probability: 0.9 },
  { text: 'morning.', start: 10.5, end: 11, probability: 0.25 },
];

describe('the words of a response', () => {
  it.each([
    [
      'as this program gives them',
      [
        { text: 'Good', start: 10.1, end: 10.4, probability: 0.9 },
        { text: 'morning.', start: 10.5, end: 11, probability: 0.25 },
      ],
    ],
    [
      'with a word and a confidence',
      [
        { word: ' Good', start: 10.1, end: 10.4, confidence: 0.9 },
        { word: ' morning.', start: 10.5, end: 11, confidence: 0.25 },
      ],
    ],
    [
      'with a score, without punctuation, and numbers as text',
      [
        { word: 'good', start: '10.1', end: '10.4', score: '0.9' },
        { word: 'morning', start: '10.5', end: '11', score: '0.25' },
      ],
    ],
    [
      'with fields that nobody knows, and entries that are none',
      [
        { type: 'word', text: 'Good', start: 10.1, end: 10.4, probability: 0.9, speaker: 1 },
        null,
        { type: 'spacing', text: ' ', start: 10.4, end: 10.5 },
        { type: 'word', text: 'morning.', start: 10.5, end: 11, probability: 0.25 },
      ],
    ],
  ])('are read %s', (_how, words) => {
    expect(wordsOf(readWords(words, segment))).toEqual([good, morning]);
  });

  it('may have no probability, or one that makes no sense', () => {
    for (const probability of [undefined, null, 'high', -0.1, 97]) {
      const words = [
        { text: 'Good', start: 10.1, end: 10.4, probability },
        { text: 'morning.', start: 10.5, end: 11 },
      ];
      expect(wordsOf(readWords(words, segment))).toEqual([
        { ...good, probability: null },
        { ...morning, probability: null },
      ]);
    }
  });

  it('are estimated where they have no times', () => {
    const words = [{ text: 'Good' }, { text: 'morning.', start: 10.5, end: 11, probability: 0.25 }];
    expect(wordsOf(readWords(words, segment))).toEqual([
      { ...good, start: 10, end: 10.5, probability: null },
      morning,
    ]);
  });

  it.each(oddValues)('never cost the segment its text or times: %j', (odd) => {
    const words = [
      { text: 'Good', start: 10.1, end: 10.4, probability: 0.9 },
      { text: 'morning.', start: 10.5, end: 11, probability: 0.25 },
    ];
    const altered = [
      odd,
      [odd],
      [words[0], odd],
      ...['text', 'start', 'end', 'probability'].map((field) => [{ ...words[0], [field]: odd }, words[1]]),
    ];
    for (const one of altered) expect(readWords(one, segment)).toMatchObject(segment);
  });

  it('are not read if nobody could say so many', () => {
    const long = newSegment(0, 60, 'x '.repeat(maxWords).trim());
    const many = Array.from({ length: maxWords }, () => ({ text: 'x', start: 1, end: 2 }));
    expect(wordsOf(readWords(many, long))).toHaveLength(maxWords);
    // Reading one would throw.
    many.push({
      get text(): string {
        throw new Error('it was read');
      },
      start: 1,
      end: 2,
    });
    expect(readWords(many, long)).toEqual(long);
  });

  it('are not read if they are several times as long as the text', () => {
    // Four times as long, and a hundred more.
    expect(wordsOf(readWords(withMarks(140), segment))).toEqual([good, morning]);
    expect(readWords(withMarks(141), segment)).toEqual(segment);
  });

  it('may be at the end of the longest recording', () => {
    const last = newSegment(maxTimeSeconds - 2, maxTimeSeconds, 'Bye.');
    const words = [{ text: 'Bye.', start: maxTimeSeconds - 1, end: maxTimeSeconds }];
    expect(wordsOf(readWords(words, last))).toMatchObject([
      { start: maxTimeSeconds - 1, end: maxTimeSeconds },
    ]);
  });
});
