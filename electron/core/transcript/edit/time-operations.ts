import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import { shiftSegment, moveEdges } from '../segment.ts';
import { boundaryRange } from './boundary-range.ts';
import { findSegment } from './draft.ts';
import { latestTime, neighbourTimes, roundedTimes, timesRefusal } from './segment-times.ts';

type MoveBoundaryOperation = Extract<EditOperation, { kind: 'move-boundary' }>;

/**
 * Moves an edge of a segment within {@link boundaryRange}, together with the edge of a neighbour that it touches or
 * would cross.
 */
export function moveBoundary(
  draft: Draft,
  move: MoveBoundaryOperation,
  durationSeconds: number | null,
): Change {
  const range = boundaryRange(draft, move, durationSeconds);
  if (range === null) return [];
  const { segment, index, earliest, latest } = range;
  const to = Math.min(Math.max(roundToMilliseconds(move.toSeconds), earliest.atSeconds), latest.atSeconds);
  const [previous, next] = [draft.segments[index - 1], draft.segments[index + 1]];
  if (move.edge === 'start') {
    if (to === segment.start) return [];
    const movesPrevious = previous !== undefined && (previous.end > to || previous.end === segment.start);
    return replaceSegments([
      ...(movesPrevious ? [pair(index - 1, previous, { end: to })] : []),
      pair(index, segment, { start: to }),
    ]);
  }
  if (to === segment.end) return [];
  const movesNext = next !== undefined && (next.start < to || next.start === segment.end);
  return replaceSegments([
    pair(index, segment, { end: to }),
    ...(movesNext ? [pair(index + 1, next, { start: to })] : []),
  ]);
}

type Times = Partial<Pick<DraftSegment, 'start' | 'end'>>;
type Pair = Extract<Change[number], { kind: 'replace' }>['pairs'][number];

const pair = (at: number, before: DraftSegment, { start = before.start, end = before.end }: Times): Pair => ({
  at,
  before,
  after: moveEdges(before, start, end),
});

const replaceSegments = (pairs: readonly Pair[]): Change => [{ kind: 'replace', pairs }];

type SetTimesOperation = Extract<EditOperation, { kind: 'set-times' }>;

/**
 * Sets both times of a segment, together with the edges of neighbours that it would overlap. If only one time
 * changes, the words keep their times in the recording; if both change, the words move along.
 * Nothing changes if {@link timesRefusal} has a reason.
 */
export function setTimes(draft: Draft, operation: SetTimesOperation, durationSeconds: number | null): Change {
  const found = findSegment(draft, operation.segment);
  if (found === null || timesRefusal(draft, operation, durationSeconds) !== null) return [];
  const { segment, index } = found;
  const { start, end } = roundedTimes(segment, operation);
  const [hasNewStart, hasNewEnd] = [start !== segment.start, end !== segment.end];
  if (!hasNewStart && !hasNewEnd) return [];
  const { previous, next } = neighbourTimes(draft, operation);
  const withTimes = hasNewStart && hasNewEnd ? shiftSegment : moveEdges;
  return replaceSegments([
    ...(previous === null ? [] : [pair(index - 1, previous.segment, { end: previous.toSeconds })]),
    { at: index, before: segment, after: withTimes(segment, start, end) },
    ...(next === null ? [] : [pair(index + 1, next.segment, { start: next.toSeconds })]),
  ]);
}

/** By how many seconds scaled times can be shifted; negative is earlier. */
export interface ShiftRange {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Returns by how much all times can be shifted without one leaving the recording; a transcript that already ends after
 * it may keep its end. `earliest` is greater than `latest` if the scaled transcript is longer than the recording.
 */
export function shiftRange(
  { segments }: Pick<Draft, 'segments'>,
  factor: number,
  durationSeconds: number | null,
): ShiftRange {
  const { first, last } = timeSpan(segments);
  const end = Math.max(latestTime(durationSeconds), last);
  return {
    earliest: -roundToMilliseconds(first * factor),
    latest: roundToMilliseconds(end - roundToMilliseconds(last * factor)),
  };
}

function timeSpan(segments: readonly DraftSegment[]): { readonly first: number; readonly last: number } {
  let [first, last] = [Infinity, 0];
  for (const { start, end } of segments) {
    first = Math.min(first, start, end);
    last = Math.max(last, start, end);
  }
  return { first, last };
}

/**
 * Changes all times. Nothing changes outside of {@link shiftRange}, because times that are cut off at an end of the
 * recording could not be shifted back. Notes, which need not be at a segment, are cut off.
 */
export function retime(
  draft: Draft,
  factor: number,
  offsetSeconds: number,
  durationSeconds: number | null,
): Change {
  const range = shiftRange(draft, factor, durationSeconds);
  const offset = roundToMilliseconds(offsetSeconds);
  if (offset < range.earliest || offset > range.latest) return [];
  const latest = Math.max(latestTime(durationSeconds), timeSpan(draft.segments).last);
  const retimeOne = (time: number): number =>
    Math.min(Math.max(roundToMilliseconds(time * factor + offset), 0), latest);
  const before = draft.segments.flatMap(({ start, end }) => [start, end]);
  const after = before.map(retimeOne);
  if (after.every((time, at) => time === before[at])) return [];
  const notes = draft.notes.map((note) => ({ ...note, atSeconds: retimeOne(note.atSeconds) }));
  return [
    { kind: 'times', before, after },
    ...(notes.length > 0 ? [{ kind: 'notes' as const, before: draft.notes, after: notes }] : []),
  ];
}
