import { defaultRangeExtractor, useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';

/** Estimates the height of a text in px, at 70 letters per line. */
const estimatedHeight = (text: string): number => Math.max(1, Math.ceil(text.length / 70)) * 27 + 10;

/**
 * Returns a function that estimates the heights of rows before they are measured. The first estimate of a row stays: the
 * virtualizer does not keep a measured height that equals it, so a later estimate, after the text has changed, would
 * replace the measured height.
 *
 * @param keyOf returns the key of a row by its index
 * @param textOf returns the text of a row by its index
 */
export function useHeightEstimates(
  keyOf: (index: number) => number,
  textOf: (index: number) => string,
): (index: number) => number {
  const [estimates] = useState(() => new Map<number, number>());
  return (index) => {
    const key = keyOf(index);
    const earlier = estimates.get(key);
    if (earlier !== undefined) return earlier;
    const estimate = estimatedHeight(textOf(index));
    estimates.set(key, estimate);
    return estimate;
  };
}

/** Rows that are rendered above and below the visible ones. */
const overscanRows = 10;

/**
 * Renders only the rows of a segment list that are on screen or near it.
 *
 * @param caretIndex index of the segment with the caret, which stays rendered wherever the list scrolls; -1 for none
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly DraftSegment[],
  caretIndex: number,
): Virtualizer<HTMLElement, Element> {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return caretIndex < 0 || indexes.includes(caretIndex)
        ? indexes
        : [...indexes, caretIndex].sort((a, b) => a - b);
    },
    [caretIndex],
  );
  const isPainted = useAfterPaint();
  const keyOf = useCallback((index: number) => segments[index]?.id ?? index, [segments]);
  const estimateSize = useHeightEstimates(keyOf, (index) => segments[index]?.text ?? '');
  return useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey: keyOf,
    rangeExtractor,
    overscan: isPainted ? overscanRows : 0,
    paddingStart: 18,
    paddingEnd: 48,
  });
}

/** Maximum milliseconds to wait for a busy window to be idle. */
const maxIdleWaitMs = 500;

/** Whether the first frame is on screen and the window is idle, so that rows off screen may be rendered. */
function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let idle = 0;
    const frame = requestAnimationFrame(() => {
      idle = requestIdleCallback(() => setPainted(true), { timeout: maxIdleWaitMs });
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelIdleCallback(idle);
    };
  }, []);
  return isPainted;
}
