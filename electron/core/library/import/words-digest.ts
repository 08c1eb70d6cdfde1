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

  /** Adds the next passage; no word continues in another one. */
  add(passage: string): void {
    this.#hash.update(lettersOf(passage));
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
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
