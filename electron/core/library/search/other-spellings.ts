import type { Token } from './search-text.ts';

/** A word as the index knows it. */
export type Word = Pick<Token, 'plain' | 'accented'>;

/** How letters are typed where the keyboard has none of them: German, and Danish or Norwegian. */
const typedOut: readonly Readonly<Record<string, string>>[] = [
  { ae: 'ä', oe: 'ö', ue: 'ü', ss: 'ß' },
  { aa: 'å', oe: 'ø' },
];
/** More places of one word are all taken for such letters, or none. */
const mostPlaces = 3;

/** What Arabic and Hebrew write as one word with the next: articles, “and”, “in”, “to”, “from”, “as”, “that”. */
const article = 'ال';
const arabicParticles = ['و', 'ف', 'ب', 'ك', 'ل'];
const hebrewParticles = ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ', 'וה', 'מה', 'שה', 'וב', 'ול', 'כש'];
/** Shorter words begin too many others to be looked for inside of them. */
const leastInside = 3;

/**
 * Other ways in which people write a word: `mueller` is found as `müller` and the other way round, `مدينة` as `المدينة`,
 * `נמל` as `בנמל`.
 */
export function otherSpellings(word: Word): readonly Word[] {
  if (/^\p{sc=Arab}+$/u.test(word.plain)) return withParticles(word, arabicFormsOf);
  if (/^\p{sc=Hebr}+$/u.test(word.plain)) {
    return withParticles(word, (plain) => hebrewParticles.map((particle) => particle + plain));
  }
  return word.accented === null ? withLetters(word.plain) : typedOutOf(word.accented);
}

function withParticles(word: Word, formsOf: (plain: string) => readonly string[]): readonly Word[] {
  if (word.plain.length < leastInside) return [];
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
  const forms = typedOut.flatMap((letters) => {
    const anyPair = new RegExp(Object.keys(letters).join('|'), 'gu');
    const pairs = [...plain.matchAll(anyPair)];
    const all = 2 ** pairs.length - 1;
    const choices = pairs.length > mostPlaces ? [all] : Array.from({ length: all }, (_, index) => index + 1);
    return choices.map((choice) => {
      let place = -1;
      return plain.replaceAll(anyPair, (pair) => {
        place += 1;
        return pairs.length > mostPlaces || (choice >> place) % 2 === 1 ? (letters[pair] ?? pair) : pair;
      });
    });
  });
  return forms.map((accented) => ({ plain: withoutMarks(accented), accented }));
}

/** `müller` as `mueller`. */
function typedOutOf(accented: string): readonly Word[] {
  return typedOut.flatMap((letters) => {
    const plain = Object.entries(letters).reduce(
      (text, [pair, letter]) => text.replaceAll(letter, pair),
      accented,
    );
    return plain === accented || /[^a-z]/u.test(plain) ? [] : [{ plain, accented: null }];
  });
}

/** As `search-text.ts` makes plain words of these letters. */
const withoutMarks = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('ß', 'ss');
