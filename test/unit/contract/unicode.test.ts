import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCase, normalizeText } from '../../../electron/contract/unicode.ts';
import { indexedWords } from '../../../electron/core/transcript/search-text.ts';

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

test('normalizes every text without endless runs of marks as the language itself does', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 });
  const property = fc.property(
    texts,
    fc.constantFrom(...forms),
    // oxlint-disable-next-line no-restricted-properties
    (text, form) => normalizeText(text, form) === text.normalize(form),
  );
  expect(fc.check(property)).toMatchObject({ failed: false, counterexample: null });
});

test('is not quadratic in the marks on one letter', () => {
  const marks = '\u0301'.repeat(500_000) + '\u0323'.repeat(500_000);
  for (const form of forms) {
    const text = normalizeText(`a${marks}b`, form);
    expect(text.length).toBeLessThan(40);
    expect(text.endsWith('b')).toBe(true);
  }
  expect(indexedWords(`a${marks} b`).plain).toBe('a b');
});

test('folds case and composition', () => {
  expect(foldCase('BA\u0308CKER')).toBe('bäcker');
});
