import type { Segment } from '../../../contract/segment-schema.ts';
import type {
  Change,
  Draft,
  DraftSegment,
  StoredOperation,
  OriginalTranscript,
} from '../../../contract/transcript.ts';
import { highlightAfter } from '../highlights.ts';
import { withHighlight, withNoSpeaker, withSpeakerConfidence } from '../segment.ts';
import { applyChange } from './change.ts';
import { editText, textChange } from './text-diff.ts';
import {
  addNote,
  changeNote,
  highlightWords,
  nameSpeakers,
  removeNote,
  replaceInNames,
  setHighlight,
  setSpeaker,
} from './annotation-operations.ts';
import { assignIdentified } from './identified-speakers.ts';
import { insert, merge, putBack, remove, split } from './segment-operations.ts';
import { acceptWords, replaceAll, respell, setText, setTexts } from './text-operations.ts';
import { restoreSegments } from './restore-operations.ts';
import { moveBoundary, retime, setTimes } from './time-operations.ts';
import { moveWord } from './move-word.ts';

/** What an edit needs to know in addition to the draft. */
export interface EditContext {
  readonly durationSeconds: number | null;
  readonly original: () => OriginalTranscript;
}

/**
 * Returns the change that an operation makes to a draft; empty if none. It depends on the arguments only: the window
 * shows it at once, and the main process, which stores it, gets the same result.
 */
export function changeOf(draft: Draft, operation: StoredOperation, context: EditContext): Change {
  switch (operation.kind) {
    case 'set-text':
      return setText(draft, operation.segment, operation.text);
    case 'split':
      return split(draft, operation.segment, operation.offset, operation.atSeconds);
    case 'merge':
      return merge(draft, operation);
    case 'move-boundary':
      return moveBoundary(draft, operation, context.durationSeconds);
    case 'move-word':
      return moveWord(draft, operation);
    case 'set-times':
      return setTimes(draft, operation, context.durationSeconds);
    case 'insert':
      return insert(draft, operation, context.durationSeconds);
    case 'put-back':
      return putBack(draft, operation, context.durationSeconds);
    case 'delete':
      return remove(draft, operation.segments);
    case 'retime':
      return retime(draft, operation.factor, operation.offsetSeconds, context.durationSeconds);
    case 'set-speaker':
      return setSpeaker(draft, operation.segments, operation.speaker);
    case 'set-highlight':
      return setHighlight(draft, operation.segments, operation.isHighlighted);
    case 'highlight-words':
      return highlightWords(draft, operation);
    case 'assign-speakers':
      return assignIdentified(draft, operation.turns);
    case 'name-speakers':
      return nameSpeakers(draft, operation.names, operation.becomes);
    case 'replace':
      return replace(draft, operation);
    case 'set-texts':
      return setTexts(draft, operation.texts);
    case 'respell':
      return respell(draft, operation.spellings, operation.replacement) ?? [];
    case 'accept-words':
      return acceptWords(draft, operation);
    case 'add-note':
      return addNote(draft, operation.atSeconds, operation.text);
    case 'change-note':
      return changeNote(draft, operation.note, operation.text);
    case 'remove-note':
      return removeNote(draft, operation.note);
    case 'edit-text':
      return editText(draft, operation);
    case 'restore':
      return operation.only === undefined
        ? restore(draft, context.original())
        : restoreSegments(
            draft,
            draftOf(context.original().segments).segments,
            operation.only,
            context.durationSeconds,
          );
  }
}

/** Returns the draft of an unedited transcript. */
export const draftOf = (
  segments: readonly (Segment & Partial<Pick<DraftSegment, 'speaker'>>)[],
  text: string | null = null,
): Draft => ({
  text,
  segments: segments.map((segment, id) => ({ ...segment, id, speaker: segment.speaker ?? null })),
  speakers: [],
  notes: [],
  nextId: segments.length,
});

/** Replaces matches in the text, and in the names of the chosen speakers. */
function replace(draft: Draft, operation: Extract<StoredOperation, { kind: 'replace' }>): Change {
  const texts = replaceAll(draft, operation);
  if (texts === null) return [];
  return [...texts, ...replaceInNames(applyChange(draft, texts), operation)];
}

/** Restores the original; segments that still exist keep their speakers and highlights. */
function restore(draft: Draft, original: OriginalTranscript): Change {
  if (draft.text !== null) return original.text === null ? [] : textChange(draft.text, original.text);
  const currentById = new Map(draft.segments.map((segment) => [segment.id, segment]));
  const inserted = draftOf(original.segments).segments.map((segment) => {
    const current = currentById.get(segment.id);
    if (current === undefined) return segment;
    const { speaker, extras } = current;
    const restored = withNoSpeaker(
      withHighlight(segment, highlightAfter(current, segment.text)),
      extras?.noSpeaker === true,
    );
    if (speaker === null) return { ...restored, speaker };
    return withSpeakerConfidence({ ...restored, speaker }, extras?.speakerConfidence ?? null);
  });
  return [{ kind: 'splice', at: 0, removed: draft.segments, inserted }];
}
