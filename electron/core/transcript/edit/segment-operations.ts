import { maxSegmentTextLength } from '../../../contract/limits.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import { mergeSegments, moveEdges, newSegment, splitSegment, timeAtOffset, withText } from '../segment.ts';
import { findSegment } from './draft.ts';
import { hasMinDuration, latestTime, minDurationOf, splitRange } from './segment-times.ts';
import { replaceControls } from '../plain-text.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The duration of a new segment if there is room for it. */
const insertedSeconds = 2;

type InsertOperation = Extract<EditOperation, { kind: 'insert' }>;
type PutBackOperation = Extract<EditOperation, { kind: 'put-back' }>;

/**
 * Inserts a segment into the gap after another one. If the gap is too short, the longer neighbour is shortened by at most
 * half. If that still leaves less than the minimum duration, nothing is inserted: such a short segment would not be shown.
 */
export function insert(
  draft: Draft,
  { after, text, fillsGap }: InsertOperation,
  durationSeconds: number | null,
): Change {
  // A text without times gets no segments.
  if (draft.text !== null) return [];
  const found = after === null ? null : findSegment(draft, after);
  if (after !== null && found === null) return [];
  const at = found === null ? 0 : found.index + 1;
  const next = draft.segments[at];
  const latest = next?.start ?? Math.max(latestTime(durationSeconds), found?.segment.start ?? 0);
  const start = Math.min(found === null ? 0 : Math.max(found.segment.start, found.segment.end), latest);
  const preferredEnd = fillsGap && next !== undefined ? latest : start + insertedSeconds;
  const end = Math.min(preferredEnd, latest);
  const room = hasMinDuration(start, end) ? { start, end, shortened: null } : roomBetween(draft, at, start);
  if (room === null) return [];
  const inserted = {
    ...newSegment(room.start, room.end, replaceControls(text)),
    id: draft.nextId,
    speaker: found?.segment.speaker ?? null,
  };
  return [
    { kind: 'splice', at, removed: [], inserted: [inserted] },
    ...(room.shortened === null ? [] : [{ kind: 'replace' as const, pairs: [room.shortened] }]),
  ];
}

/**
 * Makes room for a segment between adjacent neighbours: returns its times and the neighbour that is shortened for it;
 * `null` if neither is long enough.
 *
 * @param at the index of the inserted segment
 * @param boundary where the neighbours meet, in seconds
 */
function roomBetween(draft: Draft, at: number, boundary: number) {
  const [before, after, beyond] = [at - 1, at, at + 1].map((index) => draft.segments[index]);
  const roomBefore = before === undefined ? 0 : boundary - before.start;
  const roomAfter = after === undefined ? 0 : Math.min(after.end, beyond?.start ?? Infinity) - boundary;
  const seconds = roundToMilliseconds(Math.min(insertedSeconds, Math.max(roomBefore, roomAfter) / 2));
  if (before !== undefined && roomBefore >= roomAfter) {
    const start = roundToMilliseconds(boundary - seconds);
    if (!hasMinDuration(before.start, start) || !hasMinDuration(start, boundary)) return null;
    const shortened = { at: at - 1, before, after: moveEdges(before, before.start, start) };
    return { start, end: boundary, shortened };
  }
  const end = roundToMilliseconds(boundary + seconds);
  if (after === undefined || !hasMinDuration(boundary, end) || !hasMinDuration(end, after.end)) return null;
  return {
    start: boundary,
    end,
    shortened: { at: at + 1, before: after, after: moveEdges(after, end, after.end) },
  };
}

/** A removal of more runs of segments than this becomes one splice, because each splice copies the draft. */
export const maxSplices = 100;

/** Removes segments. */
export function remove(draft: Draft, ids: readonly SegmentId[]): Change {
  const removedIds = new Set(ids);
  const runs: { readonly at: number; readonly removed: DraftSegment[] }[] = [];
  for (const [at, segment] of draft.segments.entries()) {
    if (!removedIds.has(segment.id)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.at + run.removed.length === at) run.removed.push(segment);
    else runs.push({ at, removed: [segment] });
  }
  const [first, last] = [runs[0], runs.at(-1)];
  if (first !== undefined && last !== undefined && runs.length > maxSplices) {
    const removed = draft.segments.slice(first.at, last.at + last.removed.length);
    const inserted = removed.filter(({ id }) => !removedIds.has(id));
    return [{ kind: 'splice', at: first.at, removed, inserted }];
  }
  // From the end, so that the earlier indexes stay valid.
  return runs.toReversed().map((run) => ({ kind: 'splice', ...run, inserted: [] }));
}

