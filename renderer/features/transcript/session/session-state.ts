import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';
import type { Draft, TranscriptDocument } from '../../../../electron/contract/transcript.ts';
import type { TextPosition } from '../../../../electron/core/transcript/edit/change.ts';

/** A transcript as the window shows it. */
export interface SessionState {
  readonly draft: Draft;
  readonly name: string;
  /** BCP 47 tag; `null` if it is unknown. */
  readonly language: string | null;
  readonly wordCount: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether there is an original that differs, or may differ, from this. */
  readonly edited: boolean;
  /** The keys of the review's findings that the user has accepted. */
  readonly accepted: readonly string[];
  readonly trashed: boolean;
  readonly saving: Saving;
  /** Finds what the last undo or redo changed; `null` before the first. A new function for each change. */
  readonly locateLastChange: LocateChange | null;
  /** How often changes made elsewhere were merged in. */
  readonly rebaseCount: number;
  /** Maps, for each rebase, the old ids of inserted segments and notes to their new ids; -1 if they no longer exist. */
  readonly rebasedIds: readonly ReadonlyMap<SegmentId, SegmentId>[];
}

/**
 * Returns the changed position nearest to the segment with this index; `null` if no text has changed. A function,
 * because only the list of segments knows which one the user sees.
 */
export type LocateChange = (near: number) => TextPosition | null;

export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** The edits are kept while the window is open, and sent again from time to time and by the session's `retry`. */
  | { readonly kind: 'unsaved'; readonly problem: Problem };

/** Whether the transcript no longer exists, so that nothing can be saved. */
export const isDeleted = (saving: Saving): boolean =>
  saving.kind === 'unsaved' && saving.problem.code === 'transcript_gone';

export const initialState = (document: TranscriptDocument): SessionState => ({
  ...stateOf(document),
  saving: { kind: 'saved' },
  locateLastChange: null,
  rebaseCount: 0,
  rebasedIds: [],
});

/** Returns the part of the state that a document contains. */
export const stateOf = ({
  segments,
  text,
  speakers,
  notes,
  nextId,
  name,
  language,
  edited,
  trashed,
  accepted,
  wordCount,
  canUndo,
  canRedo,
}: TranscriptDocument) => ({
  draft: { segments, text, speakers, notes, nextId },
  name,
  language,
  edited,
  trashed,
  accepted,
  wordCount,
  canUndo,
  canRedo,
});
