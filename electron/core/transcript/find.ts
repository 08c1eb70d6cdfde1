import type { Query } from '../../contract/transcript.ts';

/** A place in a text, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

const special = /[.*+?^${}()|[\]\\/-]/g;

/** A pattern for what a query looks for; `null` when it looks for nothing. */
export function patternOf({ text, matchCase, wholeWords }: Query): RegExp | null {
  if (text === '') return null;
  const literal = text.replaceAll(special, String.raw`\$&`);
  // Only a letter or digit at the edge of the query can be in the middle of a word.
  const before = wholeWords && /^[\p{L}\p{N}]/u.test(text) ? String.raw`(?<![\p{L}\p{N}\p{M}])` : '';
  const after = wholeWords && /[\p{L}\p{N}\p{M}]$/u.test(text) ? String.raw`(?![\p{L}\p{N}\p{M}])` : '';
  return new RegExp(`${before}${literal}${after}`, matchCase ? 'gu' : 'giu');
}

/** All places of a text that a pattern of {@link patternOf} finds, none overlapping. */
export const findMatches = (text: string, pattern: RegExp): readonly Match[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
