import { useMemo, useState } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';

/** Several segments that an action applies to at once: a range in the order of the text. */
export interface SegmentSelection {
  /** In the order of the text. */
  readonly ids: readonly SegmentId[];
  /** Extends the selection to a segment. Without a selection it starts at `from`, or else at that segment. */
  readonly extendTo: (segment: SegmentId, from: SegmentId | null) => void;
  /** Extends or reduces the selection by one segment. Returns the segment where it ends now. */
  readonly step: (from: SegmentId, by: -1 | 1) => SegmentId;
  /** Returns whether there was a selection. */
  readonly clear: () => boolean;
  /** Returns the segments that an action on a segment applies to: the selection, if it contains the segment. */
  readonly including: (segment: SegmentId) => readonly SegmentId[];
}

interface Ends {
  readonly anchor: SegmentId;
  readonly focus: SegmentId;
}

/** Holds which segments are selected. */
export function useSegmentSelection(segments: readonly DraftSegment[]): SegmentSelection {
  const [ends, setEnds] = useState<Ends | null>(null);
  const ids = useMemo(() => {
    if (ends === null) return [];
    const [first, last] = [ends.anchor, ends.focus]
      .map((id) => segments.findIndex((segment) => segment.id === id))
      .toSorted((a, b) => a - b);
    // One of them may have been merged or deleted.
    if (first === undefined || last === undefined || first < 0) return [];
    return segments.slice(first, last + 1).map(({ id }) => id);
  }, [ends, segments]);

  return {
    ids,
    extendTo: (segment, from) =>
      setEnds((now) => ({ anchor: (ids.length > 0 ? now?.anchor : from) ?? segment, focus: segment })),
    step: (from, by) => {
      const now = ids.length > 0 && ends !== null ? ends : { anchor: from, focus: from };
      const index = segments.findIndex(({ id }) => id === now.focus);
      const focus = segments[index + by]?.id ?? now.focus;
      setEnds({ ...now, focus });
      return focus;
    },
    clear: () => {
      setEnds(null);
      return ids.length > 0;
    },
    including: (segment) => (ids.includes(segment) ? ids : [segment]),
  };
}
