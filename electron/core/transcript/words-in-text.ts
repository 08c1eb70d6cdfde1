/** The scripts without spaces between words, for a class of characters in a regular expression. */
export const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}`;
/** A quick test: the ranges of characters with all of these scripts. */
const mayBeUnspaced = /[\u0e00-\u1fff\u2e80-\uffff]/;
const unspacedScript = new RegExp(`[${unspacedScripts}]`, 'u');
const opening = /^[\p{Ps}\p{Pi}]+$/u;
const wordOrSymbol = /[\p{L}\p{N}\p{S}]/u;
// Kinsoku: small kana and marks that must not begin a line.
const neverFirst = /^[\p{M}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々ゝヽ]/u;

// A fixed locale: the window and the main process find the same words.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Whether a text contains a script without spaces, such as Chinese or Thai. */
export const isUnspaced = (text: string): boolean => mayBeUnspaced.test(text) && unspacedScript.test(text);

/** Splits text of a script without spaces into words, each with its punctuation. */
export function unspacedWords(text: string): string[] {
  const words: string[] = [];
  let open = '';
  for (const { segment } of segmenter.segment(text)) {
    if (opening.test(segment)) open += segment;
    else if (words.length > 0 && open === '' && (!wordOrSymbol.test(segment) || neverFirst.test(segment))) {
      words.push(`${words.pop()}${segment}`);
    } else {
      words.push(open + segment);
      open = '';
    }
  }
  if (open !== '') words.push(`${words.pop() ?? ''}${open}`);
  return words;
}

/** A range of a text, in UTF-16 units. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of the words in a part of a text, with their punctuation. They cover all but white space. */
export function wordRanges(text: string, from = 0, to = text.length): readonly WordRange[] {
  const ranges: WordRange[] = [];
  for (const { 0: chunk, index } of text.slice(from, to).matchAll(/\S+/gu)) {
    let at = from + index;
    for (const word of isUnspaced(chunk) ? unspacedWords(chunk) : [chunk]) {
      ranges.push({ from: at, to: at + word.length });
      at += word.length;
    }
  }
  return ranges;
}
