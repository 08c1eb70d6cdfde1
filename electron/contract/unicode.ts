/** The longest run of combining marks of any language, with room to spare: Unicode's Stream-Safe Text Format, UAX #15. */
const maxMarks = 30;
const excessMarks = new RegExp(String.raw`(\p{M}{${maxMarks}})\p{M}+`, 'gu');

/**
 * Returns a text in a normalization form, without marks beyond the 30th on one letter.
 *
 * `String.prototype.normalize` sorts the marks of a letter in quadratic time: 100,000 of them take half a minute. The
 * linter refuses it elsewhere.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  const bounded = text.length <= maxMarks ? text : text.replaceAll(excessMarks, '$1');
  // oxlint-disable-next-line no-restricted-properties
  return bounded.normalize(form);
}

/** Returns the same key for names that differ only in case or in how their letters are composed. */
export const foldCase = (name: string): string => normalizeText(name, 'NFC').toLowerCase();

/** Returns a decomposed text without its marks, such as accents. */
export const withoutMarks = (text: string, form: 'NFD' | 'NFKD' = 'NFD'): string =>
  normalizeText(text, form).replaceAll(/\p{M}/gu, '');
