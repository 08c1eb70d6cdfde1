import type { SegmentId } from '../../../../electron/contract/model/identifiers.ts';
import type { Draft, EditOperation } from '../../../../electron/contract/model/transcript.ts';
import { segmentAt } from '../../../../electron/core/library/edit/draft.ts';
import { mergeTexts, movedPlace } from '../../../../electron/core/library/edit/merge-texts.ts';
import { differenceOf } from '../../../../electron/core/library/edit/whole-text.ts';
import type { TypingRun } from './typing.ts';

/** An edit, and the text that it was made in; `null` where it is made in none. */
export interface MadeEdit {
  readonly operation: EditOperation;
  readonly before: string | null;
}

/** The text of a segment, or with `null` the one text of a transcript without times; `null` when it is not there. */
export const textIn = (draft: Draft, segment: SegmentId | null): string | null =>
  segment === null ? draft.text : (segmentAt(draft, segment)?.segment.text ?? null);

/** The text that an operation changes letters of; `null` for one that does something else. */
export function textOf(draft: Draft, operation: EditOperation): string | null {
  if (operation.kind === 'edit-text') return draft.text;
  return operation.kind === 'set-text' || operation.kind === 'split'
    ? textIn(draft, operation.segment)
    : null;
}

/** The edit that makes of a draft what was typed; `null` when that is nothing. */
export function typed(draft: Draft, { segment, base, text, stored }: TypingRun): EditOperation | null {
  const present = textIn(draft, segment);
  if (present === null) return null;
  const wanted = stored === null ? mergeTexts(base, text, present) : text;
  if (segment !== null) return { kind: 'set-text', segment, text: wanted };
  const difference = differenceOf(present, wanted);
  return difference === null ? null : { kind: 'edit-text', ...difference };
}

/** An edit as it is to be made of a draft that was changed elsewhere since; `null` when it cannot be. */
export function onTop(draft: Draft, { operation, before }: MadeEdit): EditOperation | null {
  // What it brings back came with it.
  if (operation.kind === 'restore') return null;
  if (before === null) return operation;
  const present = textOf(draft, operation);
  if (present === null) return null;
  switch (operation.kind) {
    case 'set-text':
      return { ...operation, text: mergeTexts(before, operation.text, present) };
    case 'split':
      return { ...operation, offset: movedPlace(before, present, operation.offset) };
    case 'edit-text': {
      const { at, removed, inserted } = operation;
      const mine = before.slice(0, at) + inserted + before.slice(at + removed);
      const difference = differenceOf(present, mergeTexts(before, mine, present));
      return difference === null
        ? { ...operation, removed: 0, inserted: '' }
        : { ...operation, ...difference };
    }
    default:
      return operation;
  }
}
