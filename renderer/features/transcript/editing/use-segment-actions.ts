import { useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { boundaryRefusal } from '../../../../electron/core/transcript/edit/boundary-range.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import {
  wordMoveRefusal,
  type WordMoveRefusal,
} from '../../../../electron/core/transcript/edit/move-word.ts';
import { noteTimeIn, wordEndAt, wordStartAt } from '../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../electron/core/transcript/words-in-text.ts';
import type { Settings } from '../../../../electron/contract/settings.ts';
import { useSend, useWindowState } from '../../../use-store.ts';
import { notesIn, onlyNoteOr, type NoteTarget } from '../session/note-edit.ts';
import type { UndoEntry } from '../session/undo-stack.ts';
import { useWorkspace } from '../workspace.ts';
import type { BoundaryMove } from './use-action-feedback.ts';
import { highlightOperation } from './highlight-operation.ts';
import type { OnAction, SegmentAction } from './segment-keys.ts';
import type { SegmentSelection } from './use-segment-selection.ts';
import type { SegmentListHandle } from './segment-list.tsx';

export interface SegmentActionsOptions {
  readonly list: RefObject<SegmentListHandle | null>;
  readonly onQuote: (selected: readonly SegmentRange[]) => void;
  /** Called after a boundary was moved to the playhead, or as far as possible. */
  readonly onBoundaryMoved: (move: BoundaryMove) => void;
  /** Called when a boundary cannot move by a word. */
  readonly onWordMoveRefused: (refusal: WordMoveRefusal) => void;
  /** Opens the popover that edits a segment's times. */
  readonly onTimes: (segment: SegmentId) => void;
  readonly onNote: (note: NoteTarget) => void;
  readonly selection: SegmentSelection;
  /** Called after segments of different speakers were merged, with the speaker of the merged segment. */
  readonly onSpeakersMerged: (speaker: number | null) => void;
  /** Called when segments are not merged because their text would be too long. */
  readonly onMergeTooLong: () => void;
  /** Called when no segment is inserted because its neighbours have no time to give. */
  readonly onNoRoom: () => void;
  /**
   * Called after several segments were deleted, or one with notes, with the number of notes that now belong to a
   * neighbour.
   */
  readonly onDeleted: (count: number, noteCount: number) => void;
  /** Called after several segments were assigned to a speaker. */
  readonly onAssigned: (count: number, speaker: number | null) => void;
}

/**
 * A word that was moved. Moving it back undoes this edit, which restores the exact times even where word times are only
 * estimates.
 */
interface MovedWord extends Pick<Extract<SegmentAction, { kind: 'move-word' }>, 'edge' | 'by'> {
  readonly segment: SegmentId;
  /** Its entry of the undo stack: once something else has been done, moving back is an edit of its own. */
  readonly entry: UndoEntry | null;
}

/** The actions after which the selected segments stay selected. */
const selectionKeepingActions: ReadonlySet<SegmentAction['kind']> = new Set([
  'speaker',
  'highlight',
  'extend-selection',
  'play',
  'play-words',
  'skip-back',
  'quote',
]);

/** Seconds to skip back while typing. */
export const skipBackSeconds = 3;

