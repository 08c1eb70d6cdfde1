import { columnsOf } from './columns.ts';
import type { FunctionWords } from './function-words.ts';
import { needsSpace } from '../../transcript/plain-text.ts';
import { endsSentence, isAbbreviation } from '../../transcript/sentences.ts';
import { isUnspaced, unspacedWords } from '../../transcript/words-in-text.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** A unit of text without line breaks: a word with its punctuation and its article. */
export interface Atom {
  readonly text: string;
  readonly columns: number;
  /** Whether a space precedes it unless it is the first of a line. */
  readonly spaceBefore: boolean;
  /** Whether it continues a word that was too long for a line. */
  readonly continuesWord: boolean;
  /** What ends with it (a sentence or clause), or else the kind of its last word; decides how good a break after it is. */
  readonly endKind: EndKind;
  /** Whether it begins with a conjunction or a preposition, which belongs to the words after it. */
  readonly startsWithConnective: boolean;
  /** `label`: it continues the label of a speaker; `words`: it is the first word after one. */
  readonly noBreakBefore: 'label' | 'words' | null;
}

/** `connective`: a conjunction, a preposition or an abbreviation, which belongs to the next word. */
type EndKind = 'sentence' | 'clause' | 'article' | 'connective' | 'word';

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Splits a one-line text into atoms, none wider than a line, and appends them to `atoms`. An article is one atom with the
 * word after it, if both fit. Joined again, the atoms are the text.
 *
 * @param before the preceding text; empty for the first
 */
export function addAtoms(
  atoms: Atom[],
  text: string,
  before: string,
  words: FunctionWords,
  rules: SubtitleRules,
): void {
  const lexicon = lexiconOf(words, rules.columnsPerWideCharacter);
  const unspaced = isUnspaced(text);
  let article: Atom | null = null;
  const add = (word: string, spaceBefore: boolean): void => {
    const spaced = spacedAtom(word, lexicon);
    let atom = spaceBefore ? spaced : { ...spaced, spaceBefore };
    if (article !== null && spaceBefore && article.columns + 1 + atom.columns <= rules.columnsPerLine) {
      atoms.pop();
      const columns = article.columns + 1 + atom.columns;
      atom = { ...article, text: `${article.text} ${word}`, columns, endKind: atom.endKind };
    }
    if (atom.columns <= rules.columnsPerLine) atoms.push(atom);
    else atoms.push(...splitLongWord(atom, rules));
    article = atom.endKind === 'article' ? atom : null;
  };
  let spaceBefore = before !== '' && needsSpace(before, text);
  for (const chunk of text.split(' ')) {
    if (unspaced && isUnspaced(chunk)) {
      unspacedWords(chunk).forEach((word, index) => add(word, spaceBefore && index === 0));
    } else add(chunk, spaceBefore);
    spaceBefore = true;
  }
}

/**
 * Forbids breaks within a label, which begins with atom `from`, and before the first word after it. A space ends the
 * label, so no atom contains parts of both.
 */
export function keepLabelTogether(atoms: Atom[], from: number, label: string): void {
  let remainingLength = label.length;
  for (let index = from; index < atoms.length; index += 1) {
    const atom = atoms[index];
    if (atom === undefined) return;
    if (index > from) atoms[index] = { ...atom, noBreakBefore: remainingLength > 0 ? 'label' : 'words' };
    if (remainingLength <= 0) return;
    remainingLength -= atom.text.length + (atoms[index + 1]?.spaceBefore === true ? 1 : 0);
  }
}

