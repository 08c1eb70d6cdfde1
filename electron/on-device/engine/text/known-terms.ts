import { normalizeText } from '../../../contract/unicode.ts';
import { editDistance } from '../../../core/transcript/edit-distance.ts';
import { matchingPairs } from '../../../core/transcript/matching-pairs.ts';
import { phoneticKey } from '../../../core/transcript/review/phonetic-key.ts';
import type { Decoding } from '../whisper/decoding.ts';
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
/** A word of the list with a lower probability counts as a guess. */
const minTermProbability = 0.9;
/** If the model hears a word with at least this probability without the list, it knows the word. */
const certainProbability = 0.8;
/**
 * A word that differs from a word of a term in at most this fraction of the latter's letters may come from the list.
 */
const maxMisspelling = 0.4;
/** Shorter words are too often like a term by chance. */
const minListedLength = 4;

/** A word of a decoded text. */
interface DecodedWord {
  readonly text: string;
  /** The indexes of its first and last token in the decoding. */
  readonly first: number;
  readonly last: number;
  /** The probability that all its tokens are right. */
  readonly probability: number;
}

/**
 * Names and terms that occur in a recording, as context for the model: it takes them for the text before the window, and
 * spells what it hears in the same way. Where there is no speech, it may repeat the list instead, as it may repeat any context.
 */
