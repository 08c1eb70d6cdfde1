import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import { boxAtOffset, segmentTextElement } from './segment-dom.ts';

/** Minimum px between the position and the edge of the list. */
const margin = 14;

export interface KeepInView {
  /** Scrolls to an offset in a segment, and again when row heights change, until `release`. */
  readonly keep: (segment: SegmentId, offset: number) => void;
  /** Lets the user scroll again. */
  readonly release: () => void;
  /** Whether the line of an offset in a segment is on screen, or about to be. */
  readonly isShown: (segment: SegmentId, offset: number) => boolean;
}

/**
 * Scrolls the line of a position into view, even in a segment taller than the list. Row heights are known only after
 * rendering and change with the text, so the position is checked after each rendering.
 */
export function useKeepInView(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLElement, Element>,
): KeepInView {
  const target = useRef<{ readonly segment: SegmentId; readonly offset: number } | null>(null);

  useLayoutEffect(() => {
    const view = scroller.current;
    const position = target.current;
    const text = position === null ? null : segmentTextElement(view, position.segment);
    if (view === null || position === null || text === null) return;
    const box = boxAtOffset(text, position.offset);
    const viewBox = view.getBoundingClientRect();
    const padding = Math.max(0, Math.min(margin, (viewBox.height - box.height) / 2));
    const above = viewBox.top + padding - box.top;
    const below = box.bottom - (viewBox.bottom - padding);
    if (above <= 0 && below <= 0) return;
    const isFar = Math.max(above, below) > viewBox.height;
    const toCenter = box.top - viewBox.top - (viewBox.height - box.height) / 2;
    virtualizer.cancelScroll();
    view.scrollBy(0, isFar ? toCenter : above > 0 ? -above : below);
  });

  return {
    keep: (segment, offset) => {
      target.current = { segment, offset };
    },
    release: () => {
      target.current = null;
    },
    isShown: (segment, offset) => {
      if (target.current?.segment === segment && target.current.offset === offset) return true;
      const view = scroller.current;
      const text = segmentTextElement(view, segment);
      if (view === null || text === null) return false;
      const box = boxAtOffset(text, offset);
      const viewBox = view.getBoundingClientRect();
      return box.bottom > viewBox.top && box.top < viewBox.bottom;
    },
  };
}
