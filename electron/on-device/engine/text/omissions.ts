/**
 * Finds voice in a window that its text does not cover, and text that is too long for its voice, and decides where the
 * next window begins.
 */
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { TimedText, WindowText } from '../whisper/timestamp-rules.ts';

/**
 * This much voice without text, in seconds, counts as an omission. Less is normal, since the model's times are only
 * accurate to about a second; but where another person begins to speak, it may omit sentences.
 */
const maxVoiceWithoutText = 2;
/** Voice between two pauses, as long as a word and this far from any text, counts as an omission; in seconds. */
const minDistanceToText = 0.5;
const minWordSeconds = 0.4;
/** Fewer tokens per second of voice count as an omission, as happens where people repeat themselves. */
const minTokensPerSecond = 1.5;
/** Less voice than this is too little to compare paces, in seconds. */
const minVoiceToCompare = 5;
/** Maximum pace of the last text relative to the rest of the window, if it has enough tokens to compare. */
const maxPaceRatio = 2;
const minTokensToCompare = 8;

/** Less voice than this after the last words of a window is not transcribed again, in seconds. */
const minVoiceToRetry = 0.3;
/** Less voice than this between two pauses is the end of the text before it, not a word, in seconds. */
const minWordVoice = 0.2;
/** The minimum pause after such voice, in seconds. */
const minPauseAfterText = 0.5;
/** How far each window advances at least, so that unintelligible speech cannot cause an endless loop. */
const minProgressSeconds = 1;

/** A span of time in a window, in seconds. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the spans between texts, and before and after them, that have more voice than the inaccuracy of their times
 * explains.
 *
 * @param texts in order
 * @param until how far into the window the texts should reach, in seconds
 */
export function findUntranscribedVoice(
  texts: readonly TimeSpan[],
  window: SpeechWindow,
  until = window.seconds,
): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let end = 0;
  for (const text of texts) {
    gaps.push({ start: end, end: text.start });
    end = Math.max(end, text.end);
  }
  gaps.push({ start: end, end: until });
  return gaps.filter((gap) => gap.start < gap.end && isUntranscribed(window, gap.start, gap.end));
}

/** Limits the covered part of a window to the end of its text if voice without text follows. */
export function endBeforeUntranscribedVoice(text: WindowText, window: SpeechWindow): WindowText {
  const end = text.pieces.at(-1)?.end ?? text.coveredUntil;
  return isUntranscribed(window, end, window.seconds) ? { ...text, coveredUntil: end } : text;
}

/**
 * Finds where the model omitted something before the end of its text, or wrote more than was said at its end: after how
 * many pieces, and from which time on. `null` when it did neither.
 */
export function findOmission(
  pieces: readonly TimedText[],
  window: SpeechWindow,
): { readonly pieceCount: number; readonly from: number } | null {
  if (pieces.length === 0)
    return isUntranscribed(window, 0, window.seconds) ? { pieceCount: 0, from: 0 } : null;
  let end = 0;
  for (const [i, piece] of pieces.entries()) {
    if (isUntranscribed(window, end, piece.start)) return { pieceCount: i, from: end };
    if (isSparse(piece, window)) return { pieceCount: i, from: piece.start };
    ({ end } = piece);
  }
  const last = pieces.length - 1;
  const lastPiece = pieces[last];
  return lastPiece !== undefined && isTooLongForVoice(lastPiece, pieces.slice(0, last), window)
    ? { pieceCount: last, from: lastPiece.start }
    : null;
}

/** Whether there is more voice without text between two times than their inaccuracy explains. */
function isUntranscribed(window: SpeechWindow, from: number, to: number): boolean {
  if (window.voiceSeconds(from, to) >= maxVoiceWithoutText) return true;
  const first = from === 0 ? 0 : from + minDistanceToText;
  const last = to === window.seconds ? to : to - minDistanceToText;
  return window.voiceSpans.some(
    ({ start, end }) => start >= first && end <= last && window.voiceSeconds(start, end) >= minWordSeconds,
  );
}

/** Whether a text has too few tokens for its voice. */
function isSparse(piece: TimedText, window: SpeechWindow): boolean {
  const voice = window.voiceSeconds(piece.start, piece.end);
  return voice >= minVoiceToCompare && piece.tokens.length < minTokensPerSecond * voice;
}

/**
 * Whether the last text of a window is too long for its voice at the pace of the texts before. When a window ends in the
 * middle of a sentence that occurred before, the model completes it, and the next window would repeat the rest.
 */
function isTooLongForVoice(last: TimedText, before: readonly TimedText[], window: SpeechWindow): boolean {
  const voice = (piece: TimedText): number => window.voiceSeconds(piece.start, piece.end);
  const voiceBefore = before.reduce((sum, piece) => sum + voice(piece), 0);
  if (voiceBefore < minVoiceToCompare || last.tokens.length < minTokensToCompare) return false;
  const tokensBefore = before.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return last.tokens.length / voice(last) > (maxPaceRatio * tokensBefore) / voiceBefore;
}

/** Returns where the next window begins after a text that ends at `coveredUntil`, in seconds of this window. */
export function nextWindowStart(window: SpeechWindow, coveredUntil: number): number {
  if (window.voiceSeconds(coveredUntil) < minVoiceToRetry) return window.seconds;
  const pause = window.nearestPause(coveredUntil);
  return Math.max(pauseAfterStrayVoice(window, pause) ?? pause, minProgressSeconds);
}

/**
 * Returns the middle of the pause after the first voice from `from` on; `null` if that voice may be a word, or if the pause
 * is too short to end the text before it.
 */
function pauseAfterStrayVoice(window: SpeechWindow, from: number): number | null {
  const [stray, next] = window.voiceSpans.filter(({ end }) => end > from);
  if (stray === undefined || next === undefined) return null;
  const isStray = stray.end - Math.max(stray.start, from) < minWordVoice;
  return isStray && next.start - stray.end >= minPauseAfterText ? (stray.end + next.start) / 2 : null;
}
