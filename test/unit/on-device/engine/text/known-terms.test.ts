import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KnownTerms,
  maxTermTokens,
  isSimilarText,
} from '../../../../../electron/on-device/engine/text/known-terms.ts';
import { maxPromptTokens } from '../../../../../electron/on-device/engine/text/previous-text.ts';
import {
  type Decoding,
  maxTokensPerWindow,
} from '../../../../../electron/on-device/engine/whisper/decoding.ts';
import { tokenizer } from '../scripted-model.ts';

const promptOf = (terms: readonly string[]): string =>
  tokenizer.decode(new KnownTerms(terms, tokenizer).tokens);

describe('the prompt', () => {
  it('is one sentence between two timestamps', () => {
    const { tokens } = new KnownTerms(['Aisling Wetherby', 'Okonkwo'], tokenizer);
    expect(tokenizer.decode(tokens)).toBe(' Aisling Wetherby, Okonkwo.');
    expect([tokens[0], tokens.at(-1)]).toEqual([
      tokenizer.special.timestampAt(0),
      tokenizer.special.timestampAt(2),
    ]);
  });

  it('is empty without terms', () => {
    expect(new KnownTerms([], tokenizer).tokens).toEqual([]);
  });

  it('prefers the first terms, and omits those that do not fit', () => {
    const long = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch '.repeat(4);
    expect(promptOf(['Okonkwo', long, 'Gdansk'])).toBe(' Okonkwo, Gdansk.');
  });

  it('never leaves the previous text less than half of the context that is not for the transcript', () => {
    const terms = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), { maxLength: 200 });
    fc.assert(
      fc.property(terms, (some) => {
        const { tokens } = new KnownTerms(some, tokenizer);
        expect(tokens.length).toBeLessThanOrEqual(maxTermTokens);
        expect(maxPromptTokens - tokens.length).toBeGreaterThan(maxTokensPerWindow / 2);
      }),
    );
  });
});

describe('a text', () => {
  const terms = new KnownTerms(['Siobhan Mbeki', 'Themba Mbeki', 'Quigley'], tokenizer);

  it.each([
    ['Mbeki.', true],
    ['Siobhan Mbeki, Themba Mbeki, Quigley.', true],
    ['Thank you. Themba Mbeki, Quigley.', true],
    ['Siobhan Mbeki and Themba Mbeki met Quigley.', false],
    ['And so my fellow Americans', false],
  ])('that may repeat the list is recognized: %s', (text, expected) => {
    expect(terms.mayBeEcho(text)).toBe(expected);
  });

  it.each([
    ['Mbeki.', 'Embecky', true],
    ['Siobhan Mbeki, Themba Mbeki.', 'Shivon and Becky, Themba and Becky.', true],
    ['Siobhan Mbeki, Themba Mbeki, Quigley.', 'Thank you.', false],
    ['Mbeki.', '', false],
  ])('sounds like another one or not: %s, %s', (text, other, expected) => {
    expect(isSimilarText(text, other)).toBe(expected);
  });
});

describe('a term that the model guessed', () => {
  const terms = new KnownTerms(['Thabo Mbeki', 'Okonkwo'], tokenizer);
  const { special } = tokenizer;

  /** A decoding of a text; `|` is a timestamp, and a word in brackets is uncertain. */
  function decodingOf(text: string): Decoding {
    const tokens: number[] = [];
    const probabilities: number[] = [];
    for (const [part] of text.matchAll(/\||[^|[\]]+|\[[^\]]+\]/gu)) {
      const added =
        part === '|' ? [special.timestampAt(1)] : tokenizer.encode(part.replaceAll(/[[\]]/gu, ''));
      tokens.push(...added);
      probabilities.push(...added.map((_, i) => (part.startsWith('[') && i === 0 ? 0.3 : 0.95)));
    }
    return { tokens, probabilities, averageLogProbability: -0.3, temperature: 0, isRepetitive: false };
  }

  it.each([
    ['because[ Mbeki] won so lowe.', ' because the pay was so low.', ' because the pay was so lowe.'],
    ['I worked at[ Mbeki] for 31 years.', ' I worked at the factory for 31 years.', null],
    ['We met[ Okonkwo] there.', ' We met a conqua there.', ' We met Okonkwo there.'],
    ['and[ Mbeki] so on.', ' and so on.', null],
    ['İzmir ve[ Mbeki] geldi.', ' İzmir ve oradan geldi.', null],
    ['We met Okonkwo there.', ' We met the children there.', ' We met Okonkwo there.'],
  ])('is replaced by what is heard without the list: %s', (text, heard, expected) => {
    const result = terms.replaceGuesses(decodingOf(` ${text}`), decodingOf(heard), tokenizer);
    expect(result && tokenizer.decode(result.tokens)).toBe(expected ?? heard);
  });

  it('stays when a time is marked among the words', () => {
    const decoding = decodingOf('| Nobody|[ Mbeki] said|');
    expect(terms.replaceGuesses(decoding, decodingOf('| Nobody knows| anything|'), tokenizer)).toEqual(
      decoding,
    );
  });

  it('keeps a probability for each token', () => {
    const words = fc.array(
      fc.constantFrom(' Mbeki', '[ Mbeki]', ' the', ' pay', '[ Okonkwo]', '|', ' höher', ' 🎉'),
    );
    fc.assert(
      fc.property(words, words, (some, others) => {
        const decoding = decodingOf(some.join(''));
        const result = terms.replaceGuesses(decoding, decodingOf(others.join('')), tokenizer);
        if (result === null) return;
        expect(result.probabilities).toHaveLength(result.tokens.length);
        expect(result.tokens.filter((token) => special.isTimestamp(token))).toEqual(
          decoding.tokens.filter((token) => special.isTimestamp(token)),
        );
      }),
    );
  });
});
