import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft, DraftSegment } from '../../../contract/transcript.ts';

/** A segment with its place among the others. */
export interface Located {
  readonly segment: DraftSegment;
  readonly index: number;
}

/** The segment of a number; `null` when there is none. */
export function segmentAt(draft: Draft, id: SegmentId): Located | null {
  const index = draft.segments.findIndex((segment) => segment.id === id);
  const segment = draft.segments[index];
  return segment === undefined ? null : { segment, index };
}

/** The change of one segment into another one. */
export const replaceOne = ({ segment, index }: Located, after: DraftSegment): Change => [
  { kind: 'replace', pairs: [{ at: index, before: segment, after }] },
];

/**
 * All segments of a transcript that was read piece by piece, by their numbers, in their places.
 *
 * @param order their numbers by their places; `null` when the numbers rise with them.
 */
export function orderSegments(
  segments: readonly DraftSegment[],
  order: readonly SegmentId[] | null,
): readonly DraftSegment[] {
  if (order === null) return segments;
  const byNumber = new Map(segments.map((segment) => [segment.id, segment]));
  return order.flatMap((id) => byNumber.get(id) ?? []);
}
