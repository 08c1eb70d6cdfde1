import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { useWorkspace } from '../workspace.ts';
import { setCaret, selectRange, textElement, segmentTextElement, writeText } from './segment-dom.ts';

export interface ListCaret {
  /** The segment that has the caret; stays drawn wherever the list is scrolled to. */
  readonly segment: SegmentId | null;
  /** Its index; -1 for none. */
  readonly index: number;
  /** Puts the caret into a segment, or selects a stretch of its text, as soon as it is drawn. */
  readonly place: (segment: SegmentId, start: number, end?: number) => void;
  /** Tell where the focus has gone. */
  readonly onFocus: (segment: SegmentId | null) => void;
  /** Tell that the focus leaves the rows. */
  readonly onLeave: () => void;
}

interface Wanted {
  readonly segment: SegmentId;
  readonly start: number;
  readonly end?: number;
}

/** The caret in a list of segments of which only some are drawn. */
export function useCaret(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly DraftSegment[],
): ListCaret {
  const { session } = useWorkspace();
  /** Where the caret is to go once its segment is drawn. */
  const wanted = useRef<Wanted | null>(null);
  const [held, setHeld] = useState<SegmentId | null>(null);
  const [, redraw] = useState(0);
  const heldIndex = useMemo(
    () => (held === null ? -1 : segments.findIndex(({ id }) => id === held)),
    [segments, held],
  );

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    // What was typed and taken back in one go leaves the row as it was, but not what stands in it.
    for (const row of list.querySelectorAll<HTMLElement>('[data-segment]')) {
      const segment = segments[Number(row.dataset['index'])];
      const text = textElement(row);
      if (segment !== undefined && text !== null && segment.id === Number(row.dataset['segment'])) {
        writeText(text, session.textOf(segment.id, segment.text));
      }
    }
    const caret = wanted.current;
    const element = caret === null ? null : segmentTextElement(list, caret.segment);
    if (caret !== null && element !== null) {
      wanted.current = null;
      if (caret.end === undefined) setCaret(element, caret.start);
      else selectRange(element, caret.start, caret.end);
    }
    // The segment with the caret is gone, as when its insertion was taken back: the keys go on working.
    if (held !== null && heldIndex < 0 && caret === null) list.focus({ preventScroll: true });
  });

  return {
    segment: held,
    index: heldIndex,
    place: (segment, start, end) => {
      wanted.current = { segment, start, ...(end !== undefined && { end }) };
      setHeld(segment);
      redraw((count) => count + 1);
    },
    onFocus: setHeld,
    onLeave: () => {
      if (wanted.current === null) setHeld(null);
    },
  };
}
