import { createHash } from 'node:crypto';
import { normalizeText } from '../../../contract/unicode.ts';
import { splitLabel } from '../../formats/speaker-label.ts';
import { linesOf } from '../../transcript/plain-text.ts';

/**
 * A digest of the words of a text, which is given in passages: equal for files and transcripts that differ only in
 * spaces, punctuation and case, or in where they break lines.
 */
export class WordsDigest {
  readonly #hash = createHash('sha256');

  /** Adds the next passage, or the next of its {@link piecesOf}. */
  add(passage: string): void {
    for (const piece of piecesOf(passage)) this.#hash.update(lettersOf(piece));
  }

  /** Returns the digest; nothing can be added after that. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Returns the passages of a transcript: its segments, or the lines of one without times. */
export const passagesOf = (
  text: string,
  segments: readonly { readonly text: string }[],
): readonly string[] => (segments.length === 0 ? linesOf(text) : segments.map((segment) => segment.text));

/** UTF-16 units of a piece: normalization makes up to 18 of each. */
const maxPieceLength = 4000;

/** A letter that may become one with those before it: a mark, a vowel or an end of a Korean syllable, or a halfwidth form. */
const joiningLetter =
  /^[\p{M}\u1160-\u11FF\u314F-\u3163\u3187-\u318E\uD7B0-\uD7FF\uFF9E\uFF9F\uFFC2-\uFFDC]/u;

/**
 * Splits a passage into pieces of bounded work that have the same letters as all of it, at spaces where there are some: a
 * passage may be a text of megabytes without a line break.
 */
export function* piecesOf(passage: string): Generator<string> {
  let from = 0;
  while (passage.length - from > maxPieceLength) {
    const limit = from + maxPieceLength;
    const space = passage.lastIndexOf(' ', limit);
    let to = space > from ? space : limit;
    // Only so far: it is a piece of nonsense, whose letters need not be the same everywhere.
    while (to > limit - maxJoined && !canSplitAt(passage, to)) to -= 1;
    yield passage.slice(from, to);
    from = to;
  }
  yield passage.slice(from);
}

/** The maximum length of a run of letters that are kept together. */
const maxJoined = 100;

const canSplitAt = (text: string, at: number): boolean => {
  const next = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return !joiningLetter.test(next) && !/^[\uDC00-\uDFFF]/.test(next);
};

/** Returns the digests of the words of a file, with and without labels for the speakers. */
export function wordsDigestsOf(passages: readonly string[]): readonly string[] {
  const [labelled, unlabelled] = [new WordsDigest(), new WordsDigest()];
  for (const passage of passages) {
    labelled.add(passage);
    unlabelled.add(splitLabel(passage)?.text ?? passage);
  }
  return [labelled.digest(), unlabelled.digest()];
}

/** Returns the letters and digits of a text: subtitles break words, and scripts without spaces break anywhere. */
const lettersOf = (text: string): string =>
  normalizeText(text, 'NFKC')
    .toLowerCase()
    // The case of a letter depends on where a word ends.
    .replaceAll('ς', 'σ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