export class KnownTerms {
  /** The terms that fit, as one sentence; the first ones are preferred. Empty without terms. */
  readonly tokens: readonly number[];
  /** The words of each term that is in the prompt. */
  readonly #promptedTerms: readonly (readonly string[])[];
  readonly #listedWords: ReadonlySet<string>;

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
    this.#listedWords = new Set(this.#promptedTerms.flat());
  }

  /**
   * Whether a text may be the list instead of what was said: it has no other words, or two terms follow each other as in
   * the list.
   */
  mayBeEcho(text: string): boolean {
    if (this.#promptedTerms.length === 0) return false;
    const words = wordsOf(text);
    if (words.every((word) => this.#listedWords.has(word))) return true;
    const joined = ` ${words.join(' ')} `;
    return this.#promptedTerms.some((term, i) => {
      const next = this.#promptedTerms[i + 1];
      return next !== undefined && joined.includes(` ${[...term, ...next].join(' ')} `);
    });
  }

  /** Whether a text has a word that the model may have from the list instead of the audio. */
  hasDoubtfulTerm(decoding: Decoding, tokenizer: Tokenizer): boolean {
    return wordsOfDecoding(decoding, tokenizer).some(
      (word) => this.#isGuess(word) || this.#isMisspelt(word.text),
    );
  }

  /**
   * Combines a text with what the model hears without the list. A word of the list stays if the model is certain of it, or if
   * what is heard instead sounds alike and is uncertain: the list decides how words are spelled, not which were said. All other
   * differences are decided by what is heard, since the list also changes words beside names. Words that are only in the
   * text with the list stay if they are not like any of the list, and so do words with a timestamp among them.
   *
   * @returns `null` when nothing is heard instead of a word of the list, with a timestamp there: only the whole text can be
   *   replaced
   * @param heard the text of the same audio, decoded without the list
   */
  replaceUnheard(decoding: Decoding, heard: Decoding, tokenizer: Tokenizer): Decoding | null {
    const words = wordsOfDecoding(decoding, tokenizer);
    const heardWords = wordsOfDecoding(heard, tokenizer);
    const pairs = matchingPairs(
      words.map(({ text }) => text),
      heardWords.map(({ text }) => text),
    );
    let result = decoding;
    // From the end, so that the indexes before a replacement stay valid.
    let [end, heardEnd] = [words.length, heardWords.length];
    for (const [match, heardMatch] of [[-1, -1] as const, ...pairs].toReversed()) {
      const changed = words.slice(match + 1, end);
      const replacement = heardWords.slice(heardMatch + 1, heardEnd);
      [end, heardEnd] = [match, heardMatch];
      const isMisspelt = changed.some(({ text }) => this.#isMisspelt(text));
      const isGuess = changed.some((word) => this.#isGuess(word));
      const isCertain = replacement.every(({ probability }) => probability >= certainProbability);
      const isListed = changed.some(({ text }) => this.#listedWords.has(text));
      if (!isMisspelt && !isGuess && (isListed || replacement.length === 0)) continue;
      if (!isMisspelt && isListed && soundAlike(changed, replacement) && !isCertain) {
        result = withDoubt(result, changed, replacement);
        continue;
      }
      const next = words[match + 1 + changed.length]?.first ?? decoding.tokens.length;
      const spliced = splice(result, changed, next, heard, replacement, tokenizer);
      if (spliced === null && replacement.length === 0) return null;
      result = spliced ?? result;
    }
    return result;
  }

  #isGuess({ text, probability }: DecodedWord): boolean {
    return probability < minTermProbability && this.#listedWords.has(text);
  }

  #isMisspelt(word: string): boolean {
    if (this.#listedWords.has(word)) return false;
    return [...this.#listedWords].some(
      (listed) =>
        listed.length >= minListedLength &&
        editDistance(Array.from(word), Array.from(listed)) <= maxMisspelling * listed.length,
    );
  }
}

/**
 * Lowers the probability of words to that of the other words being wrong, so that a review marks words of the list that
 * were kept although others may be right.
 */
function withDoubt(
  decoding: Decoding,
  words: readonly DecodedWord[],
  others: readonly DecodedWord[],
): Decoding {
  const maxProbability = 1 - others.reduce((product, { probability }) => product * probability, 1);
  const probabilities = [...decoding.probabilities];
  for (const { first, probability } of words) {
    const factor = Math.min(1, maxProbability / probability);
    probabilities[first] = (probabilities[first] ?? 1) * factor;
  }
  return { ...decoding, probabilities };
}

/**
 * Replaces words of a decoding by those of another, or removes them with the punctuation up to the `next` word; `null` when a
 * timestamp is among them.
 */
function splice(
  decoding: Decoding,
  words: readonly DecodedWord[],
  next: number,
  other: Decoding,
  replacement: readonly DecodedWord[],
  { special }: Tokenizer,
): Decoding | null {
  const [first, last] = [words[0], words.at(-1)];
  const [otherFirst, otherLast] = [replacement[0], replacement.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [otherStart, otherEnd] =
    otherFirst === undefined || otherLast === undefined ? [0, 0] : [otherFirst.first, otherLast.last + 1];
  const isTimestamp = (token: number): boolean => special.isTimestamp(token);
  let end = last.last + 1;
  if (replacement.length === 0) while (end < next && !isTimestamp(decoding.tokens[end] ?? 0)) end += 1;
  const spliceList = <Item>(list: readonly Item[], others: readonly Item[]): readonly Item[] => [
    ...list.slice(0, first.first),
    ...others.slice(otherStart, otherEnd),
    ...list.slice(end),
  ];
  if (decoding.tokens.slice(first.first, last.last + 1).some(isTimestamp)) return null;
  if (other.tokens.slice(otherStart, otherEnd).some(isTimestamp)) return null;
  return {
    ...decoding,
    tokens: spliceList(decoding.tokens, other.tokens),
    probabilities: spliceList(decoding.probabilities, other.probabilities),
  };
}

function wordsOfDecoding({ tokens, probabilities }: Decoding, tokenizer: Tokenizer): readonly DecodedWord[] {
  const textTokens = [...tokens.keys()].filter((at) => !tokenizer.special.isTimestamp(tokens[at] ?? 0));
  const pieces = tokenizer.decodeByToken(textTokens.map((at) => tokens[at] ?? 0));
  const pieceOfUnit = pieces.flatMap((piece) => piece.text.split('').map(() => piece));
  const joined = pieces.map(({ text }) => text).join('');
  return Array.from(joined.matchAll(word), ({ 0: text, index }) => {
    const first = textTokens[pieceOfUnit[index]?.first ?? 0] ?? 0;
    const last = textTokens[pieceOfUnit[index + text.length - 1]?.last ?? 0] ?? first;
    const probability = probabilities.slice(first, last + 1).reduce((product, one) => product * one, 1);
    return { text: text.toLowerCase(), first, last, probability };
  });
}

/** Whether two texts may be of the same speech, with words that are spelled differently. */
export function isSimilarText(text: string, other: string): boolean {
  return areSimilar(lettersOf(text), lettersOf(other));
}

/** Whether words may be spellings of the same sounds, wherever they are divided. */
function soundAlike(words: readonly DecodedWord[], others: readonly DecodedWord[]): boolean {
  const keyOf = (list: readonly DecodedWord[]): readonly string[] =>
    Array.from(phoneticKey(list.map(({ text }) => text).join('')));
  return areSimilar(keyOf(words), keyOf(others));
}

const areSimilar = (letters: readonly string[], others: readonly string[]): boolean =>
  editDistance(letters, others) <= maxDifference * Math.max(letters.length, others.length);

const lettersOf = (text: string): readonly string[] =>
  Array.from(
    normalizeText(text, 'NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );

const word = /[\p{L}\p{M}\p{N}]+/gu;
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(word) ?? [];
