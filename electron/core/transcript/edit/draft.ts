import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft, DraftSegment } from '../../../contract/transcript.ts';

/** A segment with its index in the draft. */
export interface LocatedSegment {
  readonly segment: DraftSegment;
  readonly index: number;
}

/** Finds a segment by its ID; `null` if there is none. */
export function findSegment(draft: Draft, id: SegmentId): LocatedSegment | null {
  const index = draft.segments.findIndex((segment) => segment.id === id);
  const segment = draft.segments[index];
  return segment === undefined ? null : { segment, index };
}

/** Returns the text of a segment, or with `null` that of a transcript without times; `null` when there is none. */
export const textIn = (draft: Draft, segment: SegmentId | null): string | null =>
  segment === null ? draft.text : (findSegment(draft, segment)?.segment.text ?? null);

/** Returns the change that replaces a segment. */
export const replaceSegment = ({ segment, index }: LocatedSegment, after: DraftSegment): Change => [
  { kind: 'replace', pairs: [{ at: index, before: segment, after }] },
];

/**
 * Puts segments that were read in the order of their IDs into the order of the transcript.
 *
 * @param order the IDs in the order of the transcript; `null` if they are ascending
 */
export function orderSegments(
  segments: readonly DraftSegment[],
  order: readonly SegmentId[] | null,
): readonly DraftSegment[] {
  if (order === null) return segments;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  return order.flatMap((id) => byId.get(id) ?? []);
}
