import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../../electron/contract/transcript.ts';
import { applyChange, type TextPosition } from '../../../../electron/core/transcript/edit/change.ts';
import { findSegment, textIn } from '../../../../electron/core/transcript/edit/draft.ts';
import { diffRange, mergeTexts, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { withText } from '../../../../electron/core/transcript/segment.ts';
import type { WordRange } from '../../../../electron/core/transcript/words-in-text.ts';
import { typedRange, unsavedPart, type TypingRun } from './typing-buffer.ts';

/** An operation, the draft that it was made on, and its change to that draft. */
export interface AppliedEdit {
  readonly before: Draft;
  readonly operation: EditOperation;
  readonly change: Change;
}

/** An edit with what rebasing it requires. */
export interface RecordedEdit {
  readonly operation: EditOperation;
  /** The only text that the operation changes, before the edit; `null` for an operation on several texts or none. */
  readonly textBefore: string | null;
  /** The segment before a `set-text`; `null` for other operations. */
  readonly segmentBefore: DraftSegment | null;
  /** The ids of new segments and notes. */
  readonly insertedIds: readonly SegmentId[];
}

export const recordEdit = ({ before, operation, change }: AppliedEdit): RecordedEdit => ({
  operation,
  textBefore: changedText(before, operation),
  segmentBefore:
    operation.kind === 'set-text' ? (findSegment(before, operation.segment)?.segment ?? null) : null,
  insertedIds: insertedIds(change).filter((id) => id >= before.nextId),
});

/** The worst outcome of rebasing the local edits and the pending typing. */
export type RebaseOutcome =
  | 'clean'
  /** A segment that was deleted elsewhere was inserted again, with what was typed in it here. */
  | 'reinserted'
  /** Some edits could not be applied to the newer draft; what was typed is kept anyway. */
  | 'partial';

const outcomesBySeverity: readonly RebaseOutcome[] = ['clean', 'reinserted', 'partial'];

/** Pending typing after a rebase. */
export interface RebasedTyping {
  readonly segment: SegmentId | null;
  readonly text: string;
  /** The edit that keeps the text when its segment was deleted elsewhere; `null` when it still exists. */
  readonly edit: AppliedEdit | null;
  /** Where the caret goes when the typing continues in another segment; `null` when it stays. */
  readonly caret: TextPosition | null;
}

/** Stands for a segment that no longer exists. */
const noSegment = -1;

/** Returns the unsaved typing of a run as an edit to be rebased; `null` when it changes nothing. */
export function recordTyping(run: TypingRun): RecordedEdit | null {
  const unsaved = unsavedPart(run);
  const { segment, segmentBefore, textBefore, text } = unsaved;
  const difference = diffRange(textBefore, text);
  if (difference === null) return null;
  return {
    operation:
      segment === null ? { kind: 'edit-text', ...difference } : setTextTo(segment, text, typedRange(unsaved)),
    textBefore,
    segmentBefore,
    insertedIds: [],
  };
}

/**
 * Applies edits made on an older revision, and what is being typed, to the newer draft. The caller must apply each
 * result to that draft before it requests the next.
 */
export class Rebaser {
  readonly #draft: () => Draft;
  readonly #changeOf: (draft: Draft, operation: EditOperation) => Change;
  /** Maps the ids that segments and notes had when the edits were made to their ids now, where these differ. */
  readonly #currentIds = new Map<SegmentId, SegmentId>();
  #insertedIds = new Map<SegmentId, SegmentId>();
  #outcome: RebaseOutcome = 'clean';

  constructor(draft: () => Draft, changeOf: (draft: Draft, operation: EditOperation) => Change) {
    this.#draft = draft;
    this.#changeOf = changeOf;
  }

  get outcome(): RebaseOutcome {
    return this.#outcome;
  }

  /** Whether the user has to know the outcome of a rebase. */
  isReported(pending: PendingRebase | null): boolean {
    return this.outcome === 'reinserted' || pending?.reports.includes(this.outcome) === true;
  }

  /** Records that something could not be applied to the newer draft. */
  markPartial(): void {
    this.#worsen('partial');
  }

  /** Records that an edit is not made again: what it inserted does not exist. */
  dropEdit({ insertedIds: ids }: RecordedEdit): void {
    for (const id of ids) this.#mapInserted(id, noSegment);
  }

  #mapInserted(id: SegmentId, current: SegmentId): void {
    this.#currentIds.set(id, current);
    this.#insertedIds.set(id, current);
  }

  /** Returns the ids that edits have inserted since the last call: old id to new id. */
  takeInsertedIds(): ReadonlyMap<SegmentId, SegmentId> {
    const ids = this.#insertedIds;
    this.#insertedIds = new Map();
    return ids;
  }

  /** Applies an edit again; `null` when it changes nothing. */
  applyEdit(recorded: RecordedEdit): AppliedEdit | null {
    const operation = rebaseEdit(this.#draft(), {
      ...recorded,
      operation: remapIds(recorded.operation, this.#currentIds),
    });
    const applied = operation === null ? null : this.#apply(operation);
    const inserted = insertedIds(applied?.change ?? []);
    recorded.insertedIds.forEach((id, index) => this.#mapInserted(id, inserted[index] ?? noSegment));
    if (recorded.segmentBefore !== null && applied !== null)
      this.#currentIds.set(recorded.segmentBefore.id, typedSegment(applied));
    const changesNothing = applied === null || applied.change.length === 0;
    // A text edit that changes nothing is not lost: the newer draft has the same text already.
    if (changesNothing && (applied === null || recorded.textBefore === null)) this.markPartial();
    else if (operation?.kind === 'put-back') this.#worsen('reinserted');
    return changesNothing ? null : applied;
  }

  /** Rebases what is being typed; `null` when nothing is left to type in. */
  rebaseTyping(run: TypingRun): RebasedTyping | null {
    const { segmentBefore, textBefore, text } = unsavedPart(run);
    const segment = run.segment === null ? null : (this.#currentIds.get(run.segment) ?? run.segment);
    const draft = this.#draft();
    const current = textIn(draft, segment);
    if (current !== null) {
      const merged = mergeTexts(textBefore, text, current);
      return { segment, text: merged, edit: null, caret: movedCaret(run, segment, merged) };
    }
    const operation =
      segmentBefore === null || text === run.textBefore
        ? null
        : salvageTyping(draft, segmentBefore, textBefore, text);
    if (operation === null) return null;
    if (operation.kind === 'put-back') this.#worsen('reinserted');
    const edit = this.#apply(operation);
    const salvaged = typedSegment(edit);
    const merged = textIn(applyChange(draft, edit.change), salvaged) ?? '';
    return { segment: salvaged, text: merged, edit, caret: movedCaret(run, salvaged, merged) };
  }

  #apply(operation: EditOperation): AppliedEdit {
    const before = this.#draft();
    return { before, operation, change: this.#changeOf(before, operation) };
  }

  #worsen(outcome: RebaseOutcome): void {
    if (outcomesBySeverity.indexOf(outcome) > outcomesBySeverity.indexOf(this.#outcome))
      this.#outcome = outcome;
  }
}

/** A rebase that is still due: what was deferred and typed has to be rebased onto the draft from a fetch. */
export interface PendingRebase {
  readonly rebaser: Rebaser;
  /** Whether the new draft has changes made elsewhere; otherwise it has an undo or redo. */
  readonly isForeign: boolean;
  /** The outcomes that are reported. A segment that was inserted again always is. */
  readonly reports: readonly RebaseOutcome[];
}

/**
 * Returns the rebase onto changes made elsewhere, or onto the stored state after an edit was refused, which was reported
 * already.
 *
 * @param isLocal whether there were changes here
 */
export const foreignRebase = (rebaser: Rebaser, isLocal: boolean, wasRefused: boolean): PendingRebase => ({
  rebaser,
  isForeign: true,
  reports: wasRefused ? [] : isLocal ? ['clean', 'partial'] : ['partial'],
});

/** Returns where the caret goes when the run continues in another segment; `null` when it stays. */
function movedCaret(run: TypingRun, segment: SegmentId | null, merged: string): TextPosition | null {
  if (segment === null || segment === run.segment) return null;
  const typedChange = diffRange(run.textBefore, run.text);
  const offset = typedChange === null ? 0 : typedChange.at + typedChange.inserted.length;
  return { segment, offset: mapPosition(run.text, merged, offset) };
}

/** Returns the segment that contains the typed text after a `set-text` or `put-back`. */
const typedSegment = ({ operation, change }: AppliedEdit): SegmentId =>
  operation.kind === 'set-text' ? operation.segment : (insertedIds(change)[0] ?? noSegment);

/** Returns the ids of the segments and notes that a change inserts. */
const insertedIds = (change: Change): readonly SegmentId[] =>
  change.flatMap((step) => {
    if (step.kind === 'splice') return step.inserted.map(({ id }) => id);
    if (step.kind !== 'notes') return [];
    const idsBefore = new Set(step.before.map(({ id }) => id));
    return step.after.flatMap(({ id }) => (idsBefore.has(id) ? [] : [id]));
  });

/** Returns the only text that an operation changes; `null` for an operation on several texts or none. */
function changedText(draft: Draft, operation: EditOperation): string | null {
  if (operation.kind === 'edit-text') return draft.text;
  return operation.kind === 'set-text' || operation.kind === 'split' || operation.kind === 'accept-words'
    ? textIn(draft, operation.segment)
    : null;
}

/** Returns a run of typing as an edit operation; `null` when there is nothing to edit. */
export function editFromTyping(draft: Draft, run: TypingRun): EditOperation | null {
  const { segment, segmentBefore, textBefore, text, savedDraft } = run;
  const current = textIn(draft, segment);
  if (current === null) {
    return segmentBefore === null || text === textBefore
      ? null
      : salvageTyping(draft, segmentBefore, textBefore, text);
  }
  const merged = savedDraft === null ? mergeTexts(textBefore, text, current) : text;
  if (segment !== null) return setTextTo(segment, merged, mapRange(text, merged, typedRange(run)));
  const difference = diffRange(current, merged);
  return difference === null ? null : { kind: 'edit-text', ...difference };
}

const setTextTo = (segment: SegmentId, text: string, typed: WordRange | undefined): EditOperation => ({
  kind: 'set-text',
  segment,
  text,
  ...(typed !== undefined && { typed }),
});

const mapRange = (before: string, after: string, range: WordRange | undefined): WordRange | undefined =>
  range === undefined || before === after
    ? range
    : { from: mapPosition(before, after, range.from), to: mapPosition(before, after, range.to) };

/**
 * Returns the operation that keeps what was typed in a segment that no longer exists: in the segment that contains its
 * words now, for example after a merge, or else by restoring the segment. `null` when no text is left to keep.
 */
function salvageTyping(
  draft: Draft,
  segmentBefore: DraftSegment,
  textBefore: string,
  text: string,
): EditOperation | null {
  const trimmedText = textBefore.trim();
  const successor = draft.segments.find(
    (candidate) =>
      trimmedText !== '' &&
      candidate.start <= segmentBefore.start &&
      candidate.end >= segmentBefore.end &&
      candidate.text.includes(trimmedText),
  );
  if (successor !== undefined)
    return { kind: 'set-text', segment: successor.id, text: mergeTexts(textBefore, text, successor.text) };
  const { start, end, speaker, extras } = withText(segmentBefore, text);
  return text.trim() === '' ? null : { kind: 'put-back', start, end, text, speaker, extras };
}

/** Returns an operation with the current ids of its segments. Deleted segments become -1, or are removed from lists. */
function remapIds(operation: EditOperation, ids: ReadonlyMap<SegmentId, SegmentId>): EditOperation {
  const remap = (id: SegmentId): SegmentId => ids.get(id) ?? id;
  const remapAll = (all: readonly SegmentId[]): readonly SegmentId[] =>
    all.map(remap).filter((id) => id !== noSegment);
  switch (operation.kind) {
    case 'set-text':
    case 'split':
    case 'move-boundary':
    case 'move-word':
    case 'set-times':
    case 'accept-words':
      return { ...operation, segment: remap(operation.segment) };
    case 'merge': {
      const { segment, through } = operation;
      return {
        kind: 'merge',
        segment: remap(segment),
        ...(through !== undefined && { through: remap(through) }),
      };
    }
    case 'delete':
    case 'set-speaker':
    case 'set-highlight':
      return { ...operation, segments: remapAll(operation.segments) };
    case 'highlight-words':
      return {
        ...operation,
        passages: operation.passages.map((words) => ({ ...words, segment: remap(words.segment) })),
      };
    case 'replace':
      return operation.matches === undefined
        ? operation
        : {
            ...operation,
            matches: operation.matches.map(({ segment, offset }) => ({
              segment: segment === null ? null : remap(segment),
              offset,
            })),
          };
    case 'set-texts':
      return {
        ...operation,
        texts: operation.texts.map((entry) => ({ ...entry, segment: remap(entry.segment) })),
      };
    case 'insert':
      return operation.after === null ? operation : { ...operation, after: remap(operation.after) };
    case 'restore': {
      const { only } = operation;
      return only === undefined
        ? operation
        : { ...operation, only: { ...only, current: remapAll(only.current) } };
    }
    case 'change-note':
    case 'remove-note':
      return { ...operation, note: remap(operation.note) };
    case 'put-back':
    case 'retime':
    case 'name-speakers':
    case 'respell':
    case 'add-note':
    case 'edit-text':
      return operation;
  }
}

/** Returns an edit as an operation on a newer draft; `null` if it no longer applies. */
function rebaseEdit(
  draft: Draft,
  { operation, textBefore, segmentBefore }: RecordedEdit,
): EditOperation | null {
  // The operation does not store the original, so it cannot be replayed.
  if (operation.kind === 'restore') return null;
  if (operation.kind === 'set-texts') {
    const currentTexts = new Map(draft.segments.map(({ id, text }) => [id, text]));
    const texts = operation.texts.flatMap(({ segment, before, text }) => {
      const current = currentTexts.get(segment);
      return current === undefined
        ? []
        : [{ segment, before: current, text: mergeTexts(before, text, current) }];
    });
    return { ...operation, texts };
  }
  if (textBefore === null) return operation;
  const current = changedText(draft, operation);
  if (current === null) {
    return operation.kind === 'set-text' && segmentBefore !== null
      ? salvageTyping(draft, segmentBefore, textBefore, operation.text)
      : null;
  }
  switch (operation.kind) {
    case 'set-text': {
      const merged = mergeTexts(textBefore, operation.text, current);
      return setTextTo(operation.segment, merged, mapRange(operation.text, merged, operation.typed));
    }
    case 'split':
      return { ...operation, offset: mapPosition(textBefore, current, operation.offset) };
    case 'accept-words':
      return { ...operation, from: mapPosition(textBefore, current, operation.from) };
    case 'edit-text': {
      const { at, removed, inserted } = operation;
      const editedText = textBefore.slice(0, at) + inserted + textBefore.slice(at + removed);
      const difference = diffRange(current, mergeTexts(textBefore, editedText, current));
      return difference === null
        ? { ...operation, removed: 0, inserted: '' }
        : { ...operation, ...difference };
    }
    default:
      return operation;
  }
}
