import { normalizeText } from '../../../contract/unicode.ts';
import { editDistance } from '../../../core/transcript/edit-distance.ts';
import type { Tokenizer } from '../whisper/tokenizer.ts';

/**
 * The tokens that a list may have in the prompt. Less than half of it, so that the previous text still has room for what
 * was said in a window of 30 s, which is about 85 tokens.
 */
export const maxTermTokens = 96;
/**
 * The end timestamp of the list, in seconds. Without timestamps in its prompt, the model would write fewer of its own.
 */
const termsEndSeconds = 2;
/** Texts that differ in a larger fraction of their letters are not of the same speech. */
const maxDifference = 0.5;

/**
 * Names and terms that occur in a recording, as context for the model: it takes them for the text before the window, and
 * spells what it hears in the same way. Where there is no speech, it may repeat the list instead, as it may repeat any context.
 */
export class KnownTerms {
  /** The terms that fit, as one sentence; the first ones are preferred. Empty without terms. */
  readonly tokens: readonly number[];
  /** The words of each term that is in the prompt. */
  readonly #promptedTerms: readonly (readonly string[])[];

  constructor(terms: readonly string[], tokenizer: Pick<Tokenizer, 'encode' | 'special'>) {
    const comma = tokenizer.encode(',');
    const promptedTerms: string[] = [];
    const end = [...tokenizer.encode('.'), tokenizer.special.timestampAt(termsEndSeconds)];
    let tokens: readonly number[] = [];
    for (const rawTerm of terms) {
      const term = rawTerm.trim().replaceAll(/\s+/gu, ' ');
      const added = [
        ...(tokens.length === 0 ? [tokenizer.special.timestampAt(0)] : comma),
        ...tokenizer.encode(` ${term}`),
      ];
      if (tokens.length + added.length + end.length > maxTermTokens) continue;
      tokens = [...tokens, ...added];
      promptedTerms.push(term);
    }
    this.tokens = tokens.length === 0 ? [] : [...tokens, ...end];
    this.#promptedTerms = promptedTerms.map(wordsOf).filter((words) => words.length > 0);
  }

  /**
   * Whether a text may be the list instead of what was said: it has no other words, or two terms follow each other as in
   * the list.
   */
  mayBeEcho(text: string): boolean {
    if (this.#promptedTerms.length === 0) return false;
    const words = wordsOf(text);
    const listedWords = new Set(this.#promptedTerms.flat());
    if (words.every((word) => listedWords.has(word))) return true;
    const joined = ` ${words.join(' ')} `;
    return this.#promptedTerms.some((term, i) => {
      const next = this.#promptedTerms[i + 1];
      return next !== undefined && joined.includes(` ${[...term, ...next].join(' ')} `);
    });
  }
}

/** Whether two texts may be of the same speech, with words that are spelled differently. */
export function isSimilarText(text: string, other: string): boolean {
  const [letters, otherLetters] = [lettersOf(text), lettersOf(other)];
  return editDistance(letters, otherLetters) <= maxDifference * Math.max(letters.length, otherLetters.length);
}

const lettersOf = (text: string): readonly string[] =>
  Array.from(
    normalizeText(text, 'NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
