import { isTimestamp, secondsOf, special, timestampAt } from './tokenizer.ts';

/** A window begins with a word at the latest after this many seconds (`max_initial_timestamp` of OpenAI's Whisper). */
const latestStart = 1;

/**
 * Bars the tokens that would break the order of timestamps, by OpenAI's rules: a window begins with a timestamp; they
 * come in pairs, the end of one segment and the start of the next, but at the end of all; they never go back.
 *
 * @param scores of the token to come next; what is barred becomes `-Infinity`
 * @param tokens what was said in this window so far
 */
export function barBrokenTimestamps(scores: Float32Array, tokens: readonly number[]): void {
  const last = tokens.at(-1);
  if (last === undefined) {
    scores.fill(-Infinity, 0, special.firstTimestamp);
    scores.fill(-Infinity, timestampAt(latestStart) + 1);
    return;
  }
  const beforeLast = tokens.at(-2);
  const afterTimestamp = isTimestamp(last);
  const afterPair = afterTimestamp && (beforeLast === undefined || isTimestamp(beforeLast));
  if (afterPair) scores.fill(-Infinity, special.firstTimestamp);
  else if (afterTimestamp) scores.fill(-Infinity, 0, special.endOfText);

  const lastTimestamp = tokens.findLast(isTimestamp);
  if (lastTimestamp !== undefined) {
    // The end of a segment may be said again as the start of the next; a segment of no length may not be.
    const earliest = afterTimestamp && !afterPair ? lastTimestamp : lastTimestamp + 1;
    scores.fill(-Infinity, special.firstTimestamp, earliest);
  }
}

/** A piece of what was said, in seconds from the start of the window. */
export interface TimedText {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly number[];
}

/** What the tokens of a window say. */
export interface WindowText {
  readonly pieces: readonly TimedText[];
  /**
   * How far into the window the text reaches, in seconds: the last closed segment's end when the tokens stop in the
   * middle of what is said, else the whole window.
   */
  readonly heardUntil: number;
}

/** Cuts the tokens of a window of the given length at their timestamps. */
export function readTimestamps(tokens: readonly number[], windowSeconds: number): WindowText {
  const pieces: TimedText[] = [];
  let start: number | undefined;
  let text: number[] = [];
  for (const token of tokens) {
    if (!isTimestamp(token)) {
      text.push(token);
      continue;
    }
    const seconds = Math.min(secondsOf(token), windowSeconds);
    if (text.length > 0) {
      pieces.push({ start: start ?? 0, end: seconds, tokens: text });
      text = [];
    }
    start = seconds;
  }

  const closed = pieces.at(-1);
  const endsWithPair = tokens.slice(-2).filter(isTimestamp).length === 2;
  if (text.length > 0) {
    // Words after the last pair of timestamps have no end: they are heard again from there, if that leads anywhere.
    if (closed !== undefined && closed.end > 0) return { pieces, heardUntil: closed.end };
    pieces.push({ start: start ?? 0, end: windowSeconds, tokens: text });
  }
  const heardUntil = endsWithPair && closed !== undefined ? closed.end : windowSeconds;
  return { pieces, heardUntil };
}
