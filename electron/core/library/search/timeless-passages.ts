import type { FoundPassage } from './search-order.ts';
import { findIn } from './search-marks.ts';
import type { SearchQuery } from './search-query.ts';

/** A sentence or line, with the space after it. */
const sentence = /[^\n]*?(?:[.!?…。！？؟۔।]["'\p{Pe}\p{Pf}]*(?=\s)|[。！？]|\n|$)\s*/gu;

/**
 * Finds the sentences of a text without times that match a query: those that match all of it, else those that match a
 * part. A phrase across the end of a sentence matches the whole text.
 */
export function timelessPassages(text: string, query: SearchQuery): readonly FoundPassage[] {
  const sentences = [...text.matchAll(sentence)].filter(([said]) => said.trim() !== '');
  const found = sentences.flatMap((match) => passageOf(match[0], match.index, query) ?? []);
  if (found.length === 0) return [passageOf(text, 0, query)].flatMap((whole) => whole ?? []);
  const whole = found.filter(({ text: said }) => hasAll(said, query));
  return whole.length > 0 ? whole : found;
}

const hasAll = (text: string, { wanted, unwanted }: SearchQuery): boolean =>
  wanted.every((term) => findIn(text, { wanted: [term], unwanted }).score > 0);

function passageOf(said: string, at: number, query: SearchQuery): FoundPassage | null {
  const { marks, score } = findIn(said, query);
  if (score === 0) return null;
  return {
    segment: null,
    start: null,
    range: { start: at, end: at + said.trimEnd().length },
    text: said.trimEnd(),
    marks,
    score,
  };
}
