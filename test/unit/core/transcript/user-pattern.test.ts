import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PatternError, Query } from '../../../../electron/contract/query.ts';
import {
  compilePattern,
  expandAt,
  findPattern,
  maxPatternMatches,
  replacePattern,
  unpackMatches,
} from '../../../../electron/core/transcript/user-pattern.ts';

const query = (text: string, options: Partial<Query> = {}): Query => ({
  text,
  matchCase: false,
  wholeWords: false,
  ...options,
});

function compiled(text: string, options?: Partial<Query>): RegExp {
  const pattern = compilePattern(query(text, options));
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern;
}

const found = (texts: readonly string[], text: string, options?: Partial<Query>): readonly string[] =>
  unpackMatches(findPattern(texts, compiled(text, options))).map((match) =>
    (texts[match.index] ?? '').slice(match.start, match.end),
  );

test('a pattern is found in each text, with the options of the find bar', () => {
  const texts = ['The nets, the Net', 'no internet', ''];
  expect(found(texts, String.raw`n\w+s?`)).toStrictEqual(['nets', 'Net', 'no', 'nternet']);
  expect(found(texts, 'n.t', { matchCase: true })).toStrictEqual(['net', 'net']);
  expect(found(texts, 'net|no', { wholeWords: true })).toStrictEqual(['Net', 'no']);
  // Letters of every script are letters.
  expect(found(['Übernetz'], 'netz', { wholeWords: true })).toStrictEqual([]);
});

test('the edges of a text and of its lines can be matched', () => {
  const matches = findPattern(['one\ntwo', 'three'], compiled('^'));
  expect(unpackMatches(matches)).toStrictEqual([
    { index: 0, start: 0, end: 0 },
    { index: 0, start: 4, end: 4 },
    { index: 1, start: 0, end: 0 },
  ]);
});

test('the end of a match is no other match, and deleting nothing is not a deletion', () => {
  const texts = ['one\ntwo', '', 'three'];
  expect(found(texts, '.*')).toStrictEqual(['one', 'two', '', 'three']);
  expect(replacePattern(texts, compiled('.*'), '')?.count).toBe(3);
  expect(replacePattern(['one'], compiled('.*'), '<$&>')?.changed).toStrictEqual([
    { index: 0, text: '<one>' },
  ]);
});

test('more matches than anyone steps through are cut off, but all are replaced', () => {
  const texts = ['a'.repeat(maxPatternMatches), 'aa'];
  const { packed, isCapped } = findPattern(texts, compiled('a'));
  expect([packed.length / 3, isCapped]).toStrictEqual([maxPatternMatches, true]);
  expect(findPattern(texts.slice(0, 1), compiled('a')).isCapped).toBe(false);
  expect(replacePattern(texts, compiled('a'), 'b')?.count).toBe(maxPatternMatches + 2);
});

test.each<[string, PatternError]>([
  ['(a', 'group'],
  ['a)', 'parenthesis'],
  ['[a', 'class'],
  ['*a', 'repeat'],
  ['(?<=a)*', 'repeat'],
  ['a{', 'braces'],
  ['}', 'braces'],
  ['[b-a]', 'range'],
  ['a{3,2}', 'range'],
  ['\\', 'escape'],
  [String.raw`\y`, 'escape'],
  [String.raw`\u{zz}`, 'escape'],
  [String.raw`\p{Foo}`, 'property'],
  [String.raw`[\p{Foo}]`, 'property'],
  ['(?<1>a)', 'name'],
  ['(?<a>x)(?<a>y)', 'name'],
  [String.raw`(?<a>x)\k<b>`, 'name'],
  ['(?', 'other'],
])('what is wrong with %s is known', (text, error) => {
  expect(compilePattern(query(text))).toBe(error);
});

test('a pattern is not completed by the group for whole words', () => {
  expect(compilePattern(query('a)(b', { wholeWords: true }))).toBe('parenthesis');
});

test('only texts that a replacement changes are returned', () => {
  const texts = ['3.5 metres', 'no number', '12.25 or 7.5'];
  expect(replacePattern(texts, compiled(String.raw`(\d+)\.(\d+)`), '$1,$2')).toStrictEqual({
    count: 3,
    changed: [
      { index: 0, text: '3,5 metres' },
      { index: 2, text: '12,25 or 7,5' },
    ],
  });
});

test('a replacement that would exceed the length of a transcript is refused', () => {
  expect(replacePattern(['a'.repeat(100_000)], compiled('a'), 'b'.repeat(101))).toBeNull();
});

test('groups in a replacement mean what they mean in JavaScript', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '👩', '$') });
  const patterns = fc.constantFrom(
    '(a)(b)?',
    '(?<first>a)|(?<second>b+)',
    '(?<=a)(b)',
    '((((((((((a))))))))))(b)?',
    'c+',
    '',
    String.raw`\p{Emoji}`,
  );
  const replacements = fc
    .array(
      fc.constantFrom(
        '$',
        '$1',
        '$2',
        '$0',
        '$01',
        '$11',
        '$9',
        '$&',
        '$$',
        '$<first>',
        '$<none>',
        '$<constructor>',
        '$<',
        '1',
        'x',
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, patterns, replacements, (text, source, replacement) => {
      const pattern = compiled(source);
      const wanted = text.replaceAll(pattern, replacement);
      const { changed } = replacePattern([text], pattern, replacement)!;
      expect(changed).toStrictEqual(wanted === text ? [] : [{ index: 0, text: wanted }]);
      // One after the other, from the end, each match becomes the same.
      const single = unpackMatches(findPattern([text], pattern)).reduceRight((rest, { start, end }) => {
        const match = expandAt(text, pattern, start, replacement)!;
        expect(match.end).toBe(end);
        return rest.slice(0, start) + match.replacement + rest.slice(end);
      }, text);
      expect(single).toBe(wanted);
    }),
  );
});

test('nothing is expanded where there is no match any more', () => {
  expect(expandAt('no nets', compiled('nets'), 2, 'x')).toBeNull();
});
