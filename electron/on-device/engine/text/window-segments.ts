import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import { newSegment, moveEdges } from '../../../core/transcript/segment.ts';
import { frameSamples, frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import {
  alignBoundariesToPauses,
  extendLastToPause,
  splitAtLongPauses,
  type SpokenText,
  type WordAfterPause,
} from './fit-to-pauses.ts';

/** A timestamp moves to the beginning or the end of voice when it is this close. */
const toleranceFrames = Math.round(0.3 / frameSeconds);
/** No segment begins or ends at a shorter interruption of voice. */
const minStopFrames = Math.round(0.13 / frameSeconds);

/** A segment, and where its text begins in the texts of all pieces of the window, joined. In UTF-16 units. */
export interface WindowSegment {
  readonly segment: Segment;
  readonly offset: number;
}

/** What is known about a window's text besides the model's times. */
interface SegmentBounds {
  /** Where the next window begins, in seconds of this one: the last text may end later than the model says, up to there. */
  readonly until?: number;
  /** For the text of all pieces, joined. */
  readonly wordAfter?: WordAfterPause;
}

/**
 * Converts the pieces of a window to segments of the recording. Whisper's times are accurate only to about a second and
 * reach into pauses, so they are moved to where voice begins and ends, and pieces that span long pauses are split
 * there. A piece without voice is a hallucination and is dropped.
 */
export function toSegments(
  pieces: readonly TimedText[],
  window: SpeechWindow,
  textOf: (tokens: readonly number[]) => string,
  { until, wordAfter = () => null }: SegmentBounds = {},
): readonly WindowSegment[] {
  const voiced = voicedFrames(window);
  let nextOffset = 0;
  const spoken = pieces.flatMap((piece) => {
    const decoded = textOf(piece.tokens);
    const offset = nextOffset + leadingSpace(decoded);
    nextOffset += decoded.length;
    const text = decoded.trim();
    const span = speechSpan(piece, voiced);
    return text === '' || span === null ? [] : [{ text, offset, ...span }];
  });
  const ordered = spoken.map((piece, i) => trimToNext(spoken[i + 1], piece));
  const complete =
    until === undefined ? ordered : extendLastToPause(ordered, Math.floor(until / frameSeconds), voiced);
  return alignBoundariesToPauses(complete, window, voiced).flatMap((piece, i) => {
    const pieceOffset = spoken[i]?.offset ?? 0;
    const wordAfterInPiece: WordAfterPause = (frame) => {
      const offset = wordAfter(frame);
      return offset === null || offset >= pieceOffset + piece.text.length ? null : offset - pieceOffset;
    };
    let offset = pieceOffset;
    let rest = piece.text;
    return splitAtLongPauses(piece, window, voiced, wordAfterInPiece).map(({ text, first, last }) => {
      const space = leadingSpace(rest);
      const part = {
        segment: newSegment(
          recordingSeconds(window, first),
          recordingSeconds(window, last) + frameSeconds,
          text,
        ),
        offset: offset + space,
      };
      offset += space + text.length;
      rest = rest.slice(space + text.length);
      return part;
    });
  });
}

/** For each frame of a window, whether somebody speaks; short interruptions count as voice. */
export const voicedFrames = (window: SpeechWindow): readonly boolean[] =>
  withoutShortStops(window.frames.map((frame) => frame.voiced));

const leadingSpace = (text: string): number => text.length - text.trimStart().length;

/** Ends a text at the beginning of the next one where its end was moved beyond it. */
function trimToNext<S extends SpokenText>(next: SpokenText | undefined, spoken: S): S {
  const isOverlapped = next !== undefined && next.first > spoken.first && next.first <= spoken.last;
  return isOverlapped ? { ...spoken, last: next.first - 1 } : spoken;
}

/**
 * Orders the times of segments: none begins before the previous one ends, and times are whole milliseconds.
 *
 * @param endSeconds when the segment before them ends
 */
export function orderTimesAfter(endSeconds: number, segments: readonly Segment[]): readonly Segment[] {
  let previousEnd = endSeconds;
  return segments.map((segment) => {
    const start = Math.max(segment.start, previousEnd);
    previousEnd = roundToMilliseconds(Math.max(segment.end, start + frameSeconds));
    return moveEdges(segment, roundToMilliseconds(start), previousEnd);
  });
}

/** Returns the first and the last frame of a piece; `null` when it has no voice. */
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

/** Returns the frame near `frame` where voice begins. */
function nearestStart(voiced: readonly boolean[], frame: number): number {
  if (voiced[frame] !== true) return voiced.indexOf(true, frame);
  for (let distance = 0; distance <= toleranceFrames; distance++) {
    if (voiced[frame - distance] === true && voiced[frame - distance - 1] !== true) return frame - distance;
    if (voiced[frame + distance] === false) {
      const next = voiced.indexOf(true, frame + distance);
      return next === -1 ? frame : next;
    }
  }
  return frame;
}

/** Returns the frame near `frame` where voice ends. */
function nearestEnd(voiced: readonly boolean[], frame: number): number {
  const fromEnd = voiced.toReversed();
  return voiced.length - 1 - nearestStart(fromEnd, voiced.length - 1 - frame);
}

/** Counts short interruptions as voice. */
function withoutShortStops(voiced: readonly boolean[]): readonly boolean[] {
  const result = [...voiced];
  let lastVoiced = -1;
  voiced.forEach((isVoiced, i) => {
    if (!isVoiced) return;
    if (lastVoiced !== -1 && i - lastVoiced - 1 < minStopFrames) result.fill(true, lastVoiced, i);
    lastVoiced = i;
  });
  return result;
}

/** Returns the time of a frame in the recording, in seconds. */
function recordingSeconds(window: SpeechWindow, frame: number): number {
  return (window.frames[frame]?.start ?? frame * frameSamples) / speechSampleRate;
}
