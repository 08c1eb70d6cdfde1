import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { useWorkspace } from '../workspace.ts';
import {
  selectedRanges,
  setCaret,
  selectRange,
  textElement,
  segmentTextElement,
  writeText,
} from './segment-dom.ts';

export interface ListCaret {
  /** The segment with the caret, which stays rendered wherever the list scrolls; `null` for none. */
  readonly segment: SegmentId | null;
  /** Index of the segment with the caret; -1 for none. */
  readonly index: number;
  /** Moves the caret into a segment, or selects part of its text, as soon as its row is rendered. */
  readonly moveTo: (segment: SegmentId, start: number, end?: number) => void;
  /** To be called with the segment that receives the focus, `null` for none, and with what had it. */
  readonly onFocus: (segment: SegmentId | null, from: EventTarget | null) => void;
  /** To be called when the focus leaves the rows, with what receives it. */
  readonly onLeave: (to: EventTarget | null) => void;
}

interface CaretTarget {
  readonly segment: SegmentId;
  readonly start: number;
  readonly end?: number;
}

/** The caret in a list of segments of which only some are rendered. */
export function useCaret(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly DraftSegment[],
): ListCaret {
  const { session } = useWorkspace();
  /** Where the caret goes once its segment is rendered. */
  const target = useRef<CaretTarget | null>(null);
  /** What was selected when a dialog or menu took the focus: the browser returns it with the caret at the start. */
  const selectedBefore = useRef<SegmentRange | null>(null);
  const [caretSegment, setCaretSegment] = useState<SegmentId | null>(null);
  const [, rerender] = useState(0);
  const index = useMemo(
    () => (caretSegment === null ? -1 : segments.findIndex(({ id }) => id === caretSegment)),
    [segments, caretSegment],
  );

  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null) return;
    // React does not re-render a row whose typed text was discarded before it became an edit.
    for (const row of list.querySelectorAll<HTMLElement>('[data-segment]')) {
      const segment = segments[Number(row.dataset['index'])];
      const text = textElement(row);
      if (segment !== undefined && text !== null && segment.id === Number(row.dataset['segment'])) {
        writeText(text, session.textOf(segment.id, segment.text));
      }
    }
    // If the segment with the caret no longer exists, for example after its insertion was undone, focus the list.
    if (caretSegment !== null && index < 0) {
      if (target.current?.segment === caretSegment) target.current = null;
      if (target.current === null) list.focus({ preventScroll: true });
    }
    const pending = target.current;
    const element = pending === null ? null : segmentTextElement(list, pending.segment);
    if (pending !== null && element !== null) {
      target.current = null;
      if (pending.end === undefined) setCaret(element, pending.start);
      else selectRange(element, pending.start, pending.end);
    }
  });

  return {
    segment: caretSegment,
    index,
    moveTo: (segment, start, end) => {
      target.current = { segment, start, ...(end !== undefined && { end }) };
      setCaretSegment(segment);
      rerender((count) => count + 1);
    },
    onFocus: (segment, from) => {
      const range = selectedBefore.current;
      selectedBefore.current = null;
      setCaretSegment(segment);
      if (range === null || range.segment !== segment || target.current !== null) return;
      const element = segmentTextElement(scroller.current, segment);
      if (element === null) return;
      // A menu acts on what is selected. After a dialog, the next key must not replace it.
      const isFromMenu = from instanceof Element && from.closest('[role=menu]') !== null;
      if (isFromMenu) selectRange(element, range.start, range.end);
      else setCaret(element, range.end);
    },
    onLeave: (to) => {
      if (target.current !== null) return;
      const isPopup = to instanceof Element && to.closest('[role=dialog], [role=menu]') !== null;
      const selected = isPopup && scroller.current !== null ? selectedRanges(scroller.current) : [];
      selectedBefore.current = selected.find(({ segment }) => segment === caretSegment) ?? null;
      setCaretSegment(null);
    },
  };
}
