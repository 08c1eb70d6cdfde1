/** Finds the voices in a window of which its text says nothing. */
import type { SpeechWindow } from './speech-windows.ts';
import type { TimedText, WindowText } from './timestamp-rules.ts';

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

/** The text, heard only as far as it goes when voices go on after it. */
export function endingWithVoice(text: WindowText, window: SpeechWindow): WindowText {
  const end = text.pieces.at(-1)?.end ?? text.heardUntil;
  return isUnheard(window, end, window.seconds) ? { ...text, heardUntil: end } : text;
}

/**
 * Where the model left something out before the end of its text: after how many pieces, and from which time on; `null`
 * where it did not.
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
  return null;
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
