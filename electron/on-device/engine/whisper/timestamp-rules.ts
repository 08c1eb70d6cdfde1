import type { SpecialTokens } from './special-tokens.ts';

/** The latest start of the first text of a window, in seconds (`max_initial_timestamp` of OpenAI's Whisper). */
const maxInitialTimestamp = 1;

/**
 * Suppresses the tokens that would break the order of timestamps, by OpenAI's rules: a window begins with a timestamp;
 * timestamps come in pairs, the end of one segment and the start of the next, except at the very end; they never
 * decrease.
 *
 * @param scores of the next token; suppressed ones become `-Infinity`
 * @param tokens of this window so far
 */
export function suppressInvalidTimestamps(
  scores: Float32Array,
  tokens: readonly number[],
  special: SpecialTokens,
): void {
  const last = tokens.at(-1);
  if (last === undefined) {
    scores.fill(-Infinity, 0, special.firstTimestamp);
    scores.fill(-Infinity, special.timestampAt(maxInitialTimestamp) + 1);
    return;
  }
  const beforeLast = tokens.at(-2);
  const isAfterTimestamp = special.isTimestamp(last);
  const isAfterPair = isAfterTimestamp && (beforeLast === undefined || special.isTimestamp(beforeLast));
  if (isAfterPair) scores.fill(-Infinity, special.firstTimestamp);
  else if (isAfterTimestamp) scores.fill(-Infinity, 0, special.endOfText);

  const lastTimestamp = tokens.findLast((token) => special.isTimestamp(token));
  if (lastTimestamp !== undefined) {
    // A segment may start where the last one ended, but none may be empty.
    const earliest = isAfterTimestamp && !isAfterPair ? lastTimestamp : lastTimestamp + 1;
    scores.fill(-Infinity, special.firstTimestamp, earliest);
  }
}

/** The tokens between two timestamps; times in seconds from the start of the window. */
export interface TimedText {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly number[];
}

/** The text of a window. */
export interface WindowText {
  readonly pieces: readonly TimedText[];
  /**
   * How far into the window the text reaches, in seconds: the end of the last closed segment when the tokens stop in the
   * middle of speech, otherwise the whole window.
   */
  readonly coveredUntil: number;
}

/** Splits the tokens of a window of the given duration at their timestamps. */
export function readTimestamps(
  tokens: readonly number[],
  windowSeconds: number,
  special: SpecialTokens,
): WindowText {
  const pieces: TimedText[] = [];
  let start: number | undefined;
  let text: number[] = [];
  for (const token of tokens) {
    if (!special.isTimestamp(token)) {
      text.push(token);
      continue;
    }
    const seconds = Math.min(special.secondsOf(token), windowSeconds);
    if (text.length > 0) {
      pieces.push({ start: start ?? 0, end: seconds, tokens: text });
      text = [];
    }
    start = seconds;
  }

  const lastPiece = pieces.at(-1);
  const endsWithPair = tokens.slice(-2).filter((token) => special.isTimestamp(token)).length === 2;
  if (text.length > 0) {
    // Words after the last pair of timestamps have no end: they are left to the next window, unless it would start where
    // this one does.
    if (lastPiece !== undefined && lastPiece.end > 0) return { pieces, coveredUntil: lastPiece.end };
    pieces.push({ start: start ?? 0, end: windowSeconds, tokens: text });
  }
  const coveredUntil = endsWithPair && lastPiece !== undefined ? lastPiece.end : windowSeconds;
  return { pieces, coveredUntil };
}
