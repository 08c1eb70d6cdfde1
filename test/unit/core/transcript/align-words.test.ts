import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignWords, type SpokenWord } from '../../../../electron/core/transcript/align-words.ts';
import { newSegment } from '../../../../electron/core/transcript/segment.ts';
import { packWords } from '../../../../electron/core/transcript/word-times.ts';
import { spokenSegment } from './spoken-segment.ts';

/** Words that start at each second and last 0.6 s. */
const said = (...texts: readonly string[]): readonly SpokenWord[] =>
  texts.map((text, index) => ({ text, start: index, end: index + 0.6, probability: 0.9 }));

/** The words found in a text, each with the second at which it starts, or null without probability. */
const aligned = (text: string, spoken: readonly SpokenWord[]) =>
  alignWords(newSegment(0, 10, text), spoken)?.map(({ from, to, start, probability }) => [
    text.slice(from, to),
    probability === null ? null : start,
  ]);

describe('spoken words are found in the text of their segment', () => {
  it.each([
    ['as they are', 'One, two.', said('One,', 'two.')],
    ['with white space around them', 'One, two.', said(' One,', ' two. ')],
    ['without punctuation', 'One, two.', said('One', 'two')],
    ['in lower case', 'One, two.', said('one', 'two')],
    ['with other punctuation', 'One, two.', said('One;', '"two"')],
    ['with other white space', ' One,\u00a0 two. ', said('One,', 'two.')],
  ])('%s', (_how, text, spoken) => {
    expect(aligned(text, spoken)).toEqual([
      ['One,', 0],
      ['two.', 1],
    ]);
  });

  it('with all punctuation of the text', () => {
    expect(aligned('— “Well-known”, … she said —', said('well', 'known', 'she', 'said'))).toEqual([
      ['—', null],
      ['“Well-', 0],
      ['known”,', 1],
      ['…', null],
      ['she', 2],
      ['said', 3],
      ['—', null],
    ]);
  });

  it('if punctuation is a word of its own', () => {
    expect(aligned('One, two', said('One', ',', 'two'))).toEqual([
      ['One', 0],
      [',', 1],
      ['two', 2],
    ]);
    expect(aligned('One, two', said('One', '-', 'two'))).toEqual([
      ['One,', 0],
      ['two', 2],
    ]);
  });

  it('in scripts without spaces, in the words that the service found', () => {
    expect(aligned('港の網は。', said('港の', '網', 'は'))).toEqual([
      ['港の', 0],
      ['網', 1],
      ['は。', 2],
    ]);
  });

  it('if some have other letters, which have no probability then', () => {
    expect(aligned('He paid $20 for it.', said('he', 'paid', 'twenty', 'dollars', 'for', 'it'))).toEqual([
      ['He', null],
      ['paid', 1],
      ['$20', null],
      ['for', 4],
      ['it.', 5],
    ]);
  });

  it.each([
    ['of another text', 'Something else entirely', said('one', 'two', 'three')],
    [
      'of another part of the recording',
      'one two',
      said('one', 'two').map((word) => ({ ...word, start: 60, end: 61 })),
    ],
    ['without letters for a text with some', 'one two', said('', ' ', '—')],
    ['that do not exist', 'one two', []],
  ])('but not those %s', (_what, text, spoken) => {
    expect(alignWords(newSegment(0, 10, text), spoken)).toBeNull();
  });

  it('whatever they are, and cover the text', () => {
    const change = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => ` ${text} `,
      (text) => text.toUpperCase(),
      (text) => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''),
      (text) => `“${text}”`,
      (text) => `${text}x`,
      () => 'other',
      () => '',
    );
    fc.assert(
      fc.property(
        spokenSegment({ maxSeconds: 60 }),
        fc.array(change, { minLength: 12, maxLength: 12 }),
        ({ segment, words }, changes) => {
          const spoken = words.map(({ from, to, ...times }, index) => ({
            text: changes[index]?.(segment.text.slice(from, to)) ?? '',
            ...times,
          }));
          const found = alignWords(segment, spoken);
          expect(found === null || packWords(segment, found) !== undefined).toBe(true);
        },
      ),
    );
  });

  it('exactly if only white space, case and punctuation differ', () => {
    const word = fc.record({
      letters: fc.string({ unit: fc.constantFrom(...'abcdéñж'), minLength: 1, maxLength: 5 }),
      before: fc.constantFrom('', '“', '('),
      after: fc.constantFrom('', ',', '.”', '?'),
      otherBefore: fc.constantFrom('', ' ', '"'),
      otherAfter: fc.constantFrom('', ' ', ';'),
      isUpper: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
        const texts = words.map(({ before, letters, after }) => before + letters + after);
        const spoken = said(
          ...words.map(
            ({ letters, otherBefore, otherAfter, isUpper }) =>
              otherBefore + (isUpper ? letters.toUpperCase() : letters) + otherAfter,
          ),
        );
        expect(aligned(texts.join(' '), spoken)).toEqual(texts.map((text, index) => [text, index]));
      }),
    );
  });
});
