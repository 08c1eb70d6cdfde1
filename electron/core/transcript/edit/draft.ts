import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft, DraftSegment } from '../../../contract/transcript.ts';

/** A segment with its index in the draft. */
export interface Located {
  readonly segment: DraftSegment;
  readonly index: number;
}

/** Finds a segment by its number; `null` if there is none. */
export function segmentAt(draft: Draft, id: SegmentId): Located | null {
  const index = draft.segments.findIndex((segment) => segment.id === id);
  const segment = draft.segments[index];
  return segment === undefined ? null : { segment, index };
}

/** Returns the change that replaces a segment. */
export const replaceOne = ({ segment, index }: Located, after: DraftSegment): Change => [
  { kind: 'replace', pairs: [{ at: index, before: segment, after }] },
];

/**
 * Puts segments that were read in the order of their numbers into the order of the transcript.
 *
 * @param order their numbers in that order; `null` if the numbers are ascending
 */
export function orderSegments(
  segments: readonly DraftSegment[],
  order: readonly SegmentId[] | null,
): readonly DraftSegment[] {
  if (order === null) return segments;
  const byNumber = new Map(segments.map((segment) => [segment.id, segment]));
  return order.flatMap((id) => byNumber.get(id) ?? []);
}
