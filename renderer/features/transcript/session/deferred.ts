import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, EditOperation } from '../../../../electron/contract/transcript.ts';
import { withText } from '../../../../electron/core/transcript/segment.ts';
import type { RecordedEdit } from './rebase.ts';
import type { TypingRun } from './typing-buffer.ts';

/** What the user did while something was fetched. */
export type Deferred =
  /** An ended run of typing; `text` is that of its segment after it. */
  | {
      readonly kind: 'typing';
      readonly segment: SegmentId | null;
      readonly text: string;
      readonly edit: RecordedEdit;
    }
  /** An edit of the draft that the user saw, which includes the typing before it. */
  | { readonly kind: 'edit'; readonly edit: RecordedEdit }
  /** What does not depend on the text that the user saw. */
  | { readonly kind: 'work'; readonly run: () => void };

/** Returns the text of each segment after the deferred typing in it; `null` is the text of a transcript without times. */
const deferredTexts = (deferred: readonly Deferred[]): Map<SegmentId | null, string> =>
  new Map(deferred.flatMap((one) => (one.kind === 'typing' ? [[one.segment, one.text] as const] : [])));

/** Returns the text of a segment after the deferred typing in it; `null` when there is none. */
export const deferredText = (deferred: readonly Deferred[], segment: SegmentId | null): string | null =>
  deferredTexts(deferred).get(segment) ?? null;

/** Returns a draft as it is on screen: with the deferred typing, but without the other deferred edits. */
export function shownDraft(draft: Draft, deferred: readonly Deferred[]): Draft {
  const texts = deferredTexts(deferred);
  return {
    ...draft,
    text: draft.text === null ? null : (texts.get(null) ?? draft.text),
    segments: draft.segments.map((segment) => {
      const text = texts.get(segment.id);
      return text === undefined ? segment : withText(segment, text);
    }),
  };
}

/** Returns the operations that store the deferred typing and `run` when the page unloads and cannot wait for the fetch. */
export function textsToSend(deferred: readonly Deferred[], run: TypingRun | null): readonly EditOperation[] {
  const texts = deferredTexts(deferred);
  if (run !== null) texts.set(run.segment, run.text);
  return [...texts].map(([segment, text]) =>
    segment === null
      ? { kind: 'edit-text', at: 0, removed: Number.MAX_SAFE_INTEGER, inserted: text }
      : { kind: 'set-text', segment, text },
  );
}
