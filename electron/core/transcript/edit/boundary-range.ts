import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Draft } from '../../../contract/transcript.ts';
import { findSegment, type LocatedSegment } from './draft.ts';
import { earliestEnd, latestStart, latestTime } from './segment-times.ts';

/** What limits an edge of a segment: its minimum duration, the previous or the next segment, or the recording. */
export type BoundaryLimit = 'min-duration' | 'previous' | 'next' | 'recording';

interface Limit {
  readonly atSeconds: number;
  readonly by: BoundaryLimit;
}

/** A segment and the range of times for one of its edges. */
export interface BoundaryRange extends LocatedSegment {
  readonly earliest: Limit;
  readonly latest: Limit;
}

interface Edge {
  readonly segment: SegmentId;
  readonly edge: 'start' | 'end';
}

/**
 * Returns how far an edge can move: no segment gets shorter than the minimum, and none starts before the previous one.
 * `null` if there is no room, for example between segments that are out of order, or no such segment.
 */
export function boundaryRange(
  draft: Draft,
  { segment: id, edge }: Edge,
  durationSeconds: number | null,
): BoundaryRange | null {
  const found = findSegment(draft, id);
  if (found === null) return null;
  const { segment, index } = found;
  const [previous, next, nextButOne] = [index - 1, index + 1, index + 2].map((at) => draft.segments[at]);
  const [earliest, latest] =
    edge === 'start'
      ? [
          limit(previous && earliestEnd(previous), 'previous') ?? limit(0, 'recording'),
          earliestOf([limit(latestStart(segment), 'min-duration'), limit(next?.start, 'next')]),
        ]
      : [
          limit(earliestEnd(segment), 'min-duration'),
          earliestOf([
            limit(next && latestStart(next), 'next'),
            limit(nextButOne?.start, 'next'),
            limit(latestTime(durationSeconds), 'recording'),
          ]),
        ];
  if (earliest === null || latest === null || earliest.atSeconds > latest.atSeconds) return null;
  return { ...found, earliest, latest };
}

const limit = (atSeconds: number | undefined, by: BoundaryLimit): Limit | null =>
  atSeconds === undefined ? null : { atSeconds, by };

const earliestOf = (limits: readonly (Limit | null)[]): Limit | null =>
  limits.reduce((earliest, one) => {
    if (one === null || (earliest !== null && earliest.atSeconds <= one.atSeconds)) return earliest;
    return one;
  }, null);

/** Why an edge cannot move to a time. */
export type BoundaryRefusal =
  /** It is at that time already. */
  | 'unchanged'
  /** There is no such segment, or segments are out of order there. */
  | 'order'
  | BoundaryLimit;

/** Returns why an edge cannot move to a time; `null` if it can. */
export function boundaryRefusal(
  draft: Draft,
  move: Edge & { readonly toSeconds: number },
  durationSeconds: number | null,
): BoundaryRefusal | null {
  const range = boundaryRange(draft, move, durationSeconds);
  if (range === null) return 'order';
  const to = roundToMilliseconds(move.toSeconds);
  if (to < range.earliest.atSeconds) return range.earliest.by;
  if (to > range.latest.atSeconds) return range.latest.by;
  return to === range.segment[move.edge] ? 'unchanged' : null;
}
