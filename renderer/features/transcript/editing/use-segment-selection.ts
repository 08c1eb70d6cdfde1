import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { rowOf, textElement } from './segment-dom.ts';

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

/** Where a drag began that selects text. */
interface TextDrag {
  readonly segment: SegmentId;
  /** Whether it has left the segment, so that segments are selected instead of text. */
  readonly hasLeft: boolean;
}

/**
 * Selects whole segments once the mouse, selecting text, leaves a segment: the browser's selection ends at its border.
 * Returns the handlers of the list.
 */
export function useDragSelection(selection: SegmentSelection) {
  const drag = useRef<TextDrag | null>(null);
  useEffect(() => {
    const end = (): void => {
      // Otherwise actions would apply to the part of the first segment.
      if (drag.current?.hasLeft === true) getSelection()?.collapseToStart();
      drag.current = null;
    };
    const controller = new AbortController();
    for (const name of ['pointerup', 'pointercancel'] as const)
      document.addEventListener(name, end, { signal: controller.signal });
    return () => controller.abort();
  }, []);
  return {
    onPointerDown: ({ target, button, pointerType }: PointerEvent): void => {
      const row = rowOf(target);
      const isText = target instanceof Node && textElement(row)?.contains(target) === true;
      drag.current =
        isText && row !== null && button === 0 && pointerType !== 'touch'
          ? { segment: Number(row.dataset['segment']), hasLeft: false }
          : null;
    },
    onPointerMove: ({ target }: PointerEvent): void => {
      const row = rowOf(target);
      if (drag.current === null || row === null) return;
      const { segment: from, hasLeft } = drag.current;
      const segment = Number(row.dataset['segment']);
      if (segment !== from) {
        drag.current = { segment: from, hasLeft: true };
        selection.extendTo(segment, from);
      } else if (hasLeft) {
        drag.current = { segment: from, hasLeft: false };
        selection.clear();
      }
    },
  };
}
