import type { Segment } from '../../../contract/model/library.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/model/transcript.ts';
import { addNote, changeNote, nameSpeaker, removeNote, setSpeaker } from './remark-operations.ts';
import { merge, replaceAll, setText, split } from './text-operations.ts';
import { insert, moveBoundary, remove, retime } from './time-operations.ts';

/** What of a transcript an edit has to know beside the draft. */
export interface EditContext {
  readonly durationSeconds: number | null;
  /** The segments as they came from the service. */
  readonly original: () => readonly Segment[];
}

/**
 * What an operation does to a draft; empty when it does nothing. It follows from the arguments alone: the window shows
 * it at once and the main process, which stores it, comes to the same.
 */
export function changeOf(draft: Draft, operation: EditOperation, context: EditContext): Change {
  switch (operation.kind) {
    case 'set-text':
      return setText(draft, operation.segment, operation.text);
    case 'split':
      return split(draft, operation.segment, operation.offset, operation.atSeconds);
    case 'merge':
      return merge(draft, operation.segment);
    case 'move-boundary':
      return moveBoundary(draft, operation, context.durationSeconds);
    case 'insert':
      return insert(draft, operation.after, operation.text, context.durationSeconds);
    case 'delete':
      return remove(draft, operation.segments);
    case 'retime':
      return retime(draft, operation.factor, operation.offsetSeconds, context.durationSeconds);
    case 'set-speaker':
      return setSpeaker(draft, operation.segments, operation.speaker);
    case 'name-speaker':
      return nameSpeaker(draft, operation.speaker, operation.name);
    case 'replace':
      return replaceAll(draft, operation.query, operation.replacement);
    case 'add-note':
      return addNote(draft, operation.atSeconds, operation.text);
    case 'change-note':
      return changeNote(draft, operation.note, operation.text);
    case 'remove-note':
      return removeNote(draft, operation.note);
    case 'restore':
      return restore(draft, draftOf(context.original()).segments);
  }
}

/** A transcript that nobody has edited. */
export const draftOf = (segments: readonly Segment[]): Draft => ({
  segments: segments.map(({ start, end, text }, id) => ({ id, start, end, text, speaker: null })),
  speakers: [],
  notes: [],
  nextId: segments.length,
});

/** The original segments in the place of all; a speaker stays with a segment that is still there. */
function restore(draft: Draft, original: readonly DraftSegment[]): Change {
  const speakers = new Map(draft.segments.map(({ id, speaker }) => [id, speaker]));
  const inserted = original.map((segment) => ({ ...segment, speaker: speakers.get(segment.id) ?? null }));
  return [{ kind: 'splice', at: 0, removed: draft.segments, inserted }];
}
