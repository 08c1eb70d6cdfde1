import { endsSentence } from '../../../core/transcript/sentences.ts';

/** A single shared word that more words follow may well have been said twice. */
const minWords = 2;
/** Nobody says more words than this in the second that the model's times may be off by. */
const maxWords = 6;

/** Words that end one text and begin the next one. */
export interface Overlap {
  readonly words: readonly string[];
  /** The first text without them; `null` when the second text has no other words, so that it is the one to drop. */
  readonly before: string | null;
}

/**
 * Finds the words that two adjacent texts share at their seam. A window may begin at a time that the model returned, which
 * is only good to about a second, so both texts may contain words that were said once. `null` when there are none; a first
 * text is never removed entirely.
 */
export function findOverlap(before: string, after: string): Overlap | null {
  const ending = wordsOf(before);
  const beginning = wordsOf(after);
  const max = Math.min(ending.length - 1, beginning.length, maxWords);
  for (let count = max; count > 0; count--) {
    const words = beginning.slice(0, count).map(({ word }) => word);
    if (!endsWithWords(before, words)) continue;
    if (count === beginning.length) return { words, before: null };
    // A complete sentence was transcribed completely: if its words occur again, somebody repeated them.
    const isRepeated = count < minWords || endsSentence(before);
    return isRepeated ? null : { words, before: before.slice(0, ending.at(-count)?.index).trim() };
  }
  return null;
}

/** Whether a text ends with the given words. */
export function endsWithWords(text: string, words: readonly string[]): boolean {
  const ending = wordsOf(text).slice(-words.length);
  return ending.length === words.length && ending.every(({ word }, i) => word === words[i]);
}

interface Word {
  readonly word: string;
  /** Its offset in the text. */
  readonly index: number;
}

/** Splits a text into its words, in lower case. */
function wordsOf(text: string): readonly Word[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ word: segment.toLowerCase(), index }));
}
