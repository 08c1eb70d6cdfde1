import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Change, Draft, DraftSegment, RestoredSegments } from '../../../contract/transcript.ts';
import { highlightsInPlaceOf } from '../highlights.ts';
import { moveEdges, shiftSegment, withHighlight } from '../segment.ts';
import { spanOf, type Span } from './compare.ts';
import { findRetiming, type Retiming } from './retiming.ts';
import { earliestEnd, latestStart, latestTime, minDurationOf } from './segment-times.ts';

/**
 * Replaces segments with segments of the original with their original times, as far as the neighbours leave room: an edge
 * of a neighbour that touches or would overlap them returns to its original time or moves along. All keep the minimum
 * duration; without room for that, they overlap. If all times of the transcript were changed, the original times are
 * changed likewise. If times cannot be compared, the restored segments get those of the replaced ones.
 *
 * Does nothing if the draft has changed since the comparison: the replaced segments must be adjacent, and the original
 * ones absent.
 *
 * @param original the draft of the unedited transcript
 */
export function restoreSegments(
  draft: Draft,
  original: readonly DraftSegment[],
  { current, original: ids, speakers: given = [] }: RestoredSegments,
  durationSeconds: number | null,
): Change {
  const restoredIds = new Set(ids);
  const replacedIds = new Set(current);
  const restored = original.filter(({ id }) => restoredIds.has(id));
  const isElsewhere = draft.segments.some(({ id }) => restoredIds.has(id) && !replacedIds.has(id));
  const firstId = ids.length === 0 ? 0 : ids.reduce((least, id) => Math.min(least, id));
  // Deleted segments go before the first segment that follows them in the original, where IDs are indexes.
  const at = draft.segments.findIndex(({ id }) =>
    current.length > 0 ? id === current[0] : id > firstId && id < original.length,
  );
  const index = at < 0 ? draft.segments.length : at;
  const removed = draft.segments.slice(index, index + current.length);
  const isAdjacent = current.every((id, position) => removed[position]?.id === id);
  if (draft.text !== null || isElsewhere || !isAdjacent || restored.length + removed.length === 0) return [];
  const speakers = new Map([
    ...removed.map(({ id, speaker }) => [id, speaker] as const),
    ...given.map(({ segment, speaker }) => [segment, speaker] as const),
  ]);
  const retiming = findRetiming(draft.segments, original, durationSeconds);
  const restoration = { index, removed, restored, original, durationSeconds, retiming };
  const highlights = highlightsInPlaceOf(
    removed,
    restored.map(({ text }) => text),
  );
  const inserted = timesWithin(restored, roomFor(draft, restoration)).map((segment, position) => ({
    ...withHighlight(segment, highlights[position]),
    speaker: speakers.has(segment.id)
      ? (speakers.get(segment.id) ?? null)
      : (segment.speaker ?? removed[0]?.speaker ?? null),
  }));
  return [{ kind: 'splice', at: index, removed, inserted }, ...moveNeighbours(draft, restoration, inserted)];
}

interface Restoration {
  readonly index: number;
  readonly removed: readonly DraftSegment[];
  readonly restored: readonly DraftSegment[];
  readonly original: readonly DraftSegment[];
  readonly durationSeconds: number | null;
  /** `null` if times cannot be compared. */
  readonly retiming: Retiming | null;
}

/** The segments before and after restored ones; `undefined` if there is none whose edge may move. */
interface MovableNeighbours {
  readonly before: DraftSegment | undefined;
  readonly after: DraftSegment | undefined;
}

/**
 * Returns the neighbours that do not overlap the replaced segments. If none are replaced, since the restored segments
 * had been deleted, returns the neighbours whose original times do not overlap those of the restored segments.
 */
function movableNeighbours(draft: Draft, restoration: Restoration): MovableNeighbours {
  const { index, removed, restored, original } = restoration;
  const [before, after] = [draft.segments[index - 1], draft.segments[index + removed.length]];
  if (removed.length > 0) {
    const { start, end } = spanOf(removed);
    return {
      before: before !== undefined && before.end <= start ? before : undefined,
      after: after !== undefined && after.start >= end ? after : undefined,
    };
  }
  const { start, end } = spanOf(restored);
  const overlapsBefore = (original[before?.id ?? -1]?.end ?? 0) > start;
  const overlapsAfter = (original[after?.id ?? -1]?.start ?? Infinity) < end;
  return { before: overlapsBefore ? undefined : before, after: overlapsAfter ? undefined : after };
}

/**
 * Moves the edges of neighbours that touched the replaced segments, or would overlap the restored ones: back to their
 * original times, so that restoring one segment after the other restores all, or else to the restored segments.
 */
function moveNeighbours(draft: Draft, restoration: Restoration, inserted: readonly DraftSegment[]): Change {
  const { index, removed, original, retiming } = restoration;
  if (inserted.length === 0) return [];
  const { start, end: insertedEnd } = spanOf(inserted);
  const { before, after } = movableNeighbours(draft, restoration);
  const beyond = draft.segments[index + removed.length + 1];
  const removedSpan = removed.length === 0 ? null : spanOf(removed);
  /** Returns the current time of an original time; `otherwise` if the segment is new, or times cannot be compared. */
  const currentTime = (seconds: number | undefined, otherwise: number): number =>
    seconds === undefined || retiming === null ? otherwise : retiming(seconds);
  const pairs: { at: number; before: DraftSegment; after: DraftSegment }[] = [];
  if (before !== undefined && (before.end === removedSpan?.start || before.end > start)) {
    // A merged segment has the text of later ones too, so its original end is not that of its text.
    const end = mayBeMerged(draft, before, restoration)
      ? before.end
      : currentTime(original[before.id]?.end, start);
    const to = Math.max(Math.min(end, start), earliestEnd(before));
    if (before.end !== to) pairs.push({ at: index - 1, before, after: moveEdges(before, before.start, to) });
  }
  if (after !== undefined && (after.start === removedSpan?.end || after.start < insertedEnd)) {
    // It may overlap the restored ones rather than start after the segment that follows it.
    const latest = Math.min(latestStart(after), beyond?.start ?? Infinity);
    const to = Math.min(Math.max(currentTime(original[after.id]?.start, insertedEnd), insertedEnd), latest);
    if (after.start !== to)
      pairs.push({ at: index + inserted.length, before: after, after: moveEdges(after, to, after.end) });
  }
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
}

