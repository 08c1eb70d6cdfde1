/** Finds the voices in a window of which its text says nothing, and the text of which its voices say nothing. */
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { TimedText, WindowText } from '../whisper/timestamp-rules.ts';

/**
 * Voice without a text, in seconds. The model's times are good to about a second, so it is believed of a little; but
 * where another voice sets in, it may leave out sentences.
 */
const worthDoubting = 2;
/** A voice between two pauses that is this far from all text, in seconds, is worth doubting from a word on. */
const farFromText = 0.5;
const shortestWord = 0.4;
/** Fewer words than this for so much voice: the model left something out, as it does where people repeat themselves. */
const fewestTokensPerSecond = 1.5;
const longEnoughToTell = 5;
/** So many times the words of the rest of the window for as much voice, in a text of so many tokens at least. */
const timesTooFast = 2;
const tokensToTell = 8;

/** The text, heard only as far as it goes when voices go on after it. */
export function endingWithVoice(text: WindowText, window: SpeechWindow): WindowText {
  const end = text.pieces.at(-1)?.end ?? text.heardUntil;
  return isUnheard(window, end, window.seconds) ? { ...text, heardUntil: end } : text;
}

/**
 * Where the model left something out before the end of its text, or wrote more than was said at its end: after how many
 * pieces, and from which time on; `null` where it did not.
 */
export function firstLoss(
  pieces: readonly TimedText[],
  window: SpeechWindow,
): { readonly pieces: number; readonly from: number } | null {
  if (pieces.length === 0) return isUnheard(window, 0, window.seconds) ? { pieces: 0, from: 0 } : null;
  let end = 0;
  for (const [i, piece] of pieces.entries()) {
    if (isUnheard(window, end, piece.start)) return { pieces: i, from: end };
    if (isSparse(piece, window)) return { pieces: i, from: piece.start };
    ({ end } = piece);
  }
  const last = pieces.length - 1;
  const lastPiece = pieces[last];
  return lastPiece !== undefined && goesOnAlone(lastPiece, pieces.slice(0, last), window)
    ? { pieces: last, from: lastPiece.start }
    : null;
}

/** Whether there is more voice between two times without a text than their inaccuracy explains. */
function isUnheard(window: SpeechWindow, from: number, to: number): boolean {
  if (window.voiceSeconds(from, to) >= worthDoubting) return true;
  const first = from === 0 ? 0 : from + farFromText;
  const last = to === window.seconds ? to : to - farFromText;
  return window.voices.some(
    ({ start, end }) => start >= first && end <= last && window.voiceSeconds(start, end) >= shortestWord,
  );
}

function isSparse(piece: TimedText, window: SpeechWindow): boolean {
  const voice = window.voiceSeconds(piece.start, piece.end);
  return voice >= longEnoughToTell && piece.tokens.length < fewestTokensPerSecond * voice;
}

/**
 * Whether the last text of a window is longer than its voice, by the pace of those before. Where a window ends within a
 * sentence that was said before, the model writes it to its end, and it would come once more with the next window.
 */
function goesOnAlone(last: TimedText, before: readonly TimedText[], window: SpeechWindow): boolean {
  const voice = (piece: TimedText): number => window.voiceSeconds(piece.start, piece.end);
  const voiceBefore = before.reduce((sum, piece) => sum + voice(piece), 0);
  if (voiceBefore < longEnoughToTell || last.tokens.length < tokensToTell) return false;
  const tokensBefore = before.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return last.tokens.length / voice(last) > (timesTooFast * tokensBefore) / voiceBefore;
}
