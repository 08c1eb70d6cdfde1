import type { FoundPassage } from './search-order.ts';
import { matchTerms } from '../../transcript/search/search-marks.ts';
import type { SearchQuery } from '../../transcript/search/search-query.ts';
import { isAbbreviation } from '../../transcript/sentences.ts';

/** A sentence or line, with the space after it. */
const sentencePattern = /[^\n]*?(?:[.!?…。！？؟۔।]["'\p{Pe}\p{Pf}\p{Pi}]*(?=\s)|[。！？]|\n|$)\s*/gu;

/** Finds the sentences and lines of a text without times that have all of a query, or those that have any of it. */
export const untimedPassages = (
  text: string,
  query: SearchQuery,
  terms: 'all' | 'any',
): readonly FoundPassage[] => [...passagesOf(text, query, terms)];

/** Whether a sentence or line of a text without times has all of a query. */
export const matchesUntimed = (text: string, query: SearchQuery): boolean =>
  passagesOf(text, query, 'all').next().done !== true;

function* passagesOf(text: string, query: SearchQuery, terms: 'all' | 'any'): Generator<FoundPassage> {
  for (const { text: piece, at } of sentencesOf(text)) {
    const sentence = piece.trimEnd();
    const match = matchTerms(sentence, query, terms);
    if (match === null) continue;
    const { marks, score } = match;
    const range = { start: at, end: at + sentence.length };
    yield { segment: null, start: null, range, text: sentence, marks, score };
  }
}

/** Returns the sentences and lines of a text, with their offsets. */
function sentencesOf(text: string): readonly { readonly text: string; readonly at: number }[] {
  const sentences: { text: string; at: number }[] = [];
  let continues = false;
  for (const { 0: piece, index } of text.matchAll(sentencePattern)) {
    const last = sentences.at(-1);
    if (last !== undefined && continues) last.text += piece;
    else if (piece.trim() !== '') sentences.push({ text: piece, at: index });
    continues =
      isAbbreviation(piece.slice(piece.trimEnd().lastIndexOf(' ') + 1).trimEnd()) && !piece.includes('\n');
  }
  return sentences;
}
