import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Change, Draft, DraftSegment, RestoredSegments } from '../../../contract/transcript.ts';
import { moveEdges, shiftSegment } from '../segment.ts';
import { spanOf, type Span } from './compare.ts';
import { findRetiming, type Retiming } from './retiming.ts';

/**
 * Replaces segments by segments of the original with their original times, as far as the neighbours leave room: an edge
 * of a neighbour that touches them returns to its original time or moves along. If all times of the transcript were
 * changed, the original times are changed likewise. If times cannot be compared, the restored segments get those of the
 * replaced ones.
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
  const inserted = scaleTimes(restored, spanFor(draft, restoration)).map((segment) => ({
    ...segment,
    speaker: speakers.has(segment.id)
      ? (speakers.get(segment.id) ?? null)
      : (segment.speaker ?? removed[0]?.speaker ?? null),
  }));
  return [{ kind: 'splice', at: index, removed, inserted }, ...moveNeighbours(draft, restoration, inserted)];
}

/**
 * Moves the edges of neighbours that touched the replaced segments, or would overlap the restored ones: back to their
 * original times, so that restoring one segment after the other restores all, or else to the restored segments.
 */
function moveNeighbours(
  draft: Draft,
  { index, removed, original, retiming }: Restoration,
  inserted: readonly DraftSegment[],
): Change {
  if (removed.length === 0 || inserted.length === 0) return [];
  const [removedSpan, { start, end }] = [spanOf(removed), spanOf(inserted)];
  const [before, after] = [draft.segments[index - 1], draft.segments[index + removed.length]];
  /** Returns the current time of an original time; `otherwise` if the segment is new, or times cannot be compared. */
  const currentTime = (seconds: number | undefined, otherwise: number): number =>
    seconds === undefined || retiming === null ? otherwise : retiming(seconds);
  const pairs: { at: number; before: DraftSegment; after: DraftSegment }[] = [];
  if (
    before !== undefined &&
    before.end <= removedSpan.start &&
    (before.end === removedSpan.start || before.end > start)
  ) {
    const originalEnd = currentTime(original[before.id]?.end, start);
    const to = Math.min(Math.max(originalEnd, before.start), start);
    if (before.end !== to) pairs.push({ at: index - 1, before, after: moveEdges(before, before.start, to) });
  }
  if (
    after !== undefined &&
    after.start >= removedSpan.end &&
    (after.start === removedSpan.end || after.start < end)
  ) {
    const originalStart = currentTime(original[after.id]?.start, end);
    const to = Math.max(Math.min(originalStart, after.end), end);
    if (after.start !== to)
      pairs.push({ at: index + inserted.length, before: after, after: moveEdges(after, to, after.end) });
  }
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
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

/** Returns the time for restored segments: that of the segments they replace, or else in the gap that they fill. */
function spanFor(draft: Draft, restoration: Restoration): Span {
  const { index, removed, restored, original, durationSeconds } = restoration;
  const latestStart = draft.segments[index + removed.length]?.start ?? durationSeconds ?? Infinity;
  const [first] = removed;
  if (first !== undefined) {
    const originalSpan = retimedSpan(draft, restoration);
    if (originalSpan !== null) return originalSpan;
    const { start } = first;
    const { end } = spanOf(removed);
    return { start, end: Math.max(start, restored.length > 1 ? Math.min(end, latestStart) : end) };
  }
  const before = draft.segments[index - 1];
  // They are shifted like the segment before them.
  const shift = before === undefined ? 0 : before.start - (original[before.id]?.start ?? before.start);
  const earliest = before === undefined ? 0 : Math.min(Math.max(before.start, before.end), latestStart);
  const { start, end } = spanOf(restored);
  const from = Math.min(Math.max(start + shift, earliest), latestStart);
  return { start: from, end: Math.max(from, Math.min(end + shift, latestStart)) };
}

/**
 * Returns the retimed original time, as far as the neighbours leave room; `null` if they leave none, or it is unknown.
 */
function retimedSpan(
  draft: Draft,
  { index, removed, restored, durationSeconds, retiming }: Restoration,
): Span | null {
  if (retiming === null || restored.length === 0) return null;
  const [before, after, beyond] = [index - 1, index + removed.length, index + removed.length + 1].map(
    (at) => draft.segments[at],
  );
  const canMoveAfter = after !== undefined && after.start >= spanOf(removed).end;
  const { start, end } = spanOf(restored);
  const earliest = before?.start ?? 0;
  const latest = canMoveAfter
    ? Math.min(after.end, beyond?.start ?? Infinity)
    : (after?.start ?? durationSeconds ?? Infinity);
  if (latest < earliest) return null;
  const from = Math.min(Math.max(retiming(start), earliest), latest);
  return { start: from, end: Math.max(from, Math.min(retiming(end), latest)) };
}

/** Scales the times of segments to another range of time. */
function scaleTimes(segments: readonly DraftSegment[], { start, end }: Span): readonly DraftSegment[] {
  const originalSpan = spanOf(segments);
  const length = originalSpan.end - originalSpan.start;
  const timeOf = (time: number): number =>
    roundToMilliseconds(
      length === 0 ? start : start + ((time - originalSpan.start) / length) * (end - start),
    );
  return segments.map((segment) => shiftSegment(segment, timeOf(segment.start), timeOf(segment.end)));
}
