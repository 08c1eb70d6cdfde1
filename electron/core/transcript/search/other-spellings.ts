import { withoutMarks } from '../../../contract/unicode.ts';
import type { Token } from '../search-text.ts';

/** A word as the index stores it. */
export type IndexedWord = Pick<Token, 'plain' | 'accented'>;

/** What people type for letters that their keyboard lacks: German, and Danish or Norwegian. */
const digraphs: readonly Readonly<Record<string, string>>[] = [
  { ae: 'ä', oe: 'ö', ue: 'ü' },
  { aa: 'å', oe: 'ø' },
];
/** In a word with more such pairs, either all of them are replaced or none. */
const maxVariedPairs = 3;

/** Particles that Arabic and Hebrew join to the next word: articles, “and”, “in”, “to”, “from”, “as”, “that”. */
const article = 'ال';
const arabicParticles = ['و', 'ف', 'ب', 'ك', 'ل'];
const hebrewParticles = ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'מה', 'שה', 'וב', 'ול', 'כש'];
/** Shorter words would match too many others with particles. */
const minParticleWordLength = 3;

const hiragana = /^[\u3041-\u3096\u309d\u309e\u30fc]+$/u;
const katakana = /^[\u30a1-\u30f6\u30fc-\u30fe]+$/u;
/** The offset from a hiragana letter to the katakana letter of the same sound. */
const katakanaOffset = 0x60;
/** The mark of a long vowel, which both scripts have. */
const longVowelMark = 'ー';

/**
 * Returns other spellings of a word: `müller` for `mueller` and vice versa, `المدينة` for `مدينة`, `בנמל` for `נמל`,
 * `リンゴ` for `りんご` and vice versa.
 *
 * @param words one word, or the letters of a word in a script without spaces
 */
export function otherSpellings(words: readonly IndexedWord[]): readonly (readonly IndexedWord[])[] {
  const [first] = words;
  if (words.length === 1 && first !== undefined && !isKana(first)) {
    return spellingsOf(first).map((one) => [one]);
  }
  return kanaOf(words.map(({ plain }) => plain)).map((letters) =>
    letters.map((plain) => ({ plain, accented: null })),
  );
}

const isKana = ({ plain }: IndexedWord): boolean => hiragana.test(plain) || katakana.test(plain);

/** Returns the same sounds in the other Japanese syllabary; nothing for mixed or other scripts. */
function kanaOf(letters: readonly string[]): readonly (readonly string[])[] {
  const shift = letters.every((one) => hiragana.test(one))
    ? katakanaOffset
    : letters.every((one) => katakana.test(one))
      ? -katakanaOffset
      : 0;
  if (shift === 0 || letters.every((one) => one === longVowelMark)) return [];
  return [
    letters.map((one) =>
      one === longVowelMark ? one : String.fromCodePoint((one.codePointAt(0) ?? 0) + shift),
    ),
  ];
}

function spellingsOf(word: IndexedWord): readonly IndexedWord[] {
  if (/^\p{sc=Arab}+$/u.test(word.plain)) return withParticles(word, arabicFormsOf);
  if (/^\p{sc=Hebr}+$/u.test(word.plain)) {
    return withParticles(word, (plain) => hebrewParticles.map((particle) => particle + plain));
  }
  return word.accented === null ? withLetters(word.plain) : withDigraphs(word.accented);
}

function withParticles(
  word: IndexedWord,
  formsOf: (plain: string) => readonly string[],
): readonly IndexedWord[] {
  if (word.plain.length < minParticleWordLength) return [];
  return formsOf(word.plain).map((plain) => ({ plain, accented: null }));
}

function arabicFormsOf(plain: string): readonly string[] {
  const bare = plain.startsWith(article) ? plain.slice(article.length) : plain;
  // After “to”, the article loses its first letter.
  const definite = [...arabicParticles.slice(0, -1).map((one) => one + article + bare), `لل${bare}`];
  return bare === plain
    ? [article + plain, ...definite, ...arabicParticles.map((one) => one + plain)]
    : definite;
}

/** Returns `müller` for `mueller`: each pair of letters may stand for one, or for itself. */
function withLetters(plain: string): readonly IndexedWord[] {
  const forms = digraphs.flatMap((letters) => {
    const anyPair = new RegExp(Object.keys(letters).join('|'), 'gu');
    const pairs = [...plain.matchAll(anyPair)];
    const all = 2 ** pairs.length - 1;
    const choices =
      pairs.length > maxVariedPairs ? [all] : Array.from({ length: all }, (_, index) => index + 1);
    return choices.map((choice) => {
      let pairIndex = -1;
      return plain.replaceAll(anyPair, (pair) => {
        pairIndex += 1;
        const isReplaced = pairs.length > maxVariedPairs || (choice >> pairIndex) % 2 === 1;
        return isReplaced ? (letters[pair] ?? pair) : pair;
      });
    });
  });
  // Folds these letters as `search-text.ts` does.
  return forms.map((accented) => ({ plain: withoutMarks(accented).replaceAll('ø', 'o'), accented }));
}

/** Returns `mueller` for `müller`. */
function withDigraphs(accented: string): readonly IndexedWord[] {
  return digraphs.flatMap((letters) => {
    const plain = Object.entries(letters).reduce(
      (text, [pair, letter]) => text.replaceAll(letter, pair),
      accented,
    );
    return plain === accented || /[^a-z]/u.test(plain) ? [] : [{ plain, accented: null }];
  });
}
