import { deflateSync } from 'node:zlib';
import { isTimestamp } from '../whisper/tokenizer.ts';

/** Above this many bytes for each compressed byte, text repeats itself (OpenAI's `compression_ratio_threshold`). */
const mostCompressible = 2.4;
const longestLoop = 24;
/** It takes this many rounds, and this many tokens in all, before something said again counts as a loop. */
const loopRounds = 6;
const loopTokens = 32;

/** Whether the text says the same over and over, as Whisper does when it hears nothing that it knows. */
export function isRepetitive(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length > 0 && bytes.length / deflateSync(bytes).length > mostCompressible;
}

/**
 * The length of the loop that the tokens end in, 0 when there is none. A decoding that has come into a loop does not
 * come out again by itself, so it need not be waited for.
 */
export function loopLength(tokens: readonly number[]): number {
  for (let length = 1; length <= longestLoop; length++) {
    const repeated = Math.max(loopTokens, length * loopRounds) - length;
    if (repeated + length > tokens.length) return 0;
    let same = 0;
    while (same < repeated && alike(tokens.at(-1 - same), tokens.at(-1 - same - length))) same++;
    if (same === repeated) return length;
  }
  return 0;
}

/** The tokens up to the end of the first round of the loop that they end in. */
export function withoutLoop(tokens: readonly number[]): readonly number[] {
  const length = loopLength(tokens);
  if (length === 0) return tokens;
  let end = tokens.length;
  while (end > length && alike(tokens[end - 1], tokens[end - 1 - length])) end--;
  return tokens.slice(0, end);
}

/** Times go on while the words repeat themselves, so one timestamp is as good as another. */
function alike(token: number | undefined, other: number | undefined): boolean {
  if (token === undefined || other === undefined) return false;
  return token === other || (isTimestamp(token) && isTimestamp(other));
}
