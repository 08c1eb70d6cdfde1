import { defaultRangeExtractor, useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';

/** Height of a segment in px before it is measured: its lines of about 70 letters, and the space between segments. */
const estimatedHeight = (text: string): number => Math.max(1, Math.ceil(text.length / 70)) * 27 + 10;

/** Segments that are drawn beyond what is on screen. */
const rowsAhead = 10;

/**
 * Which rows of a list of segments are drawn, and where: those on screen and around it.
 *
 * @param held index of the segment that has the caret, which stays drawn wherever the list is scrolled to; -1 for none.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly DraftSegment[],
  held: number,
): Virtualizer<HTMLElement, Element> {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return held < 0 || indexes.includes(held) ? indexes : [...indexes, held].sort((a, b) => a - b);
    },
    [held],
  );
  const isDrawn = useAfterPaint();
  return useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight(segments[index]?.text ?? ''),
    getItemKey: useCallback((index: number) => segments[index]?.id ?? index, [segments]),
    rangeExtractor,
    overscan: isDrawn ? rowsAhead : 0,
    paddingStart: 18,
    paddingEnd: 48,
  });
}

/** The longest that a busy window waits, in milliseconds. */
const longestMs = 500;

/** Whether a first picture of this is on screen, and nothing else is to be done: what nobody sees yet comes after it. */
function useAfterPaint(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let idle = 0;
    const frame = requestAnimationFrame(() => {
      idle = requestIdleCallback(() => setDrawn(true), { timeout: longestMs });
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelIdleCallback(idle);
    };
  }, []);
  return isDrawn;
}
