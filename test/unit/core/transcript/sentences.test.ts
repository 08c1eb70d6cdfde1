import { describe, expect, it } from 'vitest';
import { endsSentence, isAbbreviation } from '../../../../electron/core/transcript/sentences.ts';

describe('the end of a sentence', () => {
  it.each([
    'We left.',
    'Who?',
    '„Komm!“',
    'He said: "no."',
    'そうです。',
    'and so on etc.',
    'So am I.',
    'At 5 p.m.',
    '(Mr.)',
  ])('is after %s', (text) => expect(endsSentence(text)).toBe(true));

  it.each([
    'We left',
    'Anna Lindqvist: Mr.',
    'Good morning, Dr.',
    'zum Beispiel z.',
    'z. B.',
    'e.g.',
    '¿Sr.',
    'J.',
    'the U.S.',
    'по ул. А.',
  ])('is not after %s', (text) => expect(endsSentence(text)).toBe(false));
});

it('takes a word without its period for no abbreviation', () => {
  expect(isAbbreviation('Mr.')).toBe(true);
  expect(isAbbreviation('Mr')).toBe(false);
  expect(isAbbreviation('"Dr.')).toBe(true);
});
