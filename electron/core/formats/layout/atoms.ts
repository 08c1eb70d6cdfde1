import { columnsOf } from './columns.ts';
import type { FunctionWords } from './function-words.ts';
import { needsSpace } from '../../transcript/plain-text.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** A piece of text that a line is never broken inside of: a word with its punctuation, and with its article. */
export interface Atom {
  readonly text: string;
  readonly columns: number;
  /** Whether a space stands before it when it is not the first of a line. */
  readonly spaced: boolean;
  /** Whether this atom goes on with a word that was too long for a line. */
  readonly torn: boolean;
  /** What it ends with, which says how good it is to break after it. */
  readonly ending: Ending;
  /** Whether it begins with a conjunction or a preposition, which belongs to what follows. */
  readonly link: boolean;
  /** Whether it goes on with the label of a speaker, or is the first word after one. */
  readonly bound: 'label' | 'words' | null;
}

type Ending = 'sentence' | 'clause' | 'article' | 'link' | 'word';

/** Scripts without spaces have nothing elsewhere: most texts are known by it at once. */
const perhapsUnspaced = /[\u0e00-\u1fff\u2e80-\uffff]/;
const unspacedScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const opening = /^[\p{Ps}\p{Pi}]+$/u;
const wordOrSymbol = /[\p{L}\p{N}\p{S}]/u;
// Kinsoku: small kana and marks that must not begin a line.
const neverFirst = /^[\p{M}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々ゝヽ]/u;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Takes a text of one line apart into atoms, none wider than a line, and adds them to others; joined again they are the
 * text. `before` is the text that it follows, empty for the first.
 */
export function addAtoms(
  atoms: Atom[],
  text: string,
  before: string,
  words: FunctionWords,
  rules: SubtitleRules,
): void {
  const lexicon = lexiconOf(words, rules.wideColumns);
  const unspaced = perhapsUnspaced.test(text) && unspacedScript.test(text);
  let article: Atom | null = null;
  const add = (word: string, spaced: boolean): void => {
    const known = spacedAtom(word, lexicon);
    let atom = spaced ? known : { ...known, spaced };
    if (article !== null && spaced && article.columns + 1 + atom.columns <= rules.lineColumns) {
      atoms.pop();
      const columns = article.columns + 1 + atom.columns;
      atom = { ...article, text: `${article.text} ${word}`, columns, ending: atom.ending };
    }
    if (atom.columns <= rules.lineColumns) atoms.push(atom);
    else atoms.push(...tear(atom, rules));
    article = atom.ending === 'article' ? atom : null;
  };
  let spaced = before !== '' && needsSpace(before, text);
  for (const chunk of text.split(' ')) {
    if (unspaced && unspacedScript.test(chunk)) {
      unspacedWords(chunk).forEach((word, index) => add(word, spaced && index === 0));
    } else add(chunk, spaced);
    spaced = true;
  }
}

/**
 * Binds the label that the atoms from `from` on begin with to the first word after it. A label is on its own between
 * spaces: no atom is of both.
 */
export function bindLabel(atoms: Atom[], from: number, label: string): void {
  let left = label.length;
  for (let index = from; index < atoms.length; index += 1) {
    const atom = atoms[index];
    if (atom === undefined) return;
    if (index > from) atoms[index] = { ...atom, bound: left > 0 ? 'label' : 'words' };
    if (left <= 0) return;
    left -= atom.text.length + (atoms[index + 1]?.spaced === true ? 1 : 0);
  }
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
    if (text !== '') pieces.push({ ...word, text, columns, spaced: word.spaced && !torn, torn });
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

/** The end of a sentence, whatever quotes and brackets close after it. */
export const sentenceEnd = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"']*$/u;
const clauseEnd = /[,;:،؛、，；：–—-][\p{Pe}\p{Pf}"']*$/u;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const plainWord = /^[\x21-\x7e\u00a1-\u02ff]+$/;

/** Words of one language, as atoms with a space before them. */
interface Lexicon {
  readonly words: FunctionWords;
  readonly wideColumns: number;
  readonly atoms: Map<string, Atom>;
}

/** Speech has few words and says them often: what each is wherever it stands is kept, language by language. */
const lexicons = new WeakMap<FunctionWords, Lexicon>();
const lexiconSize = 20_000;

function lexiconOf(words: FunctionWords, wideColumns: number): Lexicon {
  let lexicon = lexicons.get(words);
  if (lexicon === undefined || lexicon.wideColumns !== wideColumns || lexicon.atoms.size > lexiconSize) {
    lexicon = { words, wideColumns, atoms: new Map() };
    lexicons.set(words, lexicon);
  }
  return lexicon;
}

function spacedAtom(word: string, { words, wideColumns, atoms }: Lexicon): Atom {
  const known = atoms.get(word);
  if (known !== undefined) return known;
  const bare = word.replace(edges, '').toLowerCase();
  // The soft hyphen is a format character: it takes no column.
  const isPlain = plainWord.test(word) && !word.includes('\u00ad');
  const atom: Atom = {
    text: word,
    columns: isPlain ? word.length : columnsOf(word, wideColumns),
    spaced: true,
    torn: false,
    ending: endingOf(word, bare, words),
    link: words.links.has(bare),
    bound: null,
  };
  atoms.set(word, atom);
  return atom;
}

function endingOf(word: string, bare: string, { articles, links }: FunctionWords): Ending {
  if (sentenceEnd.test(word)) return 'sentence';
  if (clauseEnd.test(word)) return 'clause';
  if (articles.has(bare)) return 'article';
  return links.has(bare) ? 'link' : 'word';
}

/** A word that a break cuts off from the rest of its sentence looks lost: `Please | enter`, `press | two.` */
const strandedCost = 4;
/** Longer ones, with their articles, hold a line by themselves. */
const strandedColumns = 12;

const isStop = ({ ending }: Atom): boolean => ending === 'sentence' || ending === 'clause';

/** How bad it is to break before an atom, from 0 (after a sentence) to 5 (between any words) and beyond. */
export function breakCost(atoms: readonly Atom[], at: number): number {
  const before = atoms[at - 1];
  const after = atoms[at];
  if (before === undefined || after === undefined) return 0;
  if (after.torn) return 100;
  if (after.bound !== null) return after.bound === 'label' ? 20 : 10;
  const cost = costAfter(before, after);
  if (isStop(before)) return cost;
  const beforeThat = atoms[at - 2];
  const isStranded =
    (after.columns <= strandedColumns && isStop(after)) ||
    (before.columns <= strandedColumns && beforeThat !== undefined && isStop(beforeThat));
  return isStranded ? cost + strandedCost : cost;
}

function costAfter(before: Atom, after: Atom): number {
  switch (before.ending) {
    case 'sentence':
      return 0;
    case 'clause':
      return 1;
    case 'article':
      return 20;
    case 'link':
      return 10;
    case 'word':
      return after.link ? 2 : 5;
  }
}
