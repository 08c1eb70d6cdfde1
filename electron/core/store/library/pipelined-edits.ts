import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { EditOperation, EditState, UndoResult } from '../../../contract/transcript.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { EditStore } from './edit-store.ts';

/** What an edit, undo or redo applies to. */
export interface EditTarget {
  readonly id: TranscriptId;
  readonly revision: number;
  /** Whether it builds on a request of the same sender that has no response yet. */
  readonly isPipelined?: boolean | undefined;
}

/** An edit request; see {@link EditStore.edit}. */
export interface EditRequest extends EditTarget {
  readonly operation: EditOperation;
  readonly continues?: boolean | undefined;
}

/** An undo or redo request. */
export interface UndoRequest extends EditTarget {
  /** Whether the sender has the change already: then the result omits it, since it may be as long as the transcript. */
  readonly knowsChange?: boolean | undefined;
}

/**
 * Applies the edits of one sender, who does not wait for responses. Revision numbers alone would not reveal an edit by
 * another sender in between: the first of two pending edits is refused, but the second finds the number it expects.
 */
export class PipelinedEdits {
  readonly #edits: EditStore;
  /** The revision of each transcript that the sender's last request produced. */
  readonly #lastRevisions = new Map<TranscriptId, number>();

  constructor(edits: EditStore) {
    this.#edits = edits;
  }

  /** @throws ProblemError as {@link EditStore.edit}. */
  edit({ operation, continues, ...target }: EditRequest): EditState {
    return this.#apply(target, () => this.#edits.edit(target.id, target.revision, operation, continues));
  }

  /** @throws ProblemError as {@link EditStore.undo}. */
  undo(target: UndoRequest): UndoResult {
    return this.#undoOrRedo(target, () => this.#edits.undo(target.id, target.revision));
  }

  /** @throws ProblemError as {@link EditStore.redo}. */
  redo(target: UndoRequest): UndoResult {
    return this.#undoOrRedo(target, () => this.#edits.redo(target.id, target.revision));
  }

  #undoOrRedo(target: UndoRequest, make: () => UndoResult): UndoResult {
    const result = this.#apply(target, make);
    return target.knowsChange === true ? { ...result, change: [] } : result;
  }

  #apply<T extends EditState>({ id, revision, isPipelined = false }: EditTarget, make: () => T): T {
    if (isPipelined && this.#lastRevisions.get(id) !== revision)
      throw new ProblemError({ code: 'transcript_changed' });
    const state = make();
    this.#lastRevisions.set(id, state.revision);
    return state;
  }
}