/**
 * Inserts a segment that was deleted elsewhere while the user typed in it, by its start. It is cut at the end of the
 * recording, but may overlap others.
 */
export function putBack(draft: Draft, segment: PutBackOperation, durationSeconds: number | null): Change {
  if (draft.text !== null) return [];
  const maxSeconds = latestTime(durationSeconds);
  const needed = Math.min(maxSeconds, minDurationOf(segment));
  const start = Math.min(
    Math.max(0, roundToMilliseconds(segment.start)),
    roundToMilliseconds(maxSeconds - needed),
  );
  const next = draft.segments.findIndex((other) => other.start > start);
  const at = next < 0 ? draft.segments.length : next;
  const end = Math.min(
    Math.max(roundToMilliseconds(start + needed), roundToMilliseconds(segment.end)),
    maxSeconds,
  );
  const deleted = newSegment(segment.start, segment.end, segment.text, segment.extras);
  const inserted = {
    ...moveEdges(withText(deleted, replaceControls(segment.text)), start, end),
    id: draft.nextId,
    speaker: segment.speaker,
  };
  return [{ kind: 'splice', at, removed: [], inserted: [inserted] }];
}

/**
 * Splits a segment in two, at a grapheme boundary; both halves have text and the minimum duration. A segment that is too
 * short for that is split in its middle.
 *
 * @param atSeconds The time of the split; `null` estimates it from the letters.
 */
export function split(draft: Draft, id: SegmentId, offset: number, atSeconds: number | null): Change {
  const found = findSegment(draft, id);
  if (found === null) return [];
  const { segment, index } = found;
  const { text } = segment;
  const edge = graphemes.segment(text).containing(Math.max(0, offset))?.index ?? text.length;
  if (text.slice(0, edge).trim() === '' || text.slice(edge).trim() === '') return [];
  const { earliest, latest } = splitRange(segment);
  const time = Math.min(
    Math.max(roundToMilliseconds(atSeconds ?? timeAtOffset(segment, edge)), earliest),
    latest,
    latestPartStart(draft, index),
  );
  const [first, second] = splitSegment(segment, edge, time);
  const inserted = [first, { ...second, id: draft.nextId }];
  return [{ kind: 'splice', at: index, removed: [segment], inserted }];
}

/** Returns the latest start for a part of the segment at `index`: the start of the next one. */
const latestPartStart = (draft: Draft, index: number): number =>
  Math.max(draft.segments[index + 1]?.start ?? Infinity, draft.segments[index]?.start ?? 0);

type MergeOperation = Omit<Extract<EditOperation, { kind: 'merge' }>, 'kind'>;

/** Merges adjacent segments, unless their text would be too long. */
export function merge(draft: Draft, { segment: id, through }: MergeOperation): Change {
  const found = findSegment(draft, id);
  if (found === null) return [];
  const { index } = found;
  const last = through === undefined ? index + 1 : (findSegment(draft, through)?.index ?? -1);
  const removed = draft.segments.slice(index, last + 1);
  const length = removed.reduce((sum, { text }) => sum + text.trim().length, 0);
  const [first, ...rest] = removed;
  if (first === undefined || rest.length === 0 || length > maxSegmentTextLength) return [];
  const merged = mergeAll(first, rest);
  if (merged.text.length > maxSegmentTextLength) return [];
  return [{ kind: 'splice', at: index, removed, inserted: [merged] }];
}

/** Merges a segment with those after it, half by half: from one end, each merge would repack all the words so far. */
function mergeAll(first: DraftSegment, rest: readonly DraftSegment[]): DraftSegment {
  const middle = rest.length >> 1;
  const second = rest[middle];
  if (second === undefined) return first;
  const [left, right] = [mergeAll(first, rest.slice(0, middle)), mergeAll(second, rest.slice(middle + 1))];
  return { ...mergeSegments(left, right), speaker: left.speaker ?? right.speaker };
}
