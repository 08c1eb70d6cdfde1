import type { Draft, EditState, TranscriptDocument } from '../../../../electron/contract/transcript.ts';
import type { TextPosition } from '../../../../electron/core/transcript/edit/change.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';

/** A transcript as the window shows it. */
export interface SessionState {
  readonly draft: Draft;
  readonly wordCount: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether there is an original that differs, or may differ, from this. */
  readonly edited: boolean;
  readonly accepted: readonly string[];
  readonly trashed: boolean;
  readonly saving: Saving;
  /** What was taken back or made again last; `null` before that. Another object each time. */
  readonly stepped: TextPosition | null;
  /** How often it was brought together with what was changed elsewhere. */
  readonly caughtUp: number;
}

export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** Nothing is lost while the window is open; the session's `retry` sends it again. */
  | { readonly kind: 'unsaved'; readonly problem: Problem };

/** Whether there is nothing left that anything could be saved in. */
export const isGone = (saving: Saving): boolean =>
  saving.kind === 'unsaved' && saving.problem.code === 'transcript_gone';

/** What an answer tells of it. */
export const standing = ({ wordCount, canUndo, canRedo }: EditState) => ({ wordCount, canUndo, canRedo });

/** What a document shows. */
export const shown = ({
  segments,
  text,
  speakers,
  notes,
  nextId,
  edited,
  trashed,
  accepted,
  ...state
}: TranscriptDocument) => ({
  draft: { segments, text, speakers, notes, nextId },
  edited,
  trashed,
  accepted,
  ...standing(state),
});
