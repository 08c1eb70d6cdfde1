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

/** The change of one segment in some of its properties. */
export const replaceOne = ({ segment, index }: Located, patch: Partial<DraftSegment>): Change => [
  { kind: 'replace', pairs: [{ at: index, before: segment, after: { ...segment, ...patch } }] },
];

/** Seconds to the millisecond: finer than anybody hears, and short to store. */
export const roundTime = (seconds: number): number => Math.round(seconds * 1000) / 1000;
