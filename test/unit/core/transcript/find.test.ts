import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMatches, patternOf } from '../../../../electron/core/transcript/find.ts';

test('a text is found as it was typed, whatever it consists of', () => {
  const special = fc.constantFrom(...'-a.*+?^${}()|[]\\/ ');
  const letter = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(special, letter), { minLength: 1 }),
      fc.boolean(),
      (characters, matchCase) => {
        const text = characters.join('');
        const pattern = patternOf({ text, matchCase, wholeWords: false })!;
        expect(findMatches(`…${text}…`, pattern)[0]).toStrictEqual({ start: 1, end: 1 + text.length });
      },
    ),
  );
});
