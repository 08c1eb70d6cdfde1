/** A single word may well be said twice, where more words come after it. */
const fewestWords = 2;
/** More than this is not said in the second that times may be wrong by. */
const mostWords = 6;
/** What was said to its end was heard to its end: if it comes again with more, somebody repeats it. */
const sentenceEnd = /[.!?…。！？।؟]["'”’»)]*$/u;

/** Words that one text ends with and the next one begins with. */
export interface Overlap {
  readonly words: readonly string[];
  /** The first text without them; `null` where the second one has no other words, so that it is that one which goes. */
  readonly before: string | null;
}

/**
 * What two texts have in common where the second one begins. Where a window is heard on from a time that the model gave,
 * which is good to about a second, the words around that time may be in both texts although they were said once. `null`
 * where there is nothing of the kind; a first text that would be gone altogether stays.
 */
export function overlapOf(before: string, after: string): Overlap | null {
  const ending = wordsOf(before);
  const beginning = wordsOf(after);
  const most = Math.min(ending.length - 1, beginning.length, mostWords);
  for (let count = most; count > 0; count--) {
    const words = beginning.slice(0, count).map(({ word }) => word);
    if (!endsWithWords(before, words)) continue;
    if (count === beginning.length) return { words, before: null };
    const isRepeated = count < fewestWords || sentenceEnd.test(before);
    return isRepeated ? null : { words, before: before.slice(0, ending.at(-count)?.index).trim() };
  }
  return null;
}

/** Whether the last words of a text are these. */
export function endsWithWords(text: string, words: readonly string[]): boolean {
  const ending = wordsOf(text).slice(-words.length);
  return ending.length === words.length && ending.every(({ word }, i) => word === words[i]);
}

interface Word {
  readonly word: string;
  /** Where it begins in the text. */
  readonly index: number;
}

/** Words as any language has them, written small. */
function wordsOf(text: string): readonly Word[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ word: segment.toLowerCase(), index }));
}
