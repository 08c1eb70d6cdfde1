import type { Segment } from '../../../../electron/contract/segment.ts';

/** The index of the segment that is heard at a time: the last that has begun; -1 before the first. */
export function playingIndex(segments: readonly Segment[], time: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.start ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