/** Whether an original segment between this one and the restored ones is missing: merged with this one, or deleted. */
function mayBeMerged(
  { segments }: Draft,
  { id }: DraftSegment,
  { restored, original }: Restoration,
): boolean {
  const ids = new Set(segments.map((segment) => segment.id));
  const nextId = restored[0]?.id ?? original.length;
  return original.some((segment) => segment.id > id && segment.id < nextId && !ids.has(segment.id));
}

/** Where restored segments go, in seconds. */
interface Room extends Span {
  /** The latest start of one of them: no later segment starts earlier. */
  readonly latestStart: number;
}

/** Returns the time that restored segments should have, as far as the neighbours leave room. */
function roomFor(draft: Draft, restoration: Restoration): Room {
  const { index, removed, restored, durationSeconds } = restoration;
  const [before, after, beyond] = [index - 1, index + removed.length, index + removed.length + 1].map(
    (at) => draft.segments[at],
  );
  const movable = movableNeighbours(draft, restoration);
  const maxSeconds = Math.max(latestTime(durationSeconds), spanOf(removed).end);
  const needed = restored.reduce((sum, segment) => sum + minDurationOf(segment), 0);
  const wanted = wantedSpan(draft, restoration);
  /**
   * Whether a neighbour was inserted in the place of deleted segments: it keeps its time if there is room, and
   * otherwise gives up at most half of it.
   */
  const isNew = ({ id }: DraftSegment): boolean =>
    removed.length === 0 && restoration.original[id] === undefined;
  const earliestBeside = (one: DraftSegment): number => {
    if (!isNew(one)) return earliestEnd(one);
    return wanted.end - one.end >= needed ? one.end : Math.max(earliestEnd(one), middleOf(one));
  };
  const latestBeside = (one: DraftSegment): number => {
    if (!isNew(one)) return latestStart(one);
    return one.start - wanted.start >= needed ? one.start : Math.min(latestStart(one), middleOf(one));
  };
  const earliest = movable.before === undefined ? (before?.start ?? 0) : earliestBeside(movable.before);
  const latestOfAll =
    movable.after === undefined
      ? (after?.start ?? maxSeconds)
      : Math.min(latestBeside(movable.after), beyond?.start ?? Infinity);
  // A single segment may overlap a neighbour that stays; several would have to start in another order.
  const latest = movable.after === undefined && restored.length < 2 ? maxSeconds : latestOfAll;
  const clamped = Math.max(earliest, Math.min(wanted.start, roundToMilliseconds(latest - needed)));
  const lastStart = Math.min(latestOfAll, roundToMilliseconds(maxSeconds - needed));
  const start = Math.max(before?.start ?? 0, Math.min(clamped, lastStart));
  const end = Math.max(roundToMilliseconds(start + needed), Math.min(wanted.end, latest));
  return { start, end: Math.max(start, Math.min(end, maxSeconds)), latestStart: latestOfAll };
}

const middleOf = ({ start, end }: Span): number => roundToMilliseconds((start + end) / 2);

/** Returns the retimed original time of restored segments; if it is unknown, that of the segments they replace. */
function wantedSpan(draft: Draft, { index, removed, restored, original, retiming }: Restoration): Span {
  if (restored.length === 0) return spanOf(removed);
  const { start, end } = spanOf(restored);
  if (retiming !== null) return { start: retiming(start), end: retiming(end) };
  if (removed.length > 0) return spanOf(removed);
  // They are shifted like the segment before them, and follow it.
  const before = draft.segments[index - 1];
  const shift = before === undefined ? 0 : before.start - (original[before.id]?.start ?? before.start);
  return { start: Math.max(start + shift, before?.end ?? 0), end: end + shift };
}

/**
 * Scales the times of segments to another range of time; if one became shorter than the minimum, all get equal parts.
 */
function timesWithin(segments: readonly DraftSegment[], room: Room): readonly DraftSegment[] {
  const { start, end } = room;
  const originalSpan = spanOf(segments);
  const length = originalSpan.end - originalSpan.start;
  const timeOf = (time: number): number =>
    roundToMilliseconds(
      length === 0 ? start : start + ((time - originalSpan.start) / length) * (end - start),
    );
  const scaled = segments.map((segment) =>
    shiftSegment(segment, Math.min(timeOf(segment.start), room.latestStart), timeOf(segment.end)),
  );
  const isTooShort = (segment: DraftSegment, index: number): boolean => {
    const original = segments[index];
    return (
      original !== undefined &&
      roundToMilliseconds(segment.end - segment.start) < roundToMilliseconds(minDurationOf(original))
    );
  };
  if (segments.length < 2 || !scaled.some(isTooShort)) return scaled;
  const part = (Math.max(start, Math.min(end, room.latestStart)) - start) / segments.length;
  return segments.map((segment, index) => {
    const from = roundToMilliseconds(start + part * index);
    const to = roundToMilliseconds(Math.max(start + part * (index + 1), from + minDurationOf(segment)));
    return shiftSegment(segment, from, Math.min(to, Math.max(from, end)));
  });
}
