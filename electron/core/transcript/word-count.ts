import type { Change, Draft } from '../../contract/transcript.ts';
import { diffRange } from './edit/text-diff.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts the words of a text, even in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count += 1;
  return count;
}

/** Characters counted per step: about two milliseconds. */
const maxPieceLength = 16_384;
/** Characters that are never inside a word, in any script; a narrow no-break space can be, between digits. */
const wordBreak = /[^\S\u202F]|[。！？]/gu;

/** The maximum characters of a step, if none of them is a break. */
const maxUnbrokenLength = 4 * maxPieceLength;

/** Counts the words of a long text in steps. A word of more than {@link maxUnbrokenLength} characters may count twice. */
export function* countWordsInSteps(text: string): Generator<void, number> {
  let count = 0;
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + maxUnbrokenLength);
    wordBreak.lastIndex = maxPieceLength;
    if (wordBreak.test(piece)) {
      count += countWords(piece.slice(0, wordBreak.lastIndex));
      from += wordBreak.lastIndex;
    } else if (from + piece.length === text.length) {
      count += countWords(piece);
      from = text.length;
    } else {
      // The last segment may continue after the piece.
      const segments = [...segmenter.segment(piece)];
      const last = segments.length > 1 ? segments.pop() : undefined;
      count += segments.filter(({ isWordLike }) => isWordLike === true).length;
      from += last?.index ?? piece.length;
    }
    if (from < text.length) yield;
  }
  return count;
}

/**
 * Returns how many words a change adds; counts only what the change touches, and a text without times once, however
 * many steps change it.
 */
export function wordCountDelta(before: Draft, change: Change, after: Draft): number {
  let added = 0;
  const textBefore = before.text ?? '';
  const textAfter = after.text ?? '';
  // The lengths at the start and at the end of the text that no step has changed.
  let [untouchedStart, untouchedEnd] = [textBefore.length, textBefore.length];
  let { length } = textBefore;
  // Replacing a word everywhere changes the same few words thousands of times.
  const counts = new Map<string, number>();
  const count = (words: string): number => {
    const wordCount = counts.get(words) ?? countWords(words);
    counts.set(words, wordCount);
    return wordCount;
  };
  for (const step of change) {
    if (step.kind === 'splice') {
      for (const { text } of step.inserted) added += countWords(text);
      for (const { text } of step.removed) added -= countWords(text);
    } else if (step.kind === 'replace') {
      for (const pair of step.pairs) {
        const [from, to] = [pair.before.text, pair.after.text];
        const difference = diffRange(from, to);
        if (difference === null) continue;
        const { at, removed } = difference;
        const [start, end] = wholeWordsAround(from, at, at + removed);
        const endAfter = to.length - (from.length - end);
        added += count(to.slice(start, endAfter)) - count(from.slice(start, end));
      }
    } else if (step.kind === 'text') {
      untouchedStart = Math.min(untouchedStart, step.at);
      untouchedEnd = Math.min(untouchedEnd, length - step.at - step.removed.length);
      length += step.inserted.length - step.removed.length;
    }
  }
  if (textBefore === textAfter) return added;
  const [start, end] = wholeWordsAround(textBefore, untouchedStart, textBefore.length - untouchedEnd);
  const endAfter = textAfter.length - (textBefore.length - end);
  return added + countWords(textAfter.slice(start, endAfter)) - countWords(textBefore.slice(start, end));
}

/** Expands a range of a text up to the spaces or line breaks around it, which no word crosses. */
function wholeWordsAround(text: string, from: number, to: number): readonly [start: number, end: number] {
  let start = from;
  while (start > 0 && !isBreak(text, start - 1)) start -= 1;
  let end = to;
  while (end < text.length && !isBreak(text, end)) end += 1;
  return [start, end];
}

/** Other white space can be inside a word, such as a narrow no-break space between digits. */
const isBreak = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n';
