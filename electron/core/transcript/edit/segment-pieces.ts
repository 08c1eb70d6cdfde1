import type { SegmentId } from '../../../contract/identifiers.ts';
import type { DraftSegment } from '../../../contract/transcript.ts';

/**
 * All segments of a transcript that was read piece by piece, by their numbers, in their places.
 *
 * @param order their numbers by their places; `null` when the numbers rise with them.
 */
export function inOrder(
  segments: readonly DraftSegment[],
  order: readonly SegmentId[] | null,
): readonly DraftSegment[] {
  if (order === null) return segments;
  const byNumber = new Map(segments.map((segment) => [segment.id, segment]));
  return order.flatMap((id) => byNumber.get(id) ?? []);
}
