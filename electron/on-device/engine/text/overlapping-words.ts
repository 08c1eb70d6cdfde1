import type { Segment } from '../../../contract/segment-schema.ts';
import { withText } from '../../../core/transcript/segment.ts';
import { endsSentence } from '../../../core/transcript/sentences.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';

/** A shorter overlap that is followed by more words is more likely a real repetition. */
const minWords = 2;
/** The maximum number of words in a second, which is the error of the model's times. */
const maxWords = 6;

/** Words that end one text and begin the next one. */
export interface Overlap {
  readonly words: readonly string[];
  /** The first text without them; `null`: drop the second text instead, which has no other words. */
  readonly shortenedBefore: string | null;
}

/**
 * Finds the words that two adjacent texts share at their seam. A window may begin at a time that the model returned,
 * which is accurate only to about a second, so both texts may contain words that were said once. `null` when there are
 * none; a first text is never removed entirely.
 */
export function findOverlap(before: string, after: string): Overlap | null {
  const ending = wordsOf(before);
  const beginning = wordsOf(after);
  const max = Math.min(ending.length - 1, beginning.length, maxWords);
  for (let count = max; count > 0; count--) {
    const words = beginning.slice(0, count).map(({ word }) => word);
    if (!endsWithWords(before, words)) continue;
    if (count === beginning.length) return { words, shortenedBefore: null };
    // A complete sentence was transcribed completely: if its words occur again, somebody repeated them.
    const isRepeated = count < minWords || endsSentence(before);
    return isRepeated ? null : { words, shortenedBefore: before.slice(0, ending.at(-count)?.index).trim() };
  }
  return null;
}

/**
 * Returns the segments of a window that began in the middle of the previous one, without words that both contain but that
 * were said once. To find out, the audio up to the seam is transcribed again on its own: only when its text ends with the
 * shared words were they said twice. Otherwise they are removed from the text before the seam.
 *
 * @param before all segments so far; the last one is shortened where it contains words from after the seam
 * @param previousWindow the part of the previous window that is done
 * @param textOf transcribes a window
 */
export async function removeOverlap(
  before: Segment[],
  after: readonly Segment[],
  previousWindow: SpeechWindow,
  textOf: (window: SpeechWindow) => Promise<string>,
): Promise<readonly Segment[]> {
  const last = before.at(-1);
  const [next, ...more] = after;
  if (last === undefined || next === undefined) return after;
  const overlap = findOverlap(last.text, next.text);
  const window = previousWindow.from(last.start);
  if (overlap === null || window === null) return after;
  if (endsWithWords(await textOf(window), overlap.words)) return after;
  if (overlap.shortenedBefore === null) return more;
  before.splice(-1, 1, withText(last, overlap.shortenedBefore));
  return after;
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
