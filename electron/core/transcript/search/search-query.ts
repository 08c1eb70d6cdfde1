import { otherSpellings, type IndexedWord } from './other-spellings.ts';
import { tokensOf } from '../search-text.ts';

/** A sequence of words to search for; usually one word. */
export interface Term {
  /** At least one. */
  readonly words: readonly IndexedWord[];
  /** Other spellings, each with as many words. */
  readonly others: readonly (readonly IndexedWord[])[];
  /** Whether the last word is a prefix. */
  readonly prefix: boolean;
}

export interface SearchQuery {
  /** A passage must have all of these. */
  readonly required: readonly Term[];
  /** A passage must have none of these. */
  readonly excluded: readonly Term[];
}

/** A minus, then a phrase in any kind of double quotes, which may still be open, or a word up to the next space. */
const termPattern =
  /(?<minus>[-−]?)(?:["“”„«»](?<phrase>[^"“”„«»]*)(?<closed>["“”„«»]?)|(?<word>[^\s"“”„«»]+))/gu;
/** The end of a word, or of the last part of several, that the user may still be typing. */
const openWord = /[\p{L}\p{N}\p{M}]{2}$/u;
const openCompound = /(?:[\p{L}\p{N}\p{M}]{2}|\p{N})$/u;
/** Further terms are ignored: no real query has as many, and each costs time. */
const maxTerms = 16;

/**
 * Parses a typed query: required words, `"a phrase"`, `prefix*`, `-excluded`. The last word is a prefix, as the user
 * may still be typing, unless a space or a quote follows it; so is every Korean word, as particles follow it. Quoted
 * text matches exactly. Every text is a valid query.
 */
export function parseQuery(typed: string): SearchQuery {
  const required: Term[] = [];
  const excluded: Term[] = [];
  for (const match of typed.matchAll(termPattern)) {
    const { minus = '', phrase, closed = '', word = '' } = match.groups ?? {};
    const written = phrase ?? word;
    const words = tokensOf(written).map(({ plain, accented }) => ({ plain, accented }));
    if (words.length === 0 || required.length + excluded.length === maxTerms) continue;
    const isExcluded = minus !== '';
    const isLast = match.index + match[0].length === typed.length;
    // A single letter is a prefix of too many words. A digit is not, after another part, as in a date: `2022-0`.
    const isOpen = isLast && closed === '' && (words.length > 1 ? openCompound : openWord).test(written);
    const isQuoted = phrase !== undefined;
    const isKorean = !isQuoted && /\p{sc=Hang}$/u.test(written);
    const prefix = written.endsWith('*') || ((isOpen || isKorean) && !isExcluded);
    const others = isQuoted ? [] : otherSpellings(words);
    (isExcluded ? excluded : required).push({ words, others, prefix });
  }
  return { required, excluded };
}

/** Whether a query has a word to search for, and not only quotes, a minus or other punctuation. */
export const hasTerms = ({ required, excluded }: SearchQuery): boolean =>
  required.length + excluded.length > 0;

/**
 * Whether typed text has neither a letter nor a digit, for example `🎉`, so that nothing can match it. Quotes, a minus and
 * an asterisk alone are the beginning of a term.
 */
export const isUnsearchable = (typed: string): boolean =>
  !hasTerms(parseQuery(typed)) && /[^\s"“”„«»\-−*]/u.test(typed);

/** Returns the query in FTS5's syntax; `null` if it has no required term. */
export function matchExpression({ required, excluded }: SearchQuery): string | null {
  if (required.length === 0) return null;
  const all = required.map(termExpression).join(' AND ');
  return excluded.reduce((expression, term) => `(${expression}) NOT ${termExpression(term)}`, all);
}

/**
 * Matches a term's words in sequence, ignoring accents; words typed with accents must also occur with them anywhere in
 * the text: `resume` finds `résumé`, but `résumé` does not find `resume`.
 */
function termExpression({ words, others, prefix }: Term): string {
  const all = [words, ...others].map((one) => spellingExpression(one, prefix));
  return all.length === 1 ? all.join('') : `(${all.join(' OR ')})`;
}

function spellingExpression(words: readonly IndexedWord[], prefix: boolean): string {
  const star = (index: number): string => (prefix && index === words.length - 1 ? ' *' : '');
  const phrase = `plain : "${words.map(({ plain }) => plain).join(' ')}"${star(words.length - 1)}`;
  const accents = words.flatMap(({ accented }, index) =>
    accented === null ? [] : `accented : "${accented}"${star(index)}`,
  );
  return `(${[phrase, ...accents].join(' AND ')})`;
}
