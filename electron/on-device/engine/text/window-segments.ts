import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Segment } from '../../../contract/segment.ts';
import { newSegment, withTimes } from '../../../core/transcript/segment.ts';
import { frameSamples, frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import { alignBoundariesToPauses, splitAtLongPauses, type SpokenText } from './fit-to-pauses.ts';

/** A timestamp this close to where a voice begins or ends means that place. */
const tolerance = Math.round(0.3 / frameSeconds);
/** A shorter stop of the voice is no place where a segment begins or ends. */
const shortestStop = Math.round(0.13 / frameSeconds);

/**
 * The pieces of a window as segments of the recording. Whisper's times are good to about a second and reach into
 * pauses, so they are moved to where voices begin and end, and pieces that reach over long pauses are cut there. A piece
 * in which nobody speaks was invented and is left out.
 */
export function toSegments(
  pieces: readonly TimedText[],
  window: SpeechWindow,
  textOf: (tokens: readonly number[]) => string,
): readonly Segment[] {
  const voiced = withoutStops(window.frames.map((frame) => frame.voiced));
  const spoken = pieces.flatMap((piece) => {
    const text = textOf(piece.tokens).trim();
    const span = speechSpan(piece, voiced);
    return text === '' || span === null ? [] : [{ text, ...span }];
  });
  const ordered = spoken.map((piece, i) => endingBefore(spoken[i + 1], piece));
  return alignBoundariesToPauses(ordered, window, voiced)
    .flatMap((piece) => splitAtLongPauses(piece, window, voiced))
    .map(({ text, first, last }) =>
      newSegment(recordedAt(window, first), recordedAt(window, last) + frameSeconds, text),
    );
}

/** A text whose end was moved beyond the beginning of the next one ends there: the next one needs its time. */
function endingBefore(next: SpokenText | undefined, spoken: SpokenText): SpokenText {
  const isOverlapped = next !== undefined && next.first > spoken.first && next.first <= spoken.last;
  return isOverlapped ? { ...spoken, last: next.first - 1 } : spoken;
}

/**
 * The segments in order after those that are there already: none begins before the one before it ends, and times are
 * whole milliseconds.
 */
export function inOrderAfter(last: Segment | undefined, segments: readonly Segment[]): readonly Segment[] {
  let previousEnd = last?.end ?? 0;
  return segments.map((segment) => {
    const start = Math.max(segment.start, previousEnd);
    previousEnd = roundToMilliseconds(Math.max(segment.end, start + frameSeconds));
    return withTimes(segment, roundToMilliseconds(start), previousEnd);
  });
}

/** The frames that a piece begins and ends with; `null` when there is no voice in it. */
function speechSpan(
  piece: TimedText,
  voiced: readonly boolean[],
): { readonly first: number; readonly last: number } | null {
  const lastFrame = voiced.length - 1;
  const first = Math.min(Math.floor(piece.start / frameSeconds), lastFrame);
  const last = Math.min(Math.max(Math.ceil(piece.end / frameSeconds) - 1, first), lastFrame);
  if (!voiced.slice(first, last + 1).includes(true)) return null;
  const movedFirst = nearestStart(voiced, first);
  const movedLast = nearestEnd(voiced, last);
  return movedFirst <= movedLast ? { first: movedFirst, last: movedLast } : { first, last };
}

/** The frame near `frame` where a voice begins. */
function nearestStart(voiced: readonly boolean[], frame: number): number {
  if (voiced[frame] !== true) return voiced.indexOf(true, frame);
  for (let distance = 0; distance <= tolerance; distance++) {
    if (voiced[frame - distance] === true && voiced[frame - distance - 1] !== true) return frame - distance;
    if (voiced[frame + distance] === false) {
      const next = voiced.indexOf(true, frame + distance);
      return next === -1 ? frame : next;
    }
  }
  return frame;
}

/** The frame near `frame` where a voice ends. */
function nearestEnd(voiced: readonly boolean[], frame: number): number {
  const fromEnd = voiced.toReversed();
  return voiced.length - 1 - nearestStart(fromEnd, voiced.length - 1 - frame);
}

function withoutStops(voiced: readonly boolean[]): readonly boolean[] {
  const result = [...voiced];
  let lastVoiced = -1;
  voiced.forEach((isVoiced, i) => {
    if (!isVoiced) return;
    if (lastVoiced !== -1 && i - lastVoiced - 1 < shortestStop) result.fill(true, lastVoiced, i);
    lastVoiced = i;
  });
  return result;
}

/** The time of a frame in the recording, in seconds. */
function recordedAt(window: SpeechWindow, frame: number): number {
  return (window.frames[frame]?.start ?? frame * frameSamples) / speechSampleRate;
}
