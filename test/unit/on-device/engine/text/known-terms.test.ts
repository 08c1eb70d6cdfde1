import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KnownTerms,
  maxTermTokens,
  isSimilarText,
} from '../../../../../electron/on-device/engine/text/known-terms.ts';
import { maxPromptTokens } from '../../../../../electron/on-device/engine/text/previous-text.ts';
import { maxTokensPerWindow } from '../../../../../electron/on-device/engine/whisper/decoding.ts';
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
