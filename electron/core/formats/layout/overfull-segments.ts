import { columnsOf } from './columns.ts';
import type { LabelledSegment } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { newSegment } from '../../transcript/segment.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** A segment with the times that its text takes in subtitles. */
export interface FittedSegment extends LabelledSegment {
  /** Whether its text cannot have been spoken in its time, so that when each word is spoken is unknown. */
  readonly isOverfull: boolean;
}

/** Nobody speaks this many times faster than the maximum reading speed. */
const overfullFactor = 2;

/**
 * Extends segments with far more text than time, for example after a person added sentences, into the pauses around
 * them: by as much as reading their text takes, first into the pause after them, then into the one before. What is left
 * of a pause still counts as one. Their words lose their times: those of added words are squeezed between the others, or
 * into the last instant.
 *
 * @returns the segments in the order of their starts, without those that have no text
 */
export function fitOverfullSegments(
  segments: readonly LabelledSegment[],
  rules: SubtitleRules,
): readonly FittedSegment[] {
  const inOrder = segments.toSorted((a, b) => a.start - b.start).filter(({ text }) => oneLine(text) !== '');
  let spokenUntil = 0;
  return inOrder.map((segment, index) => {
    const neededSeconds = readSeconds(segment, rules);
    const missingSeconds = neededSeconds - (segment.end - segment.start);
    // What fits into the shortest cue needs no other time.
    const isOverfull =
      neededSeconds > Math.max(rules.minDurationMs / 1000, overfullFactor * (segment.end - segment.start));
    const fitted = isOverfull
      ? widen(segment, missingSeconds, spokenUntil, inOrder[index + 1]?.start ?? segment.end, rules)
      : segment;
    spokenUntil = Math.max(spokenUntil, fitted.end);
    return { ...fitted, isOverfull };
  });
}

/** Returns how long the text of a segment takes to read at the maximum speed. */
function readSeconds({ text, label }: LabelledSegment, rules: SubtitleRules): number {
  const read = oneLine(label === undefined ? text : `${label} ${text}`);
  return columnsOf(read, rules.columnsPerWideCharacter) / rules.maxSpeed;
}

/** Moves the edges of a segment into the pauses around it, up to the times at which somebody else speaks. */
function widen(
  segment: LabelledSegment,
  missingSeconds: number,
  spokenUntil: number,
  spokenFrom: number,
  { closeGapsBelowMs }: SubtitleRules,
): LabelledSegment {
  const { text, extras: _wordsAndMarks, ...others } = segment;
  const pauseSeconds = closeGapsBelowMs / 1000;
  const start = segment.start;
  const end = Math.max(start, segment.end);
  const afterSeconds = Math.min(missingSeconds, Math.max(0, spokenFrom - pauseSeconds - end));
  const beforeSeconds = Math.min(
    missingSeconds - afterSeconds,
    Math.max(0, start - spokenUntil - pauseSeconds),
  );
  return { ...others, ...newSegment(start - beforeSeconds, end + afterSeconds, text) };
}
