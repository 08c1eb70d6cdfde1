import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { partitionPoint } from '../../transcript/partition-point.ts';
import { wordsOf } from '../../transcript/word-times.ts';
import type { LabelledSegment } from '../content.ts';
import type { Cue } from './cue.ts';

/** Where a word of a cue starts, and when it is spoken. */
export interface WordTimestamp {
  readonly line: number;
  /** In the line, in UTF-16 units. */
  readonly offset: number;
  /** Within the cue, and later than the previous timestamp. */
  readonly startMs: number;
}

/** A run of visible characters: a layout changes only white space and control characters. */
const visibleRuns = /[^\s\p{Cc}]+/gu;

/**
 * Returns where the words of segments start in the cues that were made of them. If the segments have labels, so must the
 * cues.
 *
 * @returns for each cue, the timestamps of its words in order; none for words whose times are unknown, or that start with the
 *   cue or outside of it
 */
export function wordTimestamps(
  segments: readonly LabelledSegment[],
  cues: readonly Cue[],
): readonly (readonly WordTimestamp[])[] {
  const starts = wordStarts(segments);
  let next = 0;
  let visibleBefore = 0;
  return cues.map(({ lines, startMs: cueStartMs, endMs }) => {
    const timestamps: WordTimestamp[] = [];
    for (const [line, text] of lines.entries()) {
      for (const { 0: run, index: runOffset } of text.matchAll(visibleRuns)) {
        for (let word = starts[next]; word !== undefined; word = starts[next]) {
          if (word.index >= visibleBefore + run.length) break;
          const { startMs } = word;
          if (startMs > (timestamps.at(-1)?.startMs ?? cueStartMs) && startMs < endMs)
            timestamps.push({ line, offset: runOffset + word.index - visibleBefore, startMs });
          next += 1;
        }
        visibleBefore += run.length;
      }
    }
    return timestamps;
  });
}

/** Returns when the words of all segments start, each with the index of its first character among all visible ones. */
function wordStarts(
  segments: readonly LabelledSegment[],
): readonly { readonly index: number; readonly startMs: number }[] {
  const starts: { index: number; startMs: number }[] = [];
  let index = 0;
  for (const segment of segments.toSorted((a, b) => a.start - b.start)) {
    index += countVisible(segment.label ?? '');
    const words = wordsOf(segment);
    for (const { from, to, start } of words ?? []) {
      const count = countVisible(segment.text.slice(from, to));
      if (count > 0) starts.push({ index, startMs: toMilliseconds(start) });
      index += count;
    }
    if (words === null) index += countVisible(segment.text);
  }
  return starts;
}

const countVisible = (text: string): number => text.replaceAll(/[\s\p{Cc}]/gu, '').length;

/** A part of a line. */
interface LinePart {
  readonly text: string;
  /** The timestamp of the word it starts with; only the first part of a line may have none. */
  readonly timestamp: WordTimestamp | null;
}

/**
 * Splits a line where words start.
 *
 * @param line the index of the line in its cue
 * @param timestamps all timestamps of the cue, in order
 */
export function splitAtTimestamps(
  text: string,
  line: number,
  timestamps: readonly WordTimestamp[],
): readonly LinePart[] {
  const firstIndex = partitionPoint(timestamps, (timestamp) => timestamp.line < line);
  const endIndex = partitionPoint(timestamps, (timestamp) => timestamp.line <= line);
  const lineTimestamps = timestamps.slice(firstIndex, endIndex);
  const first = { text: text.slice(0, lineTimestamps[0]?.offset), timestamp: null };
  const others = lineTimestamps.map((timestamp, index) => ({
    text: text.slice(timestamp.offset, lineTimestamps[index + 1]?.offset),
    timestamp,
  }));
  return first.text === '' ? others : [first, ...others];
}
