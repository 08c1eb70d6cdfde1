import type { Segment } from '../../contract/segment-schema.ts';
import { matchingPairs } from './matching-pairs.ts';
import { letterKey, matchWords } from './word-edits.ts';
import type { Word } from './word-times.ts';
import { wordRanges, type WordRange } from './words-in-text.ts';

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
 * Finds spoken words in the text of their segment, in order. White space, punctuation and case may differ; where letters
 * differ too, the words of the text take the times of the spoken words that they replace.
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

const timedRanges = (spoken: readonly SpokenWord[], ranges: readonly (WordRange | null)[]): readonly Word[] =>
  spoken.flatMap(({ start, end, probability }, index) => {
    const range = ranges[index];
    return range === null || range === undefined ? [] : [{ ...range, start, end, probability }];
  });

/** Returns the ranges of the words if they are equal to the text, apart from white space; `null` if they are not. */
function exactRanges(text: string, spoken: readonly SpokenWord[]): readonly WordRange[] | null {
  const ranges: WordRange[] = [];
  let to = 0;
  for (const { text: spokenText } of spoken) {
    const word = spokenText.trim();
    while (to < text.length && isSpace(text, to)) to += 1;
    if (word === '' || !text.startsWith(word, to)) return null;
    ranges.push({ from: to, to: to + word.length });
    to += word.length;
  }
  return text.slice(to).trim() === '' ? ranges : null;
}

const isSpace = (text: string, at: number): boolean => text.charAt(at).trim() === '';

const letterOrDigit = /[\p{L}\p{M}\p{N}]/gu;

/**
 * Finds the words by their letters and digits alone; a word without any has no range.
 *
 * @returns `null` if the letters and digits of the words are not those of the text
 */
function rangesByLetters(text: string, spoken: readonly SpokenWord[]): readonly (WordRange | null)[] | null {
  const letters = [...text.matchAll(letterOrDigit)];
  let at = 0;
  const ranges: (WordRange | null)[] = [];
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

/** Extends words by the punctuation that touches them, and adds all other punctuation as words, to cover the text. */
function coverText(segment: Segment, words: readonly Word[]): readonly Word[] {
  const { text } = segment;
  const result: Word[] = [];
  let previous: Word | null = null;
  for (const next of [...words, null]) {
    const gapStart: number = previous?.to ?? 0;
    const gapEnd = next?.from ?? text.length;
    const previousTo: number = previous === null ? gapStart : endOfRun(text, gapStart, gapEnd);
    const nextFrom: number = next === null ? gapEnd : startOfRun(text, previousTo, gapEnd);
    if (previous !== null) result.push({ ...previous, to: previousTo });
    const times = { start: previous?.end ?? segment.start, end: next?.start ?? segment.end };
    for (const range of wordRanges(text, previousTo, nextFrom))
      result.push({ ...range, ...times, probability: null });
    previous = next === null ? null : { ...next, from: nextFrom };
  }
  return result;
}

/** Returns the end of the non-space run that starts at `from`; at most `to`. */
function endOfRun(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !isSpace(text, at)) at += 1;
  return at;
}

/** Returns the start of the non-space run that ends at `to`; at least `from`. */
function startOfRun(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && !isSpace(text, at - 1)) at -= 1;
  return at;
}

const keysOf = (text: string, ranges: readonly WordRange[]): readonly string[] =>
  ranges.map(({ from, to }) => letterKey(text.slice(from, to)));

/** Aligns words of which some, such as numbers, are spelled differently in the text. */
function alignSimilar(segment: Segment, spoken: readonly SpokenWord[]): readonly Word[] | null {
  let spokenText = '';
  const words = spoken.flatMap(({ text, start, end, probability }) => {
    const word = text.trim();
    if (word === '') return [];
    const from = spokenText.length;
    spokenText += `${word} `;
    return [{ from, to: from + word.length, start, end, probability }];
  });
  const ranges = wordRanges(segment.text);
  const matchCount = matchingPairs(keysOf(spokenText, words), keysOf(segment.text, ranges)).length;
  if (matchCount < Math.max(words.length, ranges.length) / 2) return null;
  return matchWords(spokenText, words, segment.text, ranges, segment);
}
