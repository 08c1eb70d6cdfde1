import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import type {
  Change,
  Draft,
  DraftSegment,
  ExpandedReplacement,
  StoredOperation,
  OriginalTranscript,
} from '../../../contract/transcript.ts';
import { highlightsInPlaceOf } from '../highlights.ts';
import { withHighlight, withNoSpeaker, withSpeakerConfidence } from '../segment.ts';
import { applyChange } from './change.ts';
import { editText, textChange } from './text-diff.ts';
import {
  addNote,
  changeNote,
  highlightWords,
  nameSpeakers,
  removeNote,
  namesAfter,
  renameSpeakers,
  replacedNames,
  setHighlight,
  setSpeaker,
} from './annotation-operations.ts';
import { assignIdentified } from './identified-speakers.ts';
import { insert, merge, putBack, remove, split } from './segment-operations.ts';
import { acceptWords, replaceAll, replaceExpanded, respell, setText, setTexts } from './text-operations.ts';
import { restoreSegments } from './restore-operations.ts';
import { findRetiming } from './retiming.ts';
import { moveBoundary, retime, setTimes } from './time-operations.ts';
import { moveWord } from './move-word.ts';

/** What an edit needs to know in addition to the draft. */
export interface EditContext {
  /** Where the recording ends, in seconds; `null` if unknown. No edit sets a time after `latestTime` of it. */
  readonly recordingSeconds: number | null;
  readonly original: () => OriginalTranscript;
}

/** Stands for the original in operations other than `restore`, the only one that needs it. */
export const noOriginal = (): OriginalTranscript => ({ segments: [], text: null });

/**
 * Returns the change that an operation makes to a draft; empty if none. It depends on the arguments only: the window
 * shows it at once, and the main process, which stores it, gets the same result.
 */
export function changeOf(draft: Draft, operation: StoredOperation, context: EditContext): Change {
  switch (operation.kind) {
    case 'set-text':
      return setText(draft, operation);
    case 'split':
      return split(draft, operation.segment, operation.offset, operation.atSeconds);
    case 'merge':
      return merge(draft, operation);
    case 'move-boundary':
      return moveBoundary(draft, operation, context.recordingSeconds);
    case 'move-word':
      return moveWord(draft, operation);
    case 'set-times':
      return setTimes(draft, operation, context.recordingSeconds);
    case 'insert':
      return insert(draft, operation, context.recordingSeconds);
    case 'put-back':
      return putBack(draft, operation, context.recordingSeconds);
    case 'delete':
      return remove(draft, operation.segments);
    case 'retime':
      return retime(draft, operation.factor, operation.offsetSeconds, context.recordingSeconds);
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
    case 'replace-expanded':
      return replaceAsPreviewed(draft, operation);
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
        ? restore(draft, context.original(), context.recordingSeconds)
        : restoreSegments(
            draft,
            draftOf(context.original().segments).segments,
            operation.only,
            context.recordingSeconds,
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
  const renamed = replacedNames(draft.speakers, operation);
  return [...texts, ...renameSpeakers(applyChange(draft, texts), renamed, operation.mergesSpeakers === true)];
}

/** Replaces matches of a pattern in the text, and renames speakers. */
function replaceAsPreviewed(
  draft: Draft,
  { matches, speakers, mergesSpeakers }: ExpandedReplacement,
): Change {
  const texts = replaceExpanded(draft, matches);
  if (texts === null) return [];
  const renamed = namesAfter(draft.speakers, speakers);
  return [...texts, ...renameSpeakers(applyChange(draft, texts), renamed, mergesSpeakers)];
}

/**
 * Restores the original. A segment that still exists keeps its highlights and its speaker; one that was split keeps those
 * of its parts, and the speaker of the longest part that has one.
 */
function restore(draft: Draft, original: OriginalTranscript, durationSeconds: number | null): Change {
  if (draft.text !== null) return original.text === null ? [] : textChange(draft.text, original.text);
  const { segments } = draftOf(original.segments);
  const parts = partsOfOriginals(draft.segments, segments, durationSeconds);
  const inserted = segments.map((segment) => {
    const current = parts.get(segment.id) ?? [];
    const [first] = current;
    if (first === undefined) return segment;
    const [highlight] = highlightsInPlaceOf(current, [segment.text]);
    const spoken = current.filter((part) => part.speaker !== null);
    const longest = spoken.toSorted((a, b) => durationOf(b) - durationOf(a))[0];
    const { speaker, extras } = longest ?? first;
    const restored = withNoSpeaker(withHighlight(segment, highlight), extras?.noSpeaker === true);
    if (speaker === null) return { ...restored, speaker };
    return withSpeakerConfidence({ ...restored, speaker }, extras?.speakerConfidence ?? null);
  });
  return [{ kind: 'splice', at: 0, removed: draft.segments, inserted }];
}

const durationOf = ({ start, end }: DraftSegment): number => end - start;

/**
 * Returns, by the id of each original segment that still exists, the current segments that hold its text: itself and
 * those that were split off. Segments inserted after its end are not included.
 */
function partsOfOriginals(
  current: readonly DraftSegment[],
  original: readonly DraftSegment[],
  durationSeconds: number | null,
): ReadonlyMap<SegmentId, readonly DraftSegment[]> {
  const timeOf = findRetiming(current, original, durationSeconds) ?? ((seconds: number) => seconds);
  const parts = new Map<SegmentId, DraftSegment[]>();
  let last: DraftSegment | undefined;
  for (const segment of current) {
    const ofSegment = original[segment.id];
    if (ofSegment !== undefined) {
      last = ofSegment;
      parts.set(last.id, [segment]);
    } else if (last !== undefined && segment.start < timeOf(last.end)) parts.get(last.id)?.push(segment);
  }
  return parts;
}
