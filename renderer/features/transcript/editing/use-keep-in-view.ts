import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import { boxAtOffset, segmentTextElement } from './segment-dom.ts';

/** Minimum px between the position and the edge of the list. */
const margin = 14;

export interface KeepInView {
  /** Keeps a place of a segment's text on screen, while rows come to their heights, until {@link KeepInView.release}. */
  readonly keep: (segment: SegmentId, offset: number) => void;
  /** Lets the user scroll again. */
  readonly release: () => void;
}

/**
 * Brings places of texts on screen: of a segment higher than the list, the very line. A row's height is known only once
 * it is drawn, and changes with its text, so the place is looked at again whenever rows are drawn.
 */
export function useKeepInView(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLElement, Element>,
): KeepInView {
  const wanted = useRef<{ readonly segment: SegmentId; readonly offset: number } | null>(null);

  useLayoutEffect(() => {
    const view = scroller.current;
    const place = wanted.current;
    const text = place === null ? null : segmentTextElement(view, place.segment);
    if (view === null || place === null || text === null) return;
    const box = boxAtOffset(text, place.offset);
    const around = view.getBoundingClientRect();
    const room = Math.max(0, Math.min(margin, (around.height - box.height) / 2));
    const above = around.top + room - box.top;
    const below = box.bottom - (around.bottom - room);
    if (above <= 0 && below <= 0) return;
    const isFar = Math.max(above, below) > around.height;
    virtualizer.cancelScroll();
    const near = above > 0 ? -above : below;
    view.scrollBy(0, isFar ? box.top - around.top - (around.height - box.height) / 2 : near);
  });

  return {
    keep: (segment, offset) => {
      wanted.current = { segment, offset };
    },
    release: () => {
      wanted.current = null;
    },
  };
}
