import { otherSpellings, type Word } from './other-spellings.ts';
import { tokensOf } from '../../transcript/search-text.ts';

/** What a search asks for: words that follow each other; most often it is one. */
export interface Term {
  /** At least one. */
  readonly words: readonly Word[];
  /** Words that are taken for the same, each as many as these. */
  readonly others: readonly (readonly Word[])[];
  /** Whether the last word may go on. */
  readonly prefix: boolean;
}

export interface SearchQuery {
  /** All of these have to be in a passage. */
  readonly wanted: readonly Term[];
  /** None of these may be in it. */
  readonly unwanted: readonly Term[];
}

/** A minus, then a phrase in any kind of double quotes, which may still be open, or a word up to the next space. */
const piece = /(?<minus>[-−]?)(?:["“”„«»](?<phrase>[^"“”„«»]*)(?<closed>["“”„«»]?)|(?<word>[^\s"“”„«»]+))/gu;
/** More than anyone types; each costs. */
const maxTerms = 16;

/**
 * Reads what somebody typed: words that all have to be there, `"a phrase"`, `begin*`, `-without`. The last word may be
 * unfinished, as it is while one types, unless a space or a quote closes it; Korean words always may, as particles follow
 * them. What stands in quotes is meant as it is written. Nothing is an error.
 */
export function parseQuery(typed: string): SearchQuery {
  const wanted: Term[] = [];
  const unwanted: Term[] = [];
  for (const match of typed.matchAll(piece)) {
    const { minus = '', phrase, closed = '', word = '' } = match.groups ?? {};
    const written = phrase ?? word;
    const words = tokensOf(written).map(({ plain, accented }) => ({ plain, accented }));
    if (words.length === 0 || wanted.length + unwanted.length === maxTerms) continue;
    const isExcluded = minus !== '';
    const isLast = match.index + match[0].length === typed.length;
    // A single letter begins too many words to say anything.
    const isOpen = isLast && closed === '' && /[\p{L}\p{N}\p{M}]{2}$/u.test(written);
    const isQuoted = phrase !== undefined;
    const isKorean = !isQuoted && /\p{sc=Hang}$/u.test(written);
    const prefix = written.endsWith('*') || ((isOpen || isKorean) && !isExcluded);
    const others = isQuoted ? [] : otherSpellings(words);
    (isExcluded ? unwanted : wanted).push({ words, others, prefix });
  }
  return { wanted, unwanted };
}

/** Whether a query wants or excludes anything; quotes, a minus or signs alone do not. */
export const hasTerms = ({ wanted, unwanted }: SearchQuery): boolean => wanted.length + unwanted.length > 0;

/** The query in FTS5's language; `null` when it asks for nothing. */
export function matchExpression({ wanted, unwanted }: SearchQuery): string | null {
  if (wanted.length === 0) return null;
  const all = wanted.map(termExpression).join(' AND ');
  return unwanted.reduce((expression, term) => `(${expression}) NOT ${termExpression(term)}`, all);
}

/**
 * A term's words in a row without accents, and those that were typed with accents anywhere with them: `resume` finds
 * `résumé`, `résumé` does not find `resume`.
 */
function termExpression({ words, others, prefix }: Term): string {
  const all = [words, ...others].map((one) => spellingExpression(one, prefix));
  return all.length === 1 ? all.join('') : `(${all.join(' OR ')})`;
}

function spellingExpression(words: readonly Word[], prefix: boolean): string {
  const star = (index: number): string => (prefix && index === words.length - 1 ? ' *' : '');
  const phrase = `plain : "${words.map(({ plain }) => plain).join(' ')}"${star(words.length - 1)}`;
  const accents = words.flatMap(({ accented }, index) =>
    accented === null ? [] : `accented : "${accented}"${star(index)}`,
  );
  return `(${[phrase, ...accents].join(' AND ')})`;
}
