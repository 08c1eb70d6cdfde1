import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { Change, Draft, DraftSegment, RestoredSegments } from '../../../contract/transcript.ts';
import { shiftSegment } from '../segment.ts';

/**
 * Replaces segments by segments of the original, which get the time span of the replaced ones, so that moved segments
 * stay where they are. Does nothing if the draft has changed since the comparison: the replaced segments must be adjacent,
 * and the original ones absent.
 *
 * @param original the draft of the unedited transcript
 */
export function restoreSegments(
  draft: Draft,
  original: readonly DraftSegment[],
  { current, original: ids }: RestoredSegments,
  durationSeconds: number | null,
): Change {
  const restoredIds = new Set(ids);
  const replacedIds = new Set(current);
  const restored = original.filter(({ id }) => restoredIds.has(id));
  const isElsewhere = draft.segments.some(({ id }) => restoredIds.has(id) && !replacedIds.has(id));
  const firstId = ids.length === 0 ? 0 : ids.reduce((least, id) => Math.min(least, id));
  // Deleted segments go before the first one that follows them in the original, whose IDs are its indexes.
  const at = draft.segments.findIndex(({ id }) =>
    current.length > 0 ? id === current[0] : id > firstId && id < original.length,
  );
  const index = at < 0 ? draft.segments.length : at;
  const removed = draft.segments.slice(index, index + current.length);
  const isAdjacent = current.every((id, position) => removed[position]?.id === id);
  if (draft.text !== null || isElsewhere || !isAdjacent || restored.length + removed.length === 0) return [];
  const speakers = new Map(removed.map(({ id, speaker }) => [id, speaker]));
  const span = spanFor(draft, { index, removed, restored, original, durationSeconds });
  const inserted = retimed(restored, span).map((segment) => ({
    ...segment,
    speaker: speakers.get(segment.id) ?? segment.speaker ?? removed[0]?.speaker ?? null,
  }));
  return [{ kind: 'splice', at: index, removed, inserted }];
}

/** A range of time, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Restoration {
  readonly index: number;
  readonly removed: readonly DraftSegment[];
  readonly restored: readonly DraftSegment[];
  readonly original: readonly DraftSegment[];
  readonly durationSeconds: number | null;
}

/** Returns the time of restored segments: that of the segments that they replace, or of the gap that they are in. */
function spanFor(draft: Draft, { index, removed, restored, original, durationSeconds }: Restoration): Span {
  const latestStart = draft.segments[index + removed.length]?.start ?? durationSeconds ?? Infinity;
  const [first] = removed;
  if (first !== undefined) {
    const { start } = first;
    const end = latestEnd(removed, start);
    return { start, end: Math.max(start, restored.length > 1 ? Math.min(end, latestStart) : end) };
  }
  const before = draft.segments[index - 1];
  // As far as the segment before them was moved.
  const shift = before === undefined ? 0 : before.start - (original[before.id]?.start ?? before.start);
  const earliest = before === undefined ? 0 : Math.min(Math.max(before.start, before.end), latestStart);
  const { start, end } = spanOf(restored);
  const from = Math.min(Math.max(start + shift, earliest), latestStart);
  return { start: from, end: Math.max(from, Math.min(end + shift, latestStart)) };
}

const spanOf = (segments: readonly DraftSegment[]): Span => ({
  start: segments[0]?.start ?? 0,
  end: latestEnd(segments, segments[0]?.start ?? 0),
});

const latestEnd = (segments: readonly DraftSegment[], earliest: number): number =>
  segments.reduce((latest, { end }) => Math.max(latest, end), earliest);

/** Scales the times of segments to another range of time. */
function retimed(segments: readonly DraftSegment[], { start, end }: Span): readonly DraftSegment[] {
  const originalSpan = spanOf(segments);
  const length = originalSpan.end - originalSpan.start;
  const timeOf = (time: number): number =>
    roundToMilliseconds(
      length === 0 ? start : start + ((time - originalSpan.start) / length) * (end - start),
    );
  return segments.map((segment) => shiftSegment(segment, timeOf(segment.start), timeOf(segment.end)));
}
