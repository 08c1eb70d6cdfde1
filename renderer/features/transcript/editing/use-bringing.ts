import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import { placeOf } from './caret.ts';
import { textOf } from './rows.ts';

/** Px between what is brought on screen and the edge of the list. */
const margin = 14;

export interface Bringing {
  /** Keeps a place of a segment's text on screen, while rows come to their heights, until {@link Bringing.rest}. */
  readonly bring: (segment: SegmentId, offset: number) => void;
  /** The reader goes on by themselves. */
  readonly rest: () => void;
}

/**
 * Brings places of texts on screen: of a segment higher than the list, the very line. A row's height is known only once
 * it is drawn, and changes with its text, so the place is looked at again whenever rows are drawn.
 */
export function useBringing(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLElement, Element>,
): Bringing {
  const wanted = useRef<{ readonly segment: SegmentId; readonly offset: number } | null>(null);

  useLayoutEffect(() => {
    const view = scroller.current;
    const place = wanted.current;
    const text = place === null ? null : textOf(view, place.segment);
    if (view === null || place === null || text === null) return;
    const box = placeOf(text, place.offset);
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
    bring: (segment, offset) => {
      wanted.current = { segment, offset };
    },
    rest: () => {
      wanted.current = null;
    },
  };
}
