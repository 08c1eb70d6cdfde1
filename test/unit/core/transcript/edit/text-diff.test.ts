import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeTexts, mapPosition } from '../../../../../electron/core/transcript/edit/text-diff.ts';

const many = (word: string): string => Array.from({ length: 900 }, (_, at) => `${word}${at}`).join(' ');

describe('a text changed twice', () => {
  test.each([
    ['Two nets.', 'Two nets. And', 'Two traps.', 'Two traps. And'],
    ['the net and the net', 'the net and the old net', 'the trap and the trap', 'the trap and the old trap'],
    ['one two three', 'one two', 'one 2 three', 'one 2'],
    ['', 'typed', 'theirs', 'theirstyped'],
    ['the net', 'the nets', 'the trap', 'the traps'],
    // Typed within a word that was changed elsewhere: the letters stay.
    ['the net', 'the neet', 'the trap', 'the neet'],
    ['a b', '', 'a c', ''],
  ])('%j, typed %j, elsewhere %j', (base, mine, theirs, merged) => {
    expect(mergeTexts(base, mine, theirs)).toBe(merged);
  });

  const text = fc
    .array(fc.constantFrom('net', 'boat', 'é', '港', '👩‍👩‍👧', '.', ' ', '  '), { maxLength: 12 })
    .map((words) => words.join(''));

  test('keeps everything typed, and applies a single change unmodified', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.nat(60),
        fc.string({ minLength: 1, maxLength: 4 }),
        (base, theirs, at, typed) => {
          const place = Math.min(at, base.length);
          const mine = base.slice(0, place) + typed + base.slice(place);
          expect(mergeTexts(base, mine, base)).toBe(mine);
          expect(mergeTexts(base, base, theirs)).toBe(theirs);
          expect(mergeTexts(base, mine, theirs)).toContain(typed);
        },
      ),
    );
  });

  test('with too many differences keeps the typed letters', () => {
    expect(mergeTexts(`${many('a')} end`, `${many('a')} end typed`, `${many('b')} end`)).toBe(
      `${many('b')} end typed`,
    );
  });
});

test('a position stays at its letters', () => {
  expect(mapPosition('Two nets. And', 'Two traps. And', 13)).toBe(14);
  expect(mapPosition('Two nets. And', 'Two traps. And', 3)).toBe(3);
  expect(mapPosition('net net', 'trap trap', 4)).toBe(5);
  expect(mapPosition('net', 'trap', 2)).toBe(4);
  expect(mapPosition('and xxxnets', 'and nets', 7)).toBe(4);
  expect(mapPosition('nets', 'xxxnets', 2)).toBe(5);
});
