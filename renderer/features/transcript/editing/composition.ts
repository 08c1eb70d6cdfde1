/**
 * Whether what an input method has put together is a word, which is taken back by itself. An accent that came over its
 * letter by two keys belongs to the letters around it.
 */
export const isWord = (composed: string): boolean =>
  composed !== '' && !/^\p{Script=Latin}$/u.test(composed.normalize('NFC'));
