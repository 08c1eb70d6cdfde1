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
  const wanted = new Set(ids);
  const replaced = new Set(current);
  const restored = original.filter(({ id }) => wanted.has(id));
  const isElsewhere = draft.segments.some(({ id }) => wanted.has(id) && !replaced.has(id));
  const first = ids.length === 0 ? 0 : ids.reduce((least, id) => Math.min(least, id));
  const at = draft.segments.findIndex(({ id }) =>
    current.length > 0 ? id === current[0] : id > first && id < original.length,
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

interface Restoring {
  readonly index: number;
  readonly removed: readonly DraftSegment[];
  readonly restored: readonly DraftSegment[];
  readonly original: readonly DraftSegment[];
  readonly durationSeconds: number | null;
}

/** Returns the time that restored segments take: that of the segments before them, or a gap. */
function spanFor(draft: Draft, { index, removed, restored, original, durationSeconds }: Restoring): Span {
  const latestStart = draft.segments[index + removed.length]?.start ?? durationSeconds ?? Infinity;
  const [first] = removed;
  if (first !== undefined) {
    const { start } = first;
    const end = latestEnd(removed, start);
    return { start, end: Math.max(start, restored.length > 1 ? Math.min(end, latestStart) : end) };
  }
  const before = draft.segments[index - 1];
  const moved = before === undefined ? 0 : before.start - (original[before.id]?.start ?? before.start);
  const earliest = before === undefined ? 0 : Math.min(Math.max(before.start, before.end), latestStart);
  const { start, end } = spanOf(restored);
  const from = Math.min(Math.max(start + moved, earliest), latestStart);
  return { start: from, end: Math.max(from, Math.min(end + moved, latestStart)) };
}

const spanOf = (segments: readonly DraftSegment[]): Span => ({
  start: segments[0]?.start ?? 0,
  end: latestEnd(segments, segments[0]?.start ?? 0),
});

const latestEnd = (segments: readonly DraftSegment[], earliest: number): number =>
  segments.reduce((latest, { end }) => Math.max(latest, end), earliest);

/** Returns segments in another range of time, each with its share of it. */
function retimed(segments: readonly DraftSegment[], { start, end }: Span): readonly DraftSegment[] {
  const originalSpan = spanOf(segments);
  const length = originalSpan.end - originalSpan.start;
  const timeOf = (time: number): number =>
    roundToMilliseconds(
      length === 0 ? start : start + ((time - originalSpan.start) / length) * (end - start),
    );
  return segments.map((segment) => shiftSegment(segment, timeOf(segment.start), timeOf(segment.end)));
}