/** Splits a word that is wider than a line into pieces that fit. */
function splitLongWord(word: Atom, rules: SubtitleRules): Atom[] {
  const pieces: Atom[] = [];
  let text = '';
  let columns = 0;
  const push = () => {
    const continuesWord = pieces.length > 0;
    const spaceBefore = word.spaceBefore && !continuesWord;
    if (text !== '') pieces.push({ ...word, text, columns, spaceBefore, continuesWord });
  };
  for (const { segment } of graphemeSegmenter.segment(word.text)) {
    const width = columnsOf(segment, rules.columnsPerWideCharacter);
    if (columns + width > rules.columnsPerLine) {
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

const clauseEnd = /[,;:،؛、，；：–—-][\p{Pe}\p{Pf}\p{Pi}"']*$/u;
// The lookbehind keeps the search linear: a long run within the text is tried once, not again at each of its characters.
const edges = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
const plainWord = /^[\x21-\x7e\u00a1-\u02ff]+$/;

/** Words of one language, as atoms with a space before them. */
interface Lexicon {
  readonly words: FunctionWords;
  readonly columnsPerWideCharacter: number;
  readonly atoms: Map<string, Atom>;
}

/** Caches the atoms of words, by language: a transcript has few different words. */
const lexicons = new WeakMap<FunctionWords, Lexicon>();
const maxLexiconSize = 20_000;

function lexiconOf(words: FunctionWords, columnsPerWideCharacter: number): Lexicon {
  let lexicon = lexicons.get(words);
  if (
    lexicon === undefined ||
    lexicon.columnsPerWideCharacter !== columnsPerWideCharacter ||
    lexicon.atoms.size > maxLexiconSize
  ) {
    lexicon = { words, columnsPerWideCharacter, atoms: new Map() };
    lexicons.set(words, lexicon);
  }
  return lexicon;
}

function spacedAtom(word: string, { words, columnsPerWideCharacter, atoms }: Lexicon): Atom {
  const cached = atoms.get(word);
  if (cached !== undefined) return cached;
  const bare = word.replace(edges, '').toLowerCase();
  // The soft hyphen is a format character and takes no column.
  const isPlain = plainWord.test(word) && !word.includes('\u00ad');
  const atom: Atom = {
    text: word,
    columns: isPlain ? word.length : columnsOf(word, columnsPerWideCharacter),
    spaceBefore: true,
    continuesWord: false,
    endKind: endKindOf(word, bare, words),
    startsWithConnective: words.connectives.has(bare),
    noBreakBefore: null,
  };
  atoms.set(word, atom);
  return atom;
}

function endKindOf(word: string, bare: string, { articles, connectives }: FunctionWords): EndKind {
  if (endsSentence(word)) return 'sentence';
  if (clauseEnd.test(word)) return 'clause';
  if (articles.has(bare)) return 'article';
  return connectives.has(bare) || isAbbreviation(word) ? 'connective' : 'word';
}

/** The cost of separating a single word from its sentence: `Please | enter`, `press | two.` */
const strandedCost = 4;
/** A wider word, with its article, is not stranded. */
const strandedColumns = 12;

const endsClause = ({ endKind }: Atom): boolean => endKind === 'sentence' || endKind === 'clause';

/**
 * Returns how bad a break before an atom is: 0 after a sentence, 5 between any two words, more where it separates what
 * belongs together.
 */
export function breakCost(atoms: readonly Atom[], at: number): number {
  const before = atoms[at - 1];
  const after = atoms[at];
  if (before === undefined || after === undefined) return 0;
  if (after.continuesWord) return 100;
  if (after.noBreakBefore !== null) return after.noBreakBefore === 'label' ? 20 : 10;
  const cost = costAfter(before, after);
  if (endsClause(before)) return cost;
  const beforeThat = atoms[at - 2];
  const isStranded =
    (after.columns <= strandedColumns && endsClause(after)) ||
    (before.columns <= strandedColumns && beforeThat !== undefined && endsClause(beforeThat));
  return isStranded ? cost + strandedCost : cost;
}

function costAfter(before: Atom, after: Atom): number {
  switch (before.endKind) {
    case 'sentence':
      return 0;
    case 'clause':
      return 1;
    case 'article':
      return 20;
    case 'connective':
      return 10;
    case 'word':
      return after.startsWithConnective ? 2 : 5;
  }
}
