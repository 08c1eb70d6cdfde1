import type { Segment } from '../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../electron/core/transcript/words-in-text.ts';

/** Returns a segment whose words take half a second each; the model was unsure of some. */
export function spokenWith(start: number, text: string, unsure: readonly string[]): Segment {
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
