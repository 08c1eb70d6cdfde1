import { sampleRate } from '../sound.ts';
import { frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';

/** Subtitles do not stand through a pause of this length in the recording, in seconds. */
const longPause = 1;

/** Text, and the first and the last frame of the window in which it is said. */
export interface SpokenText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

/** Frames without a voice, from one up to another, that stand for a long pause of the recording. */
export interface LongPause {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

/** How many frames have a voice, from one up to another. */
export function voiceIn(voiced: readonly boolean[], from: number, to: number): number {
  return voiced.slice(from, to).filter(Boolean).length;
}

/** The long pauses between two frames, in order. */
export function* longPauses(
  { first, last }: Pick<SpokenText, 'first' | 'last'>,
  { frames }: SpeechWindow,
  voiced: readonly boolean[],
): Generator<LongPause> {
  let from = first;
  for (let i = first; i <= last; i++) {
    if (voiced[i] !== true) continue;
    const seconds = ((frames[i]?.start ?? 0) - (frames[from]?.start ?? 0)) / sampleRate;
    if (i > from && seconds >= longPause - frameSeconds) yield { from, to: i, seconds };
    from = i + 1;
  }
}
