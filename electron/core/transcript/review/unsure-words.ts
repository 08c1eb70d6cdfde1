import type { Segment } from '../../../contract/segment-schema.ts';
import { wordsOf } from '../word-times.ts';
import type { WordRange } from '../words-in-text.ts';

/** Words with a smaller probability are flagged. `docs/speech.md` says how many are wrong, and how that was measured. */
export const unsureThreshold = 0.6;

/** Words that the model was unsure of. */
export interface UnsureRange extends WordRange {
  /** When they are said, in seconds; edits of other words do not change it. */
  readonly start: number;
}

const letterOrDigit = /[\p{L}\p{N}]/u;
const none: readonly UnsureRange[] = [];
const cache = new WeakMap<Segment, readonly UnsureRange[]>();

/**
 * Returns where the text of a segment has words that the model was unsure of, and caches them; adjacent ones are one
 * range. Words without a probability, such as those that a person typed, are never among them.
 */
export function unsureRanges(segment: Segment): readonly UnsureRange[] {
  if (segment.extras?.words === undefined) return none;
  const cached = cache.get(segment);
  if (cached !== undefined) return cached;
  const ranges: UnsureRange[] = [];
  let isAdjacent = false;
  for (const { from, to, start, probability } of wordsOf(segment) ?? []) {
    const isUnsure =
      probability !== null &&
      probability < unsureThreshold &&
      letterOrDigit.test(segment.text.slice(from, to));
    const previous = isUnsure && isAdjacent ? ranges.pop() : undefined;
    if (isUnsure) ranges.push({ from: previous?.from ?? from, to, start: previous?.start ?? start });
    isAdjacent = isUnsure;
  }
  cache.set(segment, ranges);
  return ranges;
}

/**
 * Where the model leaves out what was said, the word beside it lasts as long as that took. Nobody speaks a short word for
 * so long; numbers and long words are. `docs/speech.md` says how this was measured.
 */
const stretchedSeconds = 0.95;
const maxStretchedLetters = 8;
const digit = /\p{N}/u;

/** A word that lasts far too long for its letters. */
export interface StretchedWord {
  readonly text: string;
  /** When it is said, and for how long, in seconds. */
  readonly start: number;
  readonly seconds: number;
}

/** Returns the longest word of a segment that lasts far too long, as the model timed it; `null` if there is none. */
export function stretchedWord(segment: Segment): StretchedWord | null {
  if (segment.extras?.words === undefined || segment.end - segment.start < stretchedSeconds) return null;
  let longest: StretchedWord | null = null;
  for (const { from, to, start, end, probability } of wordsOf(segment) ?? []) {
    const seconds = end - start;
    // Words without a probability were typed: their times are estimated.
    if (probability === null || seconds < Math.max(stretchedSeconds, longest?.seconds ?? 0)) continue;
    const text = segment.text.slice(from, to);
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    if (letters > 0 && letters <= maxStretchedLetters && !digit.test(text))
      longest = { text, start, seconds };
  }
  return longest;
}

/** A word that begins and ends with a letter, a digit or a symbol. */
const bareWord = /[\p{L}\p{N}\p{S}](?:\S*[\p{L}\p{M}\p{N}\p{S}])?/gu;

/** Returns the part of a range to select for typing over it: its words without the punctuation around them. */
export function rangeToRetype(text: string, range: WordRange): WordRange {
  const words = Array.from(text.slice(range.from, range.to).matchAll(bareWord));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return range;
  return { from: range.from + first.index, to: range.from + last.index + last[0].length };
}