/** Carries out the actions of keys and menus, and places the caret where the user continues typing. */
export function useSegmentActions(options: SegmentActionsOptions): OnAction {
  const { list, onQuote, onBoundaryMoved, onWordMoveRefused, onNote, onTimes, onAssigned, selection } =
    options;
  const { session, playback } = useWorkspace();
  const markHintUsed = useMarkHintUsed();
  const wordMoves = useRef<MovedWord[]>([]);

  const findWithNeighbours = (id: SegmentId) => {
    const { segments } = session.getState().draft;
    const index = segments.findIndex((segment) => segment.id === id);
    return { segment: segments[index], before: segments[index - 1], after: segments[index + 1] };
  };

  /** Moves the caret into a segment, or only scrolls to it while the user reads. */
  const continueIn = (segment: SegmentId, offset: number): void => {
    if (list.current?.hasFocus() === true) list.current.show(segment, offset);
    else list.current?.placeCaret(segment, offset);
  };

  const merge = (segmentsToMerge: readonly (DraftSegment | undefined)[]): void => {
    const [first, last] = [segmentsToMerge[0], segmentsToMerge.at(-1)];
    if (first === undefined || last === undefined) return;
    const joinOffset = first.text.trim().length;
    if (isSplitWord(session.lastDone, segmentsToMerge)) {
      // The undo moves the caret to what it changed first.
      flushSync(() => session.undo());
      continueIn(first.id, joinOffset);
      return;
    }
    if (session.edit({ kind: 'merge', segment: first.id, through: last.id }).length === 0) {
      options.onMergeTooLong();
      return;
    }
    const { text = '', speaker = null } = findWithNeighbours(first.id).segment ?? {};
    if (segmentsToMerge.some((other) => other?.speaker !== first.speaker)) options.onSpeakersMerged(speaker);
    // Place the caret after the space between the first two, if there is one.
    continueIn(first.id, text[joinOffset] === ' ' && joinOffset > 0 ? joinOffset + 1 : joinOffset);
  };

  const moveBoundary = (segment: DraftSegment, edge: 'start' | 'end', toSeconds: number): void => {
    const move = { segment: segment.id, edge, toSeconds };
    // Without a recording, the playhead is not a time that the user has listened to.
    const refusal = playback.mayHaveRecording
      ? boundaryRefusal(session.getState().draft, move, session.recordingSeconds)
      : 'no-recording';
    const hasMoved =
      refusal !== 'no-recording' && session.edit({ kind: 'move-boundary', ...move }).length > 0;
    onBoundaryMoved({
      edge,
      refusal,
      hasMoved,
      atSeconds: (findWithNeighbours(segment.id).segment ?? segment)[edge],
    });
  };

  const assignSpeaker = (
    segment: DraftSegment,
    targets: readonly SegmentId[],
    { speaker, fromHere }: Extract<SegmentAction, { kind: 'speaker' }>,
  ): void => {
    const { segments } = session.getState().draft;
    const later = segments.slice(segments.indexOf(segment) + 1);
    const sameSpeaker = fromHere ? later.filter((other) => other.speaker === segment.speaker) : [];
    const assigned = new Set([...targets, ...sameSpeaker.map(({ id }) => id)]);
    session.edit({ kind: 'set-speaker', segments: [...assigned], speaker });
    if (fromHere) onAssigned(assigned.size, speaker);
  };

  return (id, action) => {
    markHintUsed(action.kind);
    // The action also applies to what is being typed.
    session.flush();
    const { segment, before, after } = findWithNeighbours(id);
    if (segment === undefined) return;
    const { segments } = session.getState().draft;
    const { time } = playback.getState();
    const targets = selection.including(id);
    const targetIds = new Set(targets);
    const targetSegments = segments.filter((candidate) => targetIds.has(candidate.id));
    if (!selectionKeepingActions.has(action.kind)) selection.clear();
    switch (action.kind) {
      case 'split': {
        const isInside = time > segment.start && time < segment.end;
        const atSeconds = action.atPlayhead && isInside ? time : null;
        const offset = afterClosingPunctuation(segment.text, action.offset);
        const change = session.edit({ kind: 'split', segment: id, offset, atSeconds });
        const [step] = change;
        const second = step?.kind === 'splice' ? step.inserted[1] : undefined;
        if (second !== undefined) list.current?.placeCaret(second.id, 0);
        else if (action.offset > 0 && after !== undefined) list.current?.placeCaret(after.id, 0);
        return;
      }
      case 'merge-before':
        merge(targetSegments.length > 1 ? targetSegments : [before, segment]);
        return;
      case 'merge-after':
        merge(targetSegments.length > 1 ? targetSegments : [segment, after]);
        return;
      case 'delete': {
        const firstIndex = segments.findIndex((candidate) => candidate.id === targets[0]);
        const [previous, next] = [segments[firstIndex - 1], segments[firstIndex + targets.length]];
        const noteCount = notesIn(session.getState().draft, targetIds).length;
        session.edit({ kind: 'delete', segments: targets });
        if (targets.length > 1 || noteCount > 0) options.onDeleted(targets.length, noteCount);
        if (next !== undefined) continueIn(next.id, 0);
        else if (previous === undefined) list.current?.focus();
        else continueIn(previous.id, previous.text.length);
        return;
      }
      case 'insert': {
        const [step] = session.edit({ kind: 'insert', after: id, text: '', fillsGap: false });
        const inserted = step?.kind === 'splice' ? step.inserted[0] : undefined;
        if (inserted === undefined) options.onNoRoom();
        else list.current?.placeCaret(inserted.id, 0);
        return;
      }
      case 'move-boundary':
        moveBoundary(segment, action.edge, time);
        return;
      case 'move-word': {
        const { edge, by } = action;
        const last = wordMoves.current.at(-1);
        const isReversed = last?.segment === id && last.edge === edge && last.by !== by;
        if (isReversed && last.entry !== null && last.entry === session.lastDone) {
          wordMoves.current.pop();
          session.undo();
          return;
        }
        const refusal = wordMoveRefusal(session.getState().draft, { segment: id, edge, by });
        if (refusal === null) {
          session.edit({ kind: 'move-word', segment: id, edge, by });
          wordMoves.current.push({ segment: id, edge, by, entry: session.lastDone });
        } else onWordMoveRefused(refusal);
        return;
      }
      case 'edit-times':
        onTimes(id);
        return;
      case 'speaker':
        assignSpeaker(segment, targets, action);
        return;
      case 'highlight':
        session.edit(highlightOperation(segments, targets, action.selected));
        return;
      case 'extend-selection':
        list.current?.show(selection.step(id, action.by));
        return;
      case 'note': {
        const atSeconds = noteTimeIn(
          segments,
          segments.indexOf(segment),
          action.offset,
          playback.mayHaveRecording ? time : null,
        );
        onNote(
          action.alwaysNew ? { kind: 'new', atSeconds } : onlyNoteOr(session.getState().draft, id, atSeconds),
        );
        return;
      }
      case 'quote':
        if (targets.length > 1) {
          onQuote(
            targetSegments.map(({ id: segmentId, text }) => ({
              segment: segmentId,
              start: 0,
              end: text.length,
            })),
          );
          return;
        }
        onQuote(
          action.selected.some((range) => range.segment === id && range.start < range.end)
            ? action.selected
            : [{ segment: id, start: 0, end: segment.text.length }],
        );
        return;
      case 'play-from-here':
        // A caret at the end of a word counts as inside that word.
        playback.seek(wordStartAt(segment, action.offset - 1));
        playback.play();
        return;
      case 'play-words':
        playback.playRange(...timesOf(segments, segment, action.selected));
        return;
      case 'play':
        playback.toggle();
        return;
      case 'skip-back':
        playback.skip(-skipBackSeconds);
        return;
      case 'move-caret':
      case 'leave':
        return;
    }
  };
}

