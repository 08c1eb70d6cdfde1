import type { Change, Draft } from '../../contract/transcript.ts';

/** Counts words as a text's language has them: scripts without spaces are counted too. */
export function wordCounter(language: string | null): (text: string) => number {
  const segmenter = new Intl.Segmenter(language ?? undefined, { granularity: 'word' });
  return (text) => {
    let words = 0;
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) words += 1;
    return words;
  };
}

/** Characters that are counted in one go: some two milliseconds. */
const maxPieceLength = 16_384;
/** Where no word of any script goes on. */
const wordBreak = /[\s。！？]/gu;

/** As {@link wordCounter}, a piece of a long text with each step. */
export function* countInPieces(text: string, language: string | null): Generator<void, number> {
  const count = wordCounter(language);
  let words = 0;
  for (let from = 0; from < text.length;) {
    wordBreak.lastIndex = from + maxPieceLength;
    const end = wordBreak.test(text) ? wordBreak.lastIndex : text.length;
    words += count(text.slice(from, end));
    from = end;
    if (from < text.length) yield;
  }
  return words;
}

/** How many more words a draft has after a change, of which only what it touches is counted. */
export function wordCountDelta(draft: Draft, change: Change, language: string | null): number {
  const words = wordCounter(language);
  let gained = 0;
  for (const step of change) {
    if (step.kind === 'splice') {
      for (const { text } of step.inserted) gained += words(text);
      for (const { text } of step.removed) gained -= words(text);
    } else if (step.kind === 'replace') {
      for (const { before, after } of step.pairs) {
        if (after.text !== before.text) gained += words(after.text) - words(before.text);
      }
    } else if (step.kind === 'text') {
      const text = draft.text ?? '';
      const [start, end] = linesAround(text, step.at, step.at + step.removed.length);
      const after =
        text.slice(start, step.at) + step.inserted + text.slice(step.at + step.removed.length, end);
      gained += words(after) - words(text.slice(start, end));
    }
  }
  return gained;
}

/** Where the lines begin and end that a stretch of a text is in: no word goes beyond them. */
function linesAround(text: string, from: number, to: number): readonly [start: number, end: number] {
  const end = text.indexOf('\n', to);
  return [from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1, end === -1 ? text.length : end];
}
