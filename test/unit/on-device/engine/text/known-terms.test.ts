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

describe('a word of the list', () => {
  const terms = new KnownTerms(['Thabo Mbeki', 'Okonkwo'], tokenizer);
  const { special } = tokenizer;

  /** A decoding of a text; `|` is a timestamp. `probability`: that of each token. */
  function decodingOf(text: string, probability = 0.94): Decoding {
    const tokens = Array.from(text.matchAll(/\||[^|]+/gu), ([part]) =>
      part === '|' ? [special.timestampAt(1)] : tokenizer.encode(part),
    ).flat();
    const probabilities = tokens.map(() => probability);
    return { tokens, probabilities, averageLogProbability: -0.3, temperature: 0, isRepetitive: false };
  }

  it.each([
    ['because Mbeki won so lowe.', ' because the pay was so low.', null],
    ['I worked at Mbeki for 31 years.', ' I worked at the factory for 31 years.', null],
    ['Thabo Mbeki told us that.', ' Nobody told us that.', null],
    ['Thabo Mbeki told us that.', ' Tar boom Becky told us that.', ' Thabo Mbeki told us that.'],
    ['We met Okonkwo there.', ' We met a conqua there.', ' We met Okonkwo there.'],
    ['We met Okonkwo there.', ' We met the children there.', null],
    ['Then the Nbeki closed.', ' Then the bakery closed.', null],
    ['Let me ask Mbeka, Warder.', ' Let me ask Warder.', ' Let me ask Warder.'],
    ['and Mbeki so on.', ' and so on.', null],
    ['İzmir ve Mbeki geldi.', ' İzmir ve oradan geldi.', null],
    ['Mbeki said it so loudly.', ' The boy said it loudly.', ' The boy said it so loudly.'],
  ])('is replaced by what is heard without the list: %s', (text, heard, expected) => {
    const result = terms.replaceUnheard(decodingOf(` ${text}`), decodingOf(heard, 0.5), tokenizer);
    expect(result && tokenizer.decode(result.tokens)).toBe(expected ?? heard);
  });

  it('is replaced even by what sounds alike if the model is certain of that', () => {
    const result = terms.replaceUnheard(
      decodingOf(' No Mbeki told us.', 0.94),
      decodingOf(' Nobody told us.', 0.95),
      tokenizer,
    );
    expect(result && tokenizer.decode(result.tokens)).toBe(' Nobody told us.');
  });

  it.each([
    [0.7, 0.3],
    [0.2, 0.8],
  ])('that stays although %f speaks for something else has at most the rest: %f', (heard, expected) => {
    const decoding = decodingOf(' No Mbeki told us.', 0.94);
    const certain = decodingOf(' Nobody told us.', 1);
    const probabilities = certain.probabilities.with(0, heard);
    const result = terms.replaceUnheard(decoding, { ...certain, probabilities }, tokenizer);
    const [no = 1] = result?.probabilities ?? [];
    expect(tokenizer.decode(result?.tokens ?? [])).toBe(' No Mbeki told us.');
    expect(no).toBeCloseTo(expected, 5);
    expect(result?.probabilities.slice(-2)).toStrictEqual(decoding.probabilities.slice(-2));
  });

  it('stays where the model is certain', () => {
    const decoding = decodingOf(' We met Okonkwo there.', 0.99);
    expect(terms.replaceUnheard(decoding, decodingOf(' We met the children there.'), tokenizer)).toEqual(
      decoding,
    );
  });

  it('stays when a time is marked among the words', () => {
    const decoding = decodingOf('| Nobody| Mbeki said|');
    expect(terms.replaceUnheard(decoding, decodingOf('| Nobody knows| anything|'), tokenizer)).toEqual(
      decoding,
    );
  });

  it('keeps a probability for each token', () => {
    const words = fc.array(
      fc.constantFrom(' Mbeki', ' Mbeka', ' the', ' pay', ' Okonkwo', '|', ' höher', ' 🎉'),
    );
    fc.assert(
      fc.property(words, words, (some, others) => {
        const decoding = decodingOf(some.join(''));
        const result = terms.replaceUnheard(decoding, decodingOf(others.join('')), tokenizer);
        if (result === null) return;
        expect(result.probabilities).toHaveLength(result.tokens.length);
        expect(result.tokens.filter((token) => special.isTimestamp(token))).toEqual(
          decoding.tokens.filter((token) => special.isTimestamp(token)),
        );
      }),
    );
  });
});
