import { maxTimeSeconds } from '../../../contract/limits.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Draft, DraftSegment } from '../../../contract/transcript.ts';
import { findSegment } from './draft.ts';

/** Returns the latest time that an edit may set, in seconds: the end of the recording, or else the limit of all times. */
export const latestTime = (recordingSeconds: number | null): number => recordingSeconds ?? maxTimeSeconds;

/** New times of a segment, in seconds. */
export interface SegmentTimes {
  readonly segment: SegmentId;
  readonly start: number;
  readonly end: number;
}

/** The minimum duration that an edit leaves a segment, in seconds: less can be neither seen nor clicked. */
export const minSegmentSeconds = 0.1;

/** Returns the duration to which a segment may be shortened, in seconds: one below the minimum keeps its duration. */
export const minDurationOf = ({ start, end }: Pick<DraftSegment, 'start' | 'end'>): number =>
  Math.min(minSegmentSeconds, Math.max(0, end - start));

/** Returns the earliest end of a segment that keeps its start, in seconds. */
export const earliestEnd = (segment: DraftSegment): number =>
  roundToMilliseconds(segment.start + minDurationOf(segment));

/** Returns the latest start of a segment that keeps its end, in seconds. */
export const latestStart = (segment: DraftSegment): number =>
  roundToMilliseconds(segment.end - minDurationOf(segment));

/** Whether a time range has the duration that every new segment has at least. */
export const hasMinDuration = (startSeconds: number, endSeconds: number): boolean =>
  roundToMilliseconds(endSeconds - startSeconds) >= minSegmentSeconds;

/**
 * Returns the range of times at which a segment can be split, in seconds: its middle if both halves cannot have the
 * minimum.
 */
export function splitRange(segment: DraftSegment): { readonly earliest: number; readonly latest: number } {
  const { start, end } = segment;
  if (roundToMilliseconds(end - start) >= 2 * minSegmentSeconds)
    return { earliest: earliestEnd(segment), latest: latestStart(segment) };
  const middle = Math.min(Math.max(roundToMilliseconds((start + end) / 2), start), Math.max(start, end));
  return { earliest: middle, latest: middle };
}

/** Rounds new times of a segment to whole milliseconds; a time that does not change stays exact. */
export const roundedTimes = (
  segment: DraftSegment,
  { start, end }: SegmentTimes,
): Pick<SegmentTimes, 'start' | 'end'> => ({
  start: start === segment.start ? start : roundToMilliseconds(start),
  end: end === segment.end ? end : roundToMilliseconds(end),
});

/** A neighbour whose edge moves to a time together with a segment's. */
interface MovedNeighbour {
  readonly segment: DraftSegment;
  readonly toSeconds: number;
}

/**
 * Returns the neighbours that new times of a segment would overlap, and so make shorter; `null` for one that stays. A
 * neighbour that only touches the segment stays too, so that typed times can leave a gap.
 */
export function neighbourTimes(
  draft: Draft,
  times: SegmentTimes,
): { readonly previous: MovedNeighbour | null; readonly next: MovedNeighbour | null } {
  const found = findSegment(draft, times.segment);
  if (found === null) return { previous: null, next: null };
  const { segment, index } = found;
  const { start, end } = roundedTimes(segment, times);
  const [previous, next] = [draft.segments[index - 1], draft.segments[index + 1]];
  const movesPrevious = previous !== undefined && start !== segment.start && previous.end > start;
  const movesNext = next !== undefined && end !== segment.end && next.start < end;
  return {
    previous: movesPrevious ? { segment: previous, toSeconds: start } : null,
    next: movesNext ? { segment: next, toSeconds: end } : null,
  };
}

/** Why new times of a segment are refused. */
export type TimesRefusal =
  /** There is no such segment, or it is out of order. */
  | 'order'
  /** It would not end after its start, or be too short. */
  | 'min-duration'
  /** The previous segment would have no room. */
  | 'previous'
  /** The next segment would have no room, or would start earlier. */
  | 'next'
  /** It would be outside of the recording, or too late for any recording. */
  | 'recording';

/** Returns why a segment cannot have these times; `null` if it can. */
export function timesRefusal(
  draft: Draft,
  times: SegmentTimes,
  durationSeconds: number | null,
): TimesRefusal | null {
  const found = findSegment(draft, times.segment);
  if (found === null) return 'order';
  const { segment, index } = found;
  const { start, end } = roundedTimes(segment, times);
  const [previous, next, nextButOne] = [index - 1, index + 1, index + 2].map((at) => draft.segments[at]);
  if ((previous?.start ?? 0) > segment.start || (next?.start ?? Infinity) < segment.start) return 'order';
  if (end <= start || roundToMilliseconds(end - start) < roundToMilliseconds(minDurationOf(segment)))
    return 'min-duration';
  // A segment that already ends after the recording may keep its end.
  if (start < 0 || (end !== segment.end && end > latestTime(durationSeconds))) return 'recording';
  const moved = neighbourTimes(draft, times);
  if (moved.previous !== null && start < earliestEnd(moved.previous.segment)) return 'previous';
  if (next === undefined) return null;
  const nextStart = moved.next?.toSeconds ?? next.start;
  const hasRoom = moved.next === null || (end <= latestStart(next) && end <= (nextButOne?.start ?? Infinity));
  return hasRoom && start <= nextStart ? null : 'next';
}