/**
 * Returns when the selected words begin and end, in seconds; for a caret, the word at it, or else the next one. Without
 * a selection or word times: the whole segment.
 */
function timesOf(
  segments: readonly DraftSegment[],
  segment: DraftSegment,
  selected: readonly SegmentRange[],
): readonly [from: number, to: number] {
  const [first, last] = [selected[0], selected.at(-1)];
  const find = (range: SegmentRange | undefined) => segments.find(({ id }) => id === range?.segment);
  const [firstSegment, lastSegment] = [find(first), find(last)];
  if (first === undefined || last === undefined || firstSegment === undefined || lastSegment === undefined)
    return [segment.start, segment.end];
  const word =
    first === last && first.start === first.end
      ? wordRanges(firstSegment.text).find(({ to }) => first.start <= to)
      : undefined;
  return [wordStartAt(firstSegment, word?.from ?? first.start), wordEndAt(lastSegment, word?.to ?? last.end)];
}

/**
 * Returns where to split a text for a caret at an offset: after the punctuation that ends the word there. Ctrl with an
 * arrow key stops before that punctuation. A segment that begins with a comma would get a space before the comma when it
 * is merged back.
 */
function afterClosingPunctuation(text: string, offset: number): number {
  const isAtWordEnd = /\S$/u.test(text.slice(0, offset));
  const punctuation = isAtWordEnd
    ? /^([.,;:!?\u2026\p{Pe}\p{Pf}"]+)\s/u.exec(text.slice(offset))?.[1]
    : undefined;
  return offset + (punctuation?.length ?? 0);
}

/**
 * Whether segments are a word that was just split, so that undoing the split merges them: a merge would put a space into
 * the word.
 */
function isSplitWord(last: UndoEntry | null, segments: readonly (DraftSegment | undefined)[]): boolean {
  const step = last?.kind === 'edit' && last.change.length === 1 ? last.change[0] : undefined;
  if (step?.kind !== 'splice') return false;
  const { removed, inserted } = step;
  const isSplit = removed.length === 1 && inserted.length === 2 && segments.length === 2;
  const text = inserted.map((half) => half.text).join('');
  return (
    isSplit && removed[0]?.text.trim() === text && inserted.every((half, index) => half === segments[index])
  );
}

/** The hint in the footer that is no longer needed once an action was used. */
const hintOf: Readonly<Partial<Record<SegmentAction['kind'], Settings['usedHints'][number]>>> = {
  play: 'play',
  split: 'split',
  'merge-before': 'merge',
  'merge-after': 'merge',
};

/** Returns a function that stores that the action of a hint was used. */
function useMarkHintUsed(): (kind: SegmentAction['kind']) => void {
  const send = useSend();
  const usedHints = useWindowState((state) => state.settings.usedHints);
  return (kind) => {
    const hint = hintOf[kind];
    if (hint !== undefined && !usedHints.includes(hint))
      send('settings.change', { usedHints: [...usedHints, hint] });
  };
}
