import { useDeferredValue, useMemo } from 'react';
import type { DraftSegment, Query, SegmentId } from '../../../../electron/contract/model/transcript.ts';
import { matchesIn, patternOf } from '../../../../electron/core/library/edit/find.ts';

/** A place where the text that is looked for stands. */
export interface Found {
  readonly segment: SegmentId;
  readonly start: number;
  readonly end: number;
}

/** All places in the order of the text; typing in the field does not wait for them. */
export function useFind(segments: readonly DraftSegment[], query: Query | null): readonly Found[] {
  const wanted = useDeferredValue(query);
  return useMemo(() => {
    const pattern = wanted === null ? null : patternOf(wanted);
    if (pattern === null) return [];
    return segments.flatMap(({ id, text }) =>
      matchesIn(text, pattern).map((match) => ({ segment: id, ...match })),
    );
  }, [segments, wanted]);
}
