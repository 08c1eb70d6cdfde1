import { describe, expect, it } from 'vitest';
import {
  isUnsearchable,
  matchExpression,
  parseQuery,
} from '../../../../../electron/core/transcript/search/search-query.ts';

const words = (typed: string) => {
  const { required, excluded } = parseQuery(typed);
  const shown = (terms: typeof required) =>
    terms.map(({ words, prefix }) => words.map(({ plain }) => plain).join(' ') + (prefix ? '*' : ''));
  return { required: shown(required), excluded: shown(excluded) };
};

describe('a query', () => {
  it.each([
    ['harbour wall ', ['harbour', 'wall'], []],
    ['harbour wal', ['harbour', 'wal*'], []],
    ['"on the radio" piet ', ['on the radio', 'piet'], []],
    ['"on the rad', ['on the rad*'], []],
    ['“on the radio”', ['on the radio'], []],
    ['harb* wall ', ['harb*', 'wall'], []],
    ['harbour -radio', ['harbour'], ['radio']],
    ['harbour -"the radio" ', ['harbour'], ['the radio']],
    ['well-known ', ['well known'], []],
    ['2022-0', ['2022 0*'], []],
    ['2022-01-0', ['2022 01 0*'], []],
    ['"2022 0" ', ['2022 0'], []],
    ['net 2', ['net', '2'], []],
    ['plan-b', ['plan b'], []],
    ['a - b ', ['a', 'b'], []],
    ['図書館', ['図 書 館*'], []],
    ['라디오 소식 ', ['라디오*', '소식*'], []],
    ['"라디오" ', ['라디오'], []],
    ['?!', [], []],
    ['', [], []],
  ])('%s', (typed, required, excluded) => {
    expect(words(typed)).toEqual({ required, excluded });
  });

  it.each([
    ['🎉', true],
    ['$#%', true],
    ['?', true],
    ['a?', false],
    ['9', false],
    ['"', false],
    [' -', false],
    ['', false],
  ])('%j can match nothing: %s', (typed, expected) => {
    expect(isUnsearchable(typed)).toBe(expected);
  });

  it('is quoted for the index, with any content', () => {
    expect(matchExpression(parseQuery('NEAR(a OR "b) col:c* '))).not.toBeNull();
    expect(matchExpression(parseQuery('Résumé xy'))).toBe(
      '(plain : "resume" AND accented : "résumé") AND (plain : "xy" *)',
    );
    expect(matchExpression(parseQuery('-x'))).toBeNull();
  });
});
