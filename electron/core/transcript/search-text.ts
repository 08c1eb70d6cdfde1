import { normalizeText } from '../../contract/unicode.ts';
import { unspacedScripts } from './words-in-text.ts';

/** A word of a text, as the search index stores it. */
export interface Token {
  /** The range in the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Lower case, without accents. */
  readonly plain: string;
  /** Lower case with accents; `null` for a word without any. */
  readonly accented: string | null;
}

/** Scripts without spaces between words: each character is a word, and a sequence is a phrase. */
const unspaced = String.raw`${unspacedScripts}\u30fc\uff70`;
/** A word. Half-width voicing marks are separate letters after the letter that they mark. */
const word = new RegExp(
  String.raw`[${unspaced}][\p{M}\uff9e\uff9f]*|(?:(?![${unspaced}])[\p{L}\p{N}\p{M}\p{Co}])+`,
  'gu',
);
/** Characters that the index treats as spaces. Normalization inserts some: ¼ becomes 1⁄4, with a fraction slash. */
const unindexed = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
const asciiOnly = /^[\0-\x7f]*$/;
/** Accents on Latin, Greek and Cyrillic letters. */
const accents = /[\u0300-\u036f]/gu;
/** Marks that everyday writing omits: Hebrew points, Arabic vowels and hamzas, Syriac vowels. */
const optionalSigns =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u06d6-\u06dc\u0730-\u074a]/gu;
/** Ligatures and letters with a stroke, which Unicode does not decompose. */
const respellings: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
};
const respelledLetters = /[æœøłđðþħŧ]/gu;
/**
 * Interchangeable Arabic letters: ة and ه, ى and ي at the end of a word, and what Persian and Urdu keyboards have for
 * ه, ي and ك. Users who search do not know which of them a text has.
 */
const arabicEquivalents: Readonly<Record<string, string>> = {
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const equivalentArabicLetters = /[ةۃہىیک]/gu;

/**
 * Splits a text into words, in order, ignoring case and Unicode normalization. Marks that form a different letter stay:
 * the vowels of Indian scripts, Japanese voicing marks, and the Russian й.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: written, index } of text.matchAll(word)) {
    const folded = foldWord(written);
    if (folded.plain !== '') tokens.push({ start: index, end: index + written.length, ...folded });
  }
  return tokens;
}

type FoldedWord = Pick<Token, 'plain' | 'accented'>;

/** A cache: most words of a text occur often. */
const foldedWords = new Map<string, FoldedWord>();
const maxFoldedWords = 20_000;
/** Longer words are rarely repeated. */
const maxCachedLength = 40;

function foldWord(written: string): FoldedWord {
  if (asciiOnly.test(written)) return { plain: written.toLowerCase(), accented: null };
  const cached = foldedWords.get(written);
  if (cached !== undefined) return cached;
  const folded = foldLetters(written);
  if (foldedWords.size >= maxFoldedWords) foldedWords.clear();
  if (written.length <= maxCachedLength) foldedWords.set(written, folded);
  return folded;
}

function foldLetters(written: string): FoldedWord {
  // In lower case, İ would become an i with a combining dot.
  const lowerCase = normalizeText(written, 'NFKC').replaceAll('İ', 'i').toLowerCase();
  const decomposed = normalizeText(lowerCase, 'NFKD')
    // Persian ۀ, which Unicode decomposes to a different letter than ه.
    .replaceAll('\u06d5\u0654', 'ه')
    .replace(optionalSigns, '')
    .replace(equivalentArabicLetters, (letter) => arabicEquivalents[letter] ?? letter)
    // Russian ё is usually written as е; й and и are different letters.
    .replaceAll('е\u0308', 'е')
    // Capitals do not distinguish Turkish ı from i, nor ß from ss, which Switzerland always writes.
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss');
  const accented = normalizeText(decomposed, 'NFC').replaceAll('ς', 'σ').replace(unindexed, ' ').trim();
  const plain = Array.from(accented, plainLetter).join('');
  return { plain, accented: plain === accented ? null : accented };
}

/** A cache: a text has few different letters. */
const plainLetters = new Map<string, string>();
const maxPlainLetters = 20_000;

function plainLetter(letter: string): string {
  const cached = plainLetters.get(letter);
  if (cached !== undefined) return cached;
  const plain = withoutAccents(letter);
  if (plainLetters.size >= maxPlainLetters) plainLetters.clear();
  plainLetters.set(letter, plain);
  return plain;
}

function withoutAccents(letter: string): string {
  if (letter === 'й') return letter;
  const base = normalizeText(normalizeText(letter, 'NFD').replace(accents, ''), 'NFC');
  return base.replace(respelledLetters, (one) => respellings[one] ?? one);
}

/** Returns all words of a text without accents, and its accented words, for the index. */
export function indexedWords(text: string): { readonly plain: string; readonly accented: string } {
  const tokens = tokensOf(text);
  return {
    plain: tokens.map(({ plain }) => plain).join(' '),
    accented: tokens.flatMap(({ accented }) => accented ?? []).join(' '),
  };
}
