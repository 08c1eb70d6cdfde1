import { frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import { longPauses, voiceIn, type LongPause, type SpokenText } from './spoken-text.ts';

/** Less voice than this between a pause and a time of the model, in seconds, is within what its times are wrong by. */
const inaccuracy = 1;

/**
 * Moves the end of a text and the beginning of the next one to the long pause that they are near: the model's times are
 * good to about a second, and hardly anybody stops for so long within a sentence, and not at its end.
 *
 * @param voiced of each frame of the window, whether somebody speaks
 */
export function partAtPauses(
  texts: readonly SpokenText[],
  window: SpeechWindow,
  voiced: readonly boolean[],
): readonly SpokenText[] {
  const parted = [...texts];
  for (let i = 0; i + 1 < parted.length; i++) {
    const [text, next] = [parted[i], parted[i + 1]];
    if (text === undefined || next === undefined) break;
    const pause = pauseBetween(text, next, window, voiced);
    if (pause === null) continue;
    parted[i] = { ...text, last: pause.from - 1 };
    parted[i + 1] = { ...next, first: pause.to };
  }
  return parted;
}

/** The long pause that the end of a text and the beginning of the next one are nearest to; `null` when none is near. */
function pauseBetween(
  text: SpokenText,
  next: SpokenText,
  window: SpeechWindow,
  voiced: readonly boolean[],
): LongPause | null {
  let nearest: { readonly pause: LongPause; readonly distance: number } | null = null;
  for (const pause of longPauses({ first: text.first, last: next.last }, window, voiced)) {
    const fromEnd = voiceFrom(text.last + 1, pause, voiced);
    const fromBeginning = voiceFrom(next.first, pause, voiced);
    const isNear =
      Math.max(fromEnd, fromBeginning) * frameSeconds < inaccuracy &&
      fromEnd < voiceIn(voiced, text.first, text.last + 1) / 2 &&
      fromBeginning < voiceIn(voiced, next.first, next.last + 1) / 2;
    const distance = fromEnd + fromBeginning;
    if (isNear && (nearest === null || distance < nearest.distance)) nearest = { pause, distance };
  }
  return nearest?.pause ?? null;
}

/** How many frames have a voice between a frame and a pause. */
function voiceFrom(frame: number, pause: LongPause, voiced: readonly boolean[]): number {
  return frame > pause.from ? voiceIn(voiced, pause.to, frame) : voiceIn(voiced, frame, pause.from);
}
