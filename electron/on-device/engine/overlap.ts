/** A single word may well be said twice. */
const fewestWords = 2;
/** More than this is not said in the second that times may be wrong by. */
const mostWords = 6;
/** What was said to its end was heard to its end: if it comes again, somebody repeats it. */
const sentenceEnd = /[.!?…。！？।؟]["'”’»)]*$/u;

/**
 * A text without the words at its end that the next one begins with again. Where a window is heard on from a time that
 * the model gave, which is good to about a second, the words around that time may be in both texts; the second one has
 * what comes after them as well. A text that would be gone altogether stays.
 */
export function withoutOverlap(before: string, after: string): string {
  if (sentenceEnd.test(before)) return before;
  const ending = wordsOf(before);
  const beginning = wordsOf(after);
  const most = Math.min(ending.length - 1, beginning.length, mostWords);
  for (let count = most; count >= fewestWords; count--) {
    const repeated = ending.slice(-count);
    if (repeated.every(({ word }, i) => word === beginning[i]?.word)) {
      return before.slice(0, repeated[0]?.index).trim();
    }
  }
  return before;
}

/** Whether a text ends with all the few words of another one, and has more of them: then that one was heard already. */
export function endsWith(text: string, other: string): boolean {
  const words = wordsOf(text);
  const ending = wordsOf(other);
  return (
    ending.length > 0 &&
    ending.length < words.length &&
    ending.length <= mostWords &&
    ending.every(({ word }, i) => word === words[words.length - ending.length + i]?.word)
  );
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
