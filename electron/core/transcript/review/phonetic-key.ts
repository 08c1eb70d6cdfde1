import { normalizeText } from '../../../contract/unicode.ts';

/**
 * The rules that turn a spelling into its phonetic key, in order. They are for names in languages with Latin letters, and
 * fold what speech models confuse in them: "Mbeki" and "Mbecki", "Lindqvist" and "Lindquist".
 */
const rules: readonly (readonly [RegExp, string])[] = [
  // How Germans and Danes write these letters without marks; all other marks are dropped.
  [/ä|æ/g, 'ae'],
  [/ö|ø/g, 'oe'],
  [/ü/g, 'ue'],
  [/ß/g, 'ss'],
  [/ł/g, 'l'],
  [/đ|ð/g, 'd'],
  [/þ/g, 't'],
  [/\p{M}/gu, ''],
  [/ph/g, 'f'],
  [/sch|sh/g, 'š'],
  [/ck|ch/g, 'k'],
  [/q[uvw]?|kw/g, 'kv'],
  [/x/g, 'ks'],
  [/tz|ts/g, 's'],
  [/dt/g, 't'],
  [/c(?=[eiy])|z/g, 's'],
  [/c/g, 'k'],
  [/gh/g, 'g'],
  [/^[jy](?=[aeiou])/g, 'j'],
  [/y/g, 'i'],
  [/ie|ee/g, 'i'],
  [/ou|oo/g, 'u'],
  [/ai/g, 'ei'],
  [/ae|ea/g, 'e'],
  [/w/g, 'v'],
  [/(?<=.)h/g, ''],
];

/** Letters that are confused within each group, as vowels are among each other. */
const relatedLetters = ['aeiou', 'bp', 'dt', 'gk', 'fv', 'mn', 'sš'];

/** Returns the phonetic key of a word: most spellings of a name have the same one. */
export function phoneticKey(word: string): string {
  // Letters with a rule of their own stay composed; all others are decomposed, so that a rule can drop their marks.
  let key = normalizeText(word.toLowerCase(), 'NFC').replaceAll(/[^äöü]/gu, (letter) =>
    normalizeText(letter, 'NFD'),
  );
  for (const [pattern, to] of rules) key = key.replaceAll(pattern, to);
  // A double letter sounds like a single one.
  return Array.from(key)
    .filter((letter, at, all) => letter !== all[at - 1])
    .join('');
}

/**
 * Whether two phonetic keys differ in a single letter that could have been confused or omitted. A different first letter or
 * ending makes another word, or another form of the same word.
 */
export function differInOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (at === 0 || at >= short.length - 1) return false;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const areRelated = relatedLetters.some(
    (group) => group.includes(short.charAt(at)) && group.includes(long.charAt(at)),
  );
  return areRelated && short.slice(at + 1) === long.slice(at + 1);
}
