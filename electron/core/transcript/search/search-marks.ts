import type { MarkedText, TextRange } from '../../../contract/library-commands.ts';
import type { IndexedWord } from './other-spellings.ts';
import type { SearchQuery, Term } from './search-query.ts';
import { tokensOf, type Token } from '../search-text.ts';

/** How well a text matches a query, and where. */
export interface QueryMatch {
  /** How many of the required terms the text has; always `none` if it has an excluded one. */
  readonly terms: 'all' | 'some' | 'none';
  /** In order and not overlapping. */
  readonly marks: readonly TextRange[];
  /** Higher is better; 0 if nothing matches. */
  readonly score: number;
}

export const noMatch: QueryMatch = { terms: 'none', marks: [], score: 0 };

/** Characters of a snippet. */
const maxSnippetLength = 180;
/** A first mark beyond this offset would be cut off in a narrow window. */
const maxFirstMarkOffset = 44;
/** Words before the first mark in a shortened snippet. */
const leadWords = 6;

/** Finds the required terms of a query in a text without the excluded ones. */
export function matchText(text: string, { required, excluded }: SearchQuery): QueryMatch {
  const tokens = tokensOf(text);
  if (excluded.some((term) => tokens.some((_, at) => matchAt(tokens, at, term) > 0))) return noMatch;
  const marks: TextRange[] = [];
  let score = 0;
  let termCount = 0;
  let first = tokens.length;
  let last = 0;
  for (const term of required) {
    let best = 0;
    for (let at = 0; at + term.words.length <= tokens.length; at += 1) {
      const quality = matchAt(tokens, at, term);
      if (quality === 0) continue;
      const end = at + term.words.length - 1;
      marks.push({ start: tokens[at]?.start ?? 0, end: tokens[end]?.end ?? 0 });
      if (quality <= best) continue;
      best = quality;
      first = Math.min(first, at);
      last = Math.max(last, end);
    }
    score += best;
    if (best > 0) termCount += 1;
  }
  if (marks.length === 0) return noMatch;
  // Words close together weigh more than words far apart, and matches in a short passage more than in a long one.
  const closeness = required.length === 1 ? 1 : required.length / Math.max(required.length, last - first + 1);
  const density = 1 / (1 + Math.log1p(tokens.length / 12));
  return {
    terms: termCount === required.length ? 'all' : 'some',
    marks: mergeMarks(marks),
    score: score * (1 + closeness) * (0.5 + density),
  };
}

/** Like {@link matchText}; `null` unless the text has all of the required terms, or any of them. */
export function matchTerms(text: string, query: SearchQuery, terms: 'all' | 'any'): QueryMatch | null {
  const match = matchText(text, query);
  return match.terms === 'none' || (match.terms === 'some' && terms === 'all') ? null : match;
}

/** The weight of another spelling compared to the typed one. */
const otherSpellingWeight = 0.9;

/** Scores a term at a token: 0 for no match, less for another spelling than the typed one. */
function matchAt(tokens: readonly Token[], at: number, { words, others, prefix }: Term): number {
  const typed = spellingAt(tokens, at, words, prefix);
  return others.reduce(
    (best, other) => Math.max(best, otherSpellingWeight * spellingAt(tokens, at, other, prefix)),
    typed,
  );
}

/** Scores a spelling at a token: 0 for no match, less for a prefix and for missing accents. */
function spellingAt(
  tokens: readonly Token[],
  at: number,
  words: readonly IndexedWord[],
  prefix: boolean,
): number {
  let quality = 1;
  for (let index = 0; index < words.length; index += 1) {
    const token = tokens[at + index];
    const word = words[index];
    if (token === undefined || word === undefined) return 0;
    const isOpen = prefix && index === words.length - 1;
    const isSame = (found: string | null, queried: string): boolean =>
      found !== null && (isOpen ? found.startsWith(queried) : found === queried);
    if (!isSame(token.plain, word.plain)) return 0;
    if (word.accented !== null && !isSame(token.accented, word.accented)) return 0;
    if (token.plain !== word.plain) quality *= 0.6;
    else if (token.accented !== word.accented) quality *= 0.9;
  }
  return quality;
}

/** Sorts marks and merges those that overlap or touch. */
function mergeMarks(marks: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const previous = result.at(-1);
    if (previous !== undefined && mark.start <= previous.end) {
      result[result.length - 1] = { start: previous.start, end: Math.max(previous.end, mark.end) };
    } else result.push(mark);
  }
  return result;
}

/** Returns a text on one line, shortened around its first mark if it is too long. */
export function snippetOf(text: string, marks: readonly TextRange[]): MarkedText {
  const first = marks[0]?.start ?? 0;
  let from = 0;
  if (text.length > maxSnippetLength || first > maxFirstMarkOffset) {
    const before = tokensOf(text.slice(0, first));
    const lead = before.at(-leadWords);
    if (lead !== undefined && before.length > leadWords) from = lead.start;
  }
  const to =
    from + maxSnippetLength >= text.length ? text.length : wordEndBefore(text, from + maxSnippetLength);
  const head = from > 0 ? '…' : '';
  const tail = to < text.length ? '…' : '';
  // White space is replaced one for one, so that marks keep their offsets.
  const body = text.slice(from, to).replaceAll(/\s/gu, ' ');
  return {
    text: `${head}${body}${tail}`,
    marks: marks
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from + head.length, end: end - from + head.length })),
  };
}

/** Returns the end of the last whole word before `limit`, or `limit` itself; never inside a character. */
function wordEndBefore(text: string, limit: number): number {
  const space = text.lastIndexOf(' ', limit);
  if (space > limit - 30) return space;
  const isHalf = /[\uDC00-\uDFFF]/u.test(text.charAt(limit));
  return isHalf ? limit - 1 : limit;
}
