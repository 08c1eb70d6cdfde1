/** A word of a text as the search knows it. */
export interface Token {
  /** Where it stands in the text, in UTF-16 units; `end` is past its last. */
  readonly start: number;
  readonly end: number;
  /** Lower case, without accents. */
  readonly plain: string;
  /** Lower case with its accents; `null` for a word without any. */
  readonly accented: string | null;
}

/** Scripts that put no spaces between words: each of their characters is a word of its own, in a row a phrase. */
const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u30fc\uff70`;
/** Half-width voicing marks stand after their letter as letters of their own. */
const word = new RegExp(
  String.raw`[${unspaced}][\p{M}\uff9e\uff9f]*|(?:(?![${unspaced}])[\p{L}\p{N}\p{M}\p{Co}])+`,
  'gu',
);
/** What the index takes for the space between words: ¼ is 1⁄4 to it, and some ligatures are signs upon a space. */
const unindexed = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
const asciiOnly = /^[\0-\x7f]*$/;
/** Accents that are written in everyday text: those on Latin, Greek and Cyrillic letters. */
const accents = /[\u0300-\u036f]/gu;
/** Signs that everyday writing leaves out: Hebrew points, Arabic vowels and hamzas, Syriac vowels. */
const optionalSigns =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u06d6-\u06dc\u0730-\u074a]/gu;
/** Letters with a stroke or a bond, which Unicode does not take apart, and variants that mean the same. */
const respelt: Readonly<Record<string, string>> = {
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
const respeltLetters = /[æœøłđðþħŧ]/gu;
/**
 * Arabic letters that are written for each other: ة and ه, ى and ي at the end of a word, and what keyboards for Persian
 * and Urdu have in the place of ه, ي and ك. Nobody who searches knows which of them a text has.
 */
const sameArabic: Readonly<Record<string, string>> = {
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const sameArabicLetters = /[ةۃہىیک]/gu;

/**
 * The words of a text, in order. Upper and lower case are the same, and so are the forms in which Unicode writes one
 * letter. A letter whose mark makes another letter of it, with no plain one that people type in its place, stays as
 * it is: the vowels of Indian scripts, Japanese voicing marks, and the Russian й.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: written, index } of text.matchAll(word)) {
    const folded = foldWord(written);
    if (folded.plain !== '') tokens.push({ start: index, end: index + written.length, ...folded });
  }
  return tokens;
}

function foldWord(written: string): Pick<Token, 'plain' | 'accented'> {
  if (asciiOnly.test(written)) return { plain: written.toLowerCase(), accented: null };
  const whole = written
    .normalize('NFKC')
    // A dotted capital I has a dot of its own in lower case.
    .replaceAll('İ', 'i')
    .toLowerCase()
    .normalize('NFKD')
    // Persian ۀ, which Unicode takes apart into another letter than ه.
    .replaceAll('\u06d5\u0654', 'ه')
    .replace(optionalSigns, '')
    .replace(sameArabicLetters, (letter) => sameArabic[letter] ?? letter)
    // In Russian, ё is most often written е; й is another letter than и.
    .replaceAll('е\u0308', 'е')
    // Neither has capitals that tell it from the other: Turkish ı and i, and ß, which Switzerland does without.
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    .replace(unindexed, ' ')
    .trim();
  const plain = Array.from(whole, plainLetter).join('');
  return { plain, accented: plain === whole ? null : whole };
}

const plainLetter = (letter: string): string =>
  letter === 'й'
    ? letter
    : letter
        .normalize('NFD')
        .replace(accents, '')
        .normalize('NFC')
        .replace(respeltLetters, (one) => respelt[one] ?? one);

/** All words of a text without accents, as the index takes them. */
export const plainWords = (text: string): string =>
  tokensOf(text)
    .map(({ plain }) => plain)
    .join(' ');

/** The words of a text that have accents, with them, as the index takes them. */
export const accentedWords = (text: string): string =>
  tokensOf(text)
    .flatMap(({ accented }) => accented ?? [])
    .join(' ');
