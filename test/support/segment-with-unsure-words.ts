import type { Segment } from '../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../electron/core/transcript/words-in-text.ts';

/** Returns a segment in which each word takes half a second and the words of `unsure` have a low probability. */
export function segmentWithUnsureWords(start: number, text: string, unsure: readonly string[]): Segment {
  const ranges = wordRanges(text);
  return withWords(
    newSegment(start, start + ranges.length / 2, text),
    ranges.map((range, at) => ({
      ...range,
      start: start + at / 2,
      end: start + (at + 1) / 2,
      probability: unsure.includes(text.slice(range.from, range.to)) ? 0.3 : 0.9,
    })),
  );
}
