import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../../electron/contract/transcript.ts';
import { segmentAt } from '../../../../electron/core/transcript/edit/draft.ts';
import { diffRange, mergeTexts, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { withText } from '../../../../electron/core/transcript/segment.ts';
import type { TypingRun } from './typing.ts';

/** An edit, and what has to be known to make it again of another draft. */
export interface MadeEdit {
  readonly operation: EditOperation;
  /** The text that it was made in; `null` where it is made in none. */
  readonly before: string | null;
  /** The segment that was typed in, as it was before; `null` for every other edit. */
  readonly was: DraftSegment | null;
  /** The numbers that it has given to segments. */
  readonly inserted: readonly SegmentId[];
}

/** An edit that was made of a draft, with what it has done. */
export const madeEdit = (draft: Draft, operation: EditOperation, change: Change): MadeEdit => ({
  operation,
  before: textOf(draft, operation),
  was: operation.kind === 'set-text' ? (segmentAt(draft, operation.segment)?.segment ?? null) : null,
  inserted: insertedBy(change).filter((id) => id >= draft.nextId),
});

/** The segments that a change puts in, by their numbers. */
export const insertedBy = (change: Change): readonly SegmentId[] =>
  change.flatMap((step) => (step.kind === 'splice' ? step.inserted.map(({ id }) => id) : []));

/** The text of a segment, or with `null` the one text of a transcript without times; `null` when it is not there. */
export const textIn = (draft: Draft, segment: SegmentId | null): string | null =>
  segment === null ? draft.text : (segmentAt(draft, segment)?.segment.text ?? null);

/** The text that an operation changes letters of; `null` for one that does something else. */
function textOf(draft: Draft, operation: EditOperation): string | null {
  if (operation.kind === 'edit-text') return draft.text;
  return operation.kind === 'set-text' || operation.kind === 'split'
    ? textIn(draft, operation.segment)
    : null;
}

/** The edit that makes of a draft what was typed; `null` when that is nothing. */
export function typed(draft: Draft, { segment, was, base, text, stored }: TypingRun): EditOperation | null {
  const present = textIn(draft, segment);
  if (present === null) return was === null || text === base ? null : keptOf(draft, was, base, text);
  const wanted = stored === null ? mergeTexts(base, text, present) : text;
  if (segment !== null) return { kind: 'set-text', segment, text: wanted };
  const difference = diffRange(present, wanted);
  return difference === null ? null : { kind: 'edit-text', ...difference };
}

/**
 * The edit that keeps what was typed in a segment that is no longer there: in the one that has its words now, as when
 * the two were joined, else by putting it back. `null` where nothing is left to keep.
 */
export function keptOf(draft: Draft, was: DraftSegment, base: string, text: string): EditOperation | null {
  const words = base.trim();
  const heir = draft.segments.find(
    (one) => words !== '' && one.start <= was.start && one.end >= was.end && one.text.includes(words),
  );
  if (heir !== undefined)
    return { kind: 'set-text', segment: heir.id, text: mergeTexts(base, text, heir.text) };
  const { start, end, speaker, extras } = withText(was, text);
  return text.trim() === '' ? null : { kind: 'put-back', start, end, text, speaker, extras };
}

/** An operation as it is for segments that have other numbers now; one that is no longer there has -1. */
export function renamed(operation: EditOperation, names: ReadonlyMap<SegmentId, SegmentId>): EditOperation {
  const now = (id: SegmentId): SegmentId => names.get(id) ?? id;
  const all = (ids: readonly SegmentId[]): readonly SegmentId[] => ids.map(now).filter((id) => id >= 0);
  switch (operation.kind) {
    case 'set-text':
    case 'split':
    case 'merge':
    case 'move-boundary':
      return { ...operation, segment: now(operation.segment) };
    case 'delete':
    case 'set-speaker':
      return { ...operation, segments: all(operation.segments) };
    case 'replace':
      return operation.segments === undefined
        ? operation
        : { ...operation, segments: all(operation.segments) };
    case 'insert':
      return operation.after === null ? operation : { ...operation, after: now(operation.after) };
    default:
      return operation;
  }
}

/** An edit as it is to be made of a draft that was changed elsewhere since; `null` when it cannot be. */
export function onTop(draft: Draft, { operation, before, was }: MadeEdit): EditOperation | null {
  // What it brings back came with it.
  if (operation.kind === 'restore') return null;
  if (before === null) return operation;
  const present = textOf(draft, operation);
  if (present === null) {
    return operation.kind === 'set-text' && was !== null ? keptOf(draft, was, before, operation.text) : null;
  }
  switch (operation.kind) {
    case 'set-text':
      return { ...operation, text: mergeTexts(before, operation.text, present) };
    case 'split':
      return { ...operation, offset: mapPosition(before, present, operation.offset) };
    case 'edit-text': {
      const { at, removed, inserted } = operation;
      const mine = before.slice(0, at) + inserted + before.slice(at + removed);
      const difference = diffRange(present, mergeTexts(before, mine, present));
      return difference === null
        ? { ...operation, removed: 0, inserted: '' }
        : { ...operation, ...difference };
    }
    default:
      return operation;
  }
}
