import type { SegmentId } from '../../../contract/model/identifiers.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/model/transcript.ts';
import { roundTime, segmentAt } from './draft.ts';
import { plainText } from './text-operations.ts';

/** Length in seconds of a new segment where there is room for it. */
const insertedSeconds = 2;

type Insertion = Extract<EditOperation, { kind: 'insert' }>;
type Move = Extract<EditOperation, { kind: 'move-boundary' }>;

/**
 * Moves an edge of a segment as far as its neighbours allow: nothing gets a negative length, and no segment starts
 * before the one before it.
 */
export function moveBoundary(
  draft: Draft,
  { segment: id, edge, toSeconds }: Move,
  durationSeconds: number | null,
): Change {
  const found = segmentAt(draft, id);
  if (found === null) return [];
  const { segment, index } = found;
  const [before, after, beyond] = [index - 1, index + 1, index + 2].map((at) => draft.segments[at]);
  if (edge === 'start') {
    const to = within(toSeconds, before?.start ?? 0, Math.min(segment.end, after?.start ?? Infinity));
    if (to === null || to === segment.start) return [];
    const moves = before !== undefined && (before.end > to || before.end === segment.start);
    return replaced([
      ...(moves ? [pair(index - 1, before, { end: to })] : []),
      pair(index, segment, { start: to }),
    ]);
  }
  const latest = Math.min(after?.end ?? Infinity, beyond?.start ?? Infinity, durationSeconds ?? Infinity);
  const to = within(toSeconds, segment.start, latest);
  if (to === null || to === segment.end) return [];
  const moves = after !== undefined && (after.start < to || after.start === segment.end);
  return replaced([
    pair(index, segment, { end: to }),
    ...(moves ? [pair(index + 1, after, { start: to })] : []),
  ]);
}

type Pair = Extract<Change[number], { kind: 'replace' }>['pairs'][number];

const pair = (at: number, before: DraftSegment, patch: Partial<DraftSegment>): Pair => ({
  at,
  before,
  after: { ...before, ...patch },
});

const replaced = (pairs: readonly Pair[]): Change => [{ kind: 'replace', pairs }];

/** `value` within bounds; `null` where these leave no room, as between segments that came out of order. */
function within(value: number, lowest: number, highest: number): number | null {
  return lowest > highest ? null : Math.min(Math.max(roundTime(value), lowest), highest);
}

/** A new segment in the gap after another one. Without a gap it has no length until its edges are moved. */
export function insert(
  draft: Draft,
  { after, text, fillsGap }: Insertion,
  durationSeconds: number | null,
): Change {
  // A text without times stays one.
  if (draft.text !== null) return [];
  const found = after === null ? null : segmentAt(draft, after);
  if (after !== null && found === null) return [];
  const at = found === null ? 0 : found.index + 1;
  const next = draft.segments[at];
  const latest = next?.start ?? Math.max(durationSeconds ?? Infinity, found?.segment.start ?? 0);
  const start = Math.min(found === null ? 0 : Math.max(found.segment.start, found.segment.end), latest);
  const wanted = fillsGap && next !== undefined ? latest : start + insertedSeconds;
  const end = Math.max(start, Math.min(wanted, latest));
  const inserted = {
    id: draft.nextId,
    start,
    end,
    text: plainText(text),
    speaker: found?.segment.speaker ?? null,
  };
  return [{ kind: 'splice', at, removed: [], inserted: [inserted] }];
}

export function remove(draft: Draft, ids: readonly SegmentId[]): Change {
  const gone = new Set(ids);
  // From the end, so that the places before stay the same.
  return draft.segments
    .flatMap((segment, at) =>
      gone.has(segment.id) ? [{ kind: 'splice' as const, at, removed: [segment], inserted: [] }] : [],
    )
    .toReversed();
}

/** Moves all times, those of notes as well; none leaves the recording. */
export function retime(
  draft: Draft,
  factor: number,
  offsetSeconds: number,
  durationSeconds: number | null,
): Change {
  const moved = (time: number): number =>
    Math.min(Math.max(roundTime(time * factor + offsetSeconds), 0), durationSeconds ?? Infinity);
  const before = draft.segments.flatMap(({ start, end }) => [start, end]);
  const after = before.map(moved);
  if (after.every((time, at) => time === before[at])) return [];
  const notes = draft.notes.map((note) => ({ ...note, atSeconds: moved(note.atSeconds) }));
  return [
    { kind: 'times', before, after },
    ...(notes.length > 0 ? [{ kind: 'notes' as const, before: draft.notes, after: notes }] : []),
  ];
}
