import fc from 'fast-check';
import { expect, it } from 'vitest';
import { piecesOf, WordsDigest } from '../../../../../electron/core/library/import/words-digest.ts';

function digestOf(passages: readonly string[]): string {
  const digest = new WordsDigest();
  for (const passage of passages) digest.add(passage);
  return digest.digest();
}

it('normalizes a long passage in pieces', () => {
  // One letter that becomes 18.
  const passage = '\uFDFA'.repeat(100_000);
  const pieces = [...piecesOf(passage)];
  expect(pieces.join('')).toBe(passage);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4000);
});

it('is the same wherever a long text has its line breaks', () => {
  const letters =
    'a e\u0301 \u1100\u1161\u11A8 \uFF76\uFF9E \u{1F600} \u{20BB7} ㎞ Σ \uFDFA ب か\u3099'.split(' ');
  const unspaced = fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 7 })
    .map((some) => some.join('').repeat(Math.ceil(9000 / some.join('').length)));
  fc.assert(
    fc.property(
      fc.array(unspaced, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(' ', ''),
      (texts, space) => {
        const whole = texts.join(space);
        const shifted = ['a'.repeat(3999), ...texts].join(space);
        const lines = ['a'.repeat(3999), ...texts];
        expect(digestOf([whole])).toBe(digestOf(texts));
        expect(digestOf([shifted])).toBe(digestOf(lines));
      },
    ),
  );
});
