import type { Segment } from '../../contract/segment-schema.ts';
import { letterKey, matchingPairs, matchWords } from './word-edits.ts';
import type { Word } from './word-times.ts';
import { wordRanges, type TextRange } from './words-in-text.ts';

/** A word as services and files give it, with its own text instead of a range of the segment's. */
export interface SpokenWord {
  readonly text: string;
  /** In seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  /** From 0 to 1; `null` if unknown. */
  readonly probability: number | null;
}

/** How far outside of its segment a word may be spoken, in seconds. */
const toleranceSeconds = 0.5;

/**
 * Finds spoken words in the text of their segment, in order. White space, punctuation and case may differ; where other
 * letters do, the text's own words take the times of those that they replace.
 *
 * @returns `null` if less than half of the words are found, or if most are spoken outside of the segment
 */
export function alignWords(segment: Segment, spoken: readonly SpokenWord[]): readonly Word[] | null {
  const { text } = segment;
  const inside = spoken.filter(
    ({ start, end }) =>
      (start + end) / 2 >= segment.start - toleranceSeconds &&
      (start + end) / 2 <= segment.end + toleranceSeconds,
  );
  if (spoken.length === 0 || inside.length < spoken.length / 2) return null;
  const ranges = exactRanges(text, spoken) ?? rangesByLetters(text, spoken);
  return ranges === null ? alignSimilar(segment, spoken) : coverText(segment, timedRanges(spoken, ranges));
}

const timedRanges = (spoken: readonly SpokenWord[], ranges: readonly (TextRange | null)[]): readonly Word[] =>
  spoken.flatMap(({ start, end, probability }, index) => {
    const range = ranges[index];
    return range === null || range === undefined ? [] : [{ ...range, start, end, probability }];
  });

/** Returns the ranges of words that are the text but for white space; `null` if they are not. */
function exactRanges(text: string, spoken: readonly SpokenWord[]): readonly TextRange[] | null {
  const ranges: TextRange[] = [];
  let to = 0;
  for (const { text: given } of spoken) {
    const word = given.trim();
    while (to < text.length && isSpace(text, to)) to += 1;
    if (word === '' || !text.startsWith(word, to)) return null;
    ranges.push({ from: to, to: to + word.length });
    to += word.length;
  }
  return text.slice(to).trim() === '' ? ranges : null;
}

const isSpace = (text: string, at: number): boolean => text.charAt(at).trim() === '';

const letterOrDigit = /[\p{L}\p{M}\p{N}]/gu;

/** Returns the ranges of words with the letters of the text, `null` for those without any; `null` if others differ. */
function rangesByLetters(text: string, spoken: readonly SpokenWord[]): readonly (TextRange | null)[] | null {
  const letters = [...text.matchAll(letterOrDigit)];
  let at = 0;
  const ranges: (TextRange | null)[] = [];
  for (const { text: word } of spoken) {
    const first = letters[at];
    for (const [letter] of word.matchAll(letterOrDigit)) {
      if (letters[at]?.[0].toLowerCase() !== letter.toLowerCase()) return null;
      at += 1;
    }
    const last = letters[at - 1];
    const isEmpty = first === undefined || last === undefined || last.index < first.index;
    ranges.push(isEmpty ? null : { from: first.index, to: last.index + last[0].length });
  }
  return at === letters.length && at > 0 ? ranges : null;
}

/** Returns words that cover the text: those given, with the punctuation that touches them, and all other punctuation. */
function coverText(segment: Segment, words: readonly Word[]): readonly Word[] {
  const { text } = segment;
  const result: Word[] = [];
  let previous: Word | null = null;
  for (const next of [...words, null]) {
    const start: number = previous?.to ?? 0;
    const end = next?.from ?? text.length;
    const left: number = previous === null ? start : endOfRun(text, start, end);
    const right: number = next === null ? end : startOfRun(text, left, end);
    if (previous !== null) result.push({ ...previous, to: left });
    const times = { start: previous?.end ?? segment.start, end: next?.start ?? segment.end };
    for (const range of wordRanges(text, left, right)) result.push({ ...range, ...times, probability: null });
    previous = next === null ? null : { ...next, from: right };
  }
  return result;
}

/** Returns where the characters from `from` on that are not white space end, `to` at the latest. */
function endOfRun(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !isSpace(text, at)) at += 1;
  return at;
}

/** Returns where the characters before `to` that are not white space start, `from` at the earliest. */
function startOfRun(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && !isSpace(text, at - 1)) at -= 1;
  return at;
}

const keysOf = (text: string, ranges: readonly TextRange[]): readonly string[] =>
  ranges.map(({ from, to }) => letterKey(text.slice(from, to)));

/** Aligns words of which some have other letters than the text, such as numbers in words. */
function alignSimilar(segment: Segment, spoken: readonly SpokenWord[]): readonly Word[] | null {
  let said = '';
  const words = spoken.flatMap(({ text: given, start, end, probability }) => {
    const word = given.trim();
    if (word === '') return [];
    const from = said.length;
    said += `${word} `;
    return [{ from, to: from + word.length, start, end, probability }];
  });
  const ranges = wordRanges(segment.text);
  const found = matchingPairs(keysOf(said, words), keysOf(segment.text, ranges)).length;
  if (found < Math.max(words.length, ranges.length) / 2) return null;
  return matchWords(said, words, segment.text, ranges, segment);
}
