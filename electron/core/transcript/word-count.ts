import type { Change, Draft } from '../../contract/transcript.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts the words of a text, also in scripts without spaces. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) words += 1;
  return words;
}

/** Characters counted per step: about two milliseconds. */
const maxPieceLength = 16_384;
/** Characters that are inside no word of any script. */
const wordBreak = /[\s。！？]/gu;

/** Counts the words of a long text in steps. */
export function* countWordsInSteps(text: string): Generator<void, number> {
  let words = 0;
  for (let from = 0; from < text.length;) {
    wordBreak.lastIndex = from + maxPieceLength;
    const end = wordBreak.test(text) ? wordBreak.lastIndex : text.length;
    words += countWords(text.slice(from, end));
    from = end;
    if (from < text.length) yield;
  }
  return words;
}

/** Returns how many words a change adds to a draft; counts only what the change touches. */
export function wordCountDelta(draft: Draft, change: Change): number {
  let added = 0;
  for (const step of change) {
    if (step.kind === 'splice') {
      for (const { text } of step.inserted) added += countWords(text);
      for (const { text } of step.removed) added -= countWords(text);
    } else if (step.kind === 'replace') {
      for (const { before, after } of step.pairs) {
        if (after.text !== before.text) added += countWords(after.text) - countWords(before.text);
      }
    } else if (step.kind === 'text') {
      const text = draft.text ?? '';
      const [start, end] = linesAround(text, step.at, step.at + step.removed.length);
      const after =
        text.slice(start, step.at) + step.inserted + text.slice(step.at + step.removed.length, end);
      added += countWords(after) - countWords(text.slice(start, end));
    }
  }
  return added;
}

/** Expands a range of a text to whole lines, which no word crosses. */
function linesAround(text: string, from: number, to: number): readonly [start: number, end: number] {
  const end = text.indexOf('\n', to);
  return [from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1, end === -1 ? text.length : end];
}
