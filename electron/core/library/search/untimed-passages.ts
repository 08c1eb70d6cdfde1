import type { FoundPassage } from './search-order.ts';
import { findIn } from './search-marks.ts';
import type { SearchQuery } from './search-query.ts';
import { isAbbreviation } from '../../transcript/sentences.ts';

/** A sentence or line, with the space after it. */
const sentence = /[^\n]*?(?:[.!?…。！？؟۔।]["'\p{Pe}\p{Pf}\p{Pi}]*(?=\s)|[。！？]|\n|$)\s*/gu;

/**
 * Finds the sentences of a text without times that match a query: those that match all of it, else those that match a
 * part. A phrase across the end of a sentence matches the whole text.
 */
export function untimedPassages(text: string, query: SearchQuery): readonly FoundPassage[] {
  const found = sentencesOf(text).flatMap((sentence) => passageOf(sentence.text, sentence.at, query) ?? []);
  if (found.length === 0) return [passageOf(text, 0, query)].flatMap((whole) => whole ?? []);
  const whole = found.filter(({ text: passageText }) => hasAll(passageText, query));
  return whole.length > 0 ? whole : found;
}

/** Returns the sentences and lines of a text, with their offsets. */
function sentencesOf(text: string): readonly { readonly text: string; readonly at: number }[] {
  const sentences: { text: string; at: number }[] = [];
  let continues = false;
  for (const { 0: piece, index } of text.matchAll(sentence)) {
    const last = sentences.at(-1);
    if (last !== undefined && continues) last.text += piece;
    else if (piece.trim() !== '') sentences.push({ text: piece, at: index });
    continues =
      isAbbreviation(piece.slice(piece.trimEnd().lastIndexOf(' ') + 1).trimEnd()) && !piece.includes('\n');
  }
  return sentences;
}

const hasAll = (text: string, { wanted, unwanted }: SearchQuery): boolean =>
  wanted.every((term) => findIn(text, { wanted: [term], unwanted }).score > 0);

function passageOf(sentence: string, at: number, query: SearchQuery): FoundPassage | null {
  const { marks, score } = findIn(sentence, query);
  if (score === 0) return null;
  return {
    segment: null,
    start: null,
    range: { start: at, end: at + sentence.trimEnd().length },
    text: sentence.trimEnd(),
    marks,
    score,
  };
}
