import { columnsOf } from './columns.ts';
import type { FunctionWords } from './function-words.ts';
import { needsSpace } from './plain-text.ts';
import type { SubtitleRules } from '../../contract/model/subtitles.ts';

/** A piece of text that a line is never broken inside of: a word with its punctuation, and with its article. */
export interface Atom {
  readonly text: string;
  readonly columns: number;
  /** Whether a space stands before it when it is not the first of a line. */
  readonly spaced: boolean;
  /** Whether this atom goes on with a word that was too long for a line. */
  readonly torn: boolean;
}

const unspacedScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const leadingMarks = /^[^\p{L}]+/u;
const opening = /^[\p{Ps}\p{Pi}]+$/u;
const wordOrSymbol = /[\p{L}\p{N}\p{S}]/u;
// Kinsoku: small kana and marks that must not begin a line.
const neverFirst = /^[\p{M}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々ゝヽ]/u;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Takes a text of one line apart into atoms, none wider than a line; joined again they are the text. `before` is the
 * text that it follows, empty for the first.
 */
export function atomsOf(text: string, before: string, words: FunctionWords, rules: SubtitleRules): Atom[] {
  const atoms: Atom[] = [];
  const unspaced = unspacedScript.test(text);
  let article: Atom | null = null;
  let spaced = before !== '' && needsSpace(before, text);
  for (const chunk of text.split(' ')) {
    for (const word of unspaced && unspacedScript.test(chunk) ? unspacedWords(chunk) : [chunk]) {
      let atom: Atom = { text: word, columns: columnsOf(word, rules.wideColumns), spaced, torn: false };
      if (article !== null && spaced && article.columns + 1 + atom.columns <= rules.lineColumns) {
        atoms.pop();
        atom = { ...article, text: `${article.text} ${word}`, columns: article.columns + 1 + atom.columns };
      }
      if (atom.columns <= rules.lineColumns) atoms.push(atom);
      else atoms.push(...tear(atom, rules));
      article = words.articles.has(word.replace(leadingMarks, '').toLowerCase()) ? atom : null;
      spaced = false;
    }
    spaced = true;
  }
  return atoms;
}

/** The text of atoms on one line. */
export function textOf(atoms: readonly Atom[]): string {
  return atoms.map((atom, index) => (atom.spaced && index > 0 ? ` ${atom.text}` : atom.text)).join('');
}

/** The columns of atoms on one line. */
export function widthOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom, index) => sum + atom.columns + (atom.spaced && index > 0 ? 1 : 0), 0);
}

/** Words of a script that writes none apart, with punctuation kept at the word that it belongs to. */
function unspacedWords(text: string): string[] {
  const words: string[] = [];
  let open = '';
  for (const { segment } of wordSegmenter.segment(text)) {
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

/** A word that no line can hold, in pieces that lines can hold. */
function tear(word: Atom, rules: SubtitleRules): Atom[] {
  const pieces: Atom[] = [];
  let text = '';
  let columns = 0;
  const push = () => {
    const torn = pieces.length > 0;
    if (text !== '') pieces.push({ text, columns, spaced: word.spaced && !torn, torn });
  };
  for (const { segment } of graphemeSegmenter.segment(word.text)) {
    const width = columnsOf(segment, rules.wideColumns);
    if (columns + width > rules.lineColumns) {
      push();
      text = '';
      columns = 0;
    }
    text += segment;
    columns += width;
  }
  push();
  return pieces;
}

// The end of a word, without quotes and brackets that close after it.
const sentenceEnd = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"']*$/u;
const clauseEnd = /[,;:،؛、，；：–—-][\p{Pe}\p{Pf}"']*$/u;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** How bad it is to break between two atoms, from 0 (after a sentence) to 5 (between any words) and beyond. */
export function breakCost(before: Atom, after: Atom, { links }: FunctionWords): number {
  if (after.torn) return 100;
  if (sentenceEnd.test(before.text)) return 0;
  if (clauseEnd.test(before.text)) return 1;
  if (links.has(bareWord(before.text))) return 10;
  return links.has(bareWord(after.text)) ? 2 : 5;
}

function bareWord(text: string): string {
  return text.replace(edges, '').toLowerCase();
}
