import type { Token } from '../../transcript/search-text.ts';

/** A word as the index knows it. */
export type Word = Pick<Token, 'plain' | 'accented'>;

/** How letters are typed where the keyboard has none of them: German, and Danish or Norwegian. */
const digraphs: readonly Readonly<Record<string, string>>[] = [
  { ae: 'ä', oe: 'ö', ue: 'ü' },
  { aa: 'å', oe: 'ø' },
];
/** More places of one word are all taken for such letters, or none. */
const maxVariedPairs = 3;

/** What Arabic and Hebrew write as one word with the next: articles, “and”, “in”, “to”, “from”, “as”, “that”. */
const article = 'ال';
const arabicParticles = ['و', 'ف', 'ب', 'ك', 'ل'];
const hebrewParticles = ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'מה', 'שה', 'וב', 'ול', 'כש'];
/** Shorter words begin too many others to be looked for inside of them. */
const minParticleWordLength = 3;

const hiragana = /^[\u3041-\u3096\u309d\u309e\u30fc]+$/u;
const katakana = /^[\u30a1-\u30f6\u30fc-\u30fe]+$/u;
/** From a letter of hiragana to that of katakana for the same sound. */
const toKatakana = 0x60;
/** Is written in both. */
const longSound = 'ー';

/**
 * Other ways in which people write what is one word, or is one without spaces between its letters: `mueller` is found
 * as `müller` and the other way round, `مدينة` as `المدينة`, `נמל` as `בנמל`, `りんご` as `リンゴ` and the other way round.
 */
export function otherSpellings(words: readonly Word[]): readonly (readonly Word[])[] {
  const [first] = words;
  if (words.length === 1 && first !== undefined && !isKana(first)) {
    return spellingsOf(first).map((one) => [one]);
  }
  return kanaOf(words.map(({ plain }) => plain)).map((letters) =>
    letters.map((plain) => ({ plain, accented: null })),
  );
}

const isKana = ({ plain }: Word): boolean => hiragana.test(plain) || katakana.test(plain);

/** The same sounds in the other of the two Japanese scripts; nothing for what is in both, or in another one. */
function kanaOf(letters: readonly string[]): readonly (readonly string[])[] {
  const shift = letters.every((one) => hiragana.test(one))
    ? toKatakana
    : letters.every((one) => katakana.test(one))
      ? -toKatakana
      : 0;
  if (shift === 0 || letters.every((one) => one === longSound)) return [];
  return [
    letters.map((one) => (one === longSound ? one : String.fromCodePoint((one.codePointAt(0) ?? 0) + shift))),
  ];
}

function spellingsOf(word: Word): readonly Word[] {
  if (/^\p{sc=Arab}+$/u.test(word.plain)) return withParticles(word, arabicFormsOf);
  if (/^\p{sc=Hebr}+$/u.test(word.plain)) {
    return withParticles(word, (plain) => hebrewParticles.map((particle) => particle + plain));
  }
  return word.accented === null ? withLetters(word.plain) : withDigraphs(word.accented);
}

function withParticles(word: Word, formsOf: (plain: string) => readonly string[]): readonly Word[] {
  if (word.plain.length < minParticleWordLength) return [];
  return formsOf(word.plain).map((plain) => ({ plain, accented: null }));
}

function arabicFormsOf(plain: string): readonly string[] {
  const bare = plain.startsWith(article) ? plain.slice(article.length) : plain;
  // With “to”, the article loses its first letter.
  const definite = [...arabicParticles.slice(0, -1).map((one) => one + article + bare), `لل${bare}`];
  return bare === plain
    ? [article + plain, ...definite, ...arabicParticles.map((one) => one + plain)]
    : definite;
}

/** `mueller` as `müller`: each pair of letters may be one, or be meant as it stands. */
function withLetters(plain: string): readonly Word[] {
  const forms = digraphs.flatMap((letters) => {
    const anyPair = new RegExp(Object.keys(letters).join('|'), 'gu');
    const pairs = [...plain.matchAll(anyPair)];
    const all = 2 ** pairs.length - 1;
    const choices =
      pairs.length > maxVariedPairs ? [all] : Array.from({ length: all }, (_, index) => index + 1);
    return choices.map((choice) => {
      let place = -1;
      return plain.replaceAll(anyPair, (pair) => {
        place += 1;
        return pairs.length > maxVariedPairs || (choice >> place) % 2 === 1 ? (letters[pair] ?? pair) : pair;
      });
    });
  });
  return forms.map((accented) => ({ plain: withoutMarks(accented), accented }));
}

/** `müller` as `mueller`. */
function withDigraphs(accented: string): readonly Word[] {
  return digraphs.flatMap((letters) => {
    const plain = Object.entries(letters).reduce(
      (text, [pair, letter]) => text.replaceAll(letter, pair),
      accented,
    );
    return plain === accented || /[^a-z]/u.test(plain) ? [] : [{ plain, accented: null }];
  });
}

/** As `search-text.ts` makes plain words of these letters. */
const withoutMarks = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o');
