import type { Query } from '../../contract/query.ts';

/** A match in a text; offsets in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

const specialCharacters = /[.*+?^${}()|[\]\\/]/g;

/** Returns a pattern that matches a text literally. */
export const escapePattern = (text: string): string => text.replaceAll(specialCharacters, String.raw`\$&`);

/** Returns a pattern for a query; `null` if the query is empty. */
export function patternOf({ text, matchCase, wholeWords }: Query): RegExp | null {
  if (text === '') return null;
  const literal = escapePattern(text);
  // A word boundary is only required next to a letter or digit of the query.
  const before = wholeWords && /^[\p{L}\p{N}]/u.test(text) ? String.raw`(?<![\p{L}\p{N}\p{M}])` : '';
  const after = wholeWords && /[\p{L}\p{N}\p{M}]$/u.test(text) ? String.raw`(?![\p{L}\p{N}\p{M}])` : '';
  return new RegExp(`${before}${literal}${after}`, matchCase ? 'gu' : 'giu');
}

/** Returns all matches of a pattern of {@link patternOf}; none overlap. */
export const findMatches = (text: string, pattern: RegExp): readonly Match[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
