import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightPieces } from '../../renderer/ui/highlight.tsx';

const found = (text: string, query: string): readonly string[] =>
  highlightPieces(text, query)
    .filter((piece) => piece.found)
    .map((piece) => piece.text);

test('the words of a search are marked wherever they occur, in any case', () => {
  expect(found('Two rivers meet. The River Ness.', 'river ness')).toStrictEqual(['river', 'River', 'Ness']);
});

test('signs of a search are signs, not patterns', () => {
  expect(found('What? (yes) a+b', '? (yes) a+b')).toStrictEqual(['?', '(yes)', 'a+b']);
});

test('no letter is lost or added, whatever is searched for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, query) => {
      expect(
        highlightPieces(text, query)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
