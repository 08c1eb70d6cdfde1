import type { Change, Draft, EditState } from '../../../../electron/contract/transcript.ts';
import { coalesceTyping, invertChange } from '../../../../electron/core/transcript/edit/change.ts';
import { isRedoKey, isUndoKey } from '../../../ui/focus/undo-keys.ts';

export type UndoCommand = 'undo' | 'redo';

/** Returns the command of a key; `null` for other keys. */
export function undoCommandOf(event: Parameters<typeof isUndoKey>[0]): UndoCommand | null {
  if (isUndoKey(event)) return 'undo';
  return isRedoKey(event) ? 'redo' : null;
}

/** Something that was done. The change of an edit is stored as it was made, not inverted. */
export type UndoEntry =
  | { readonly kind: 'edit'; readonly change: Change }
  /** A finding of the review was accepted, which is not an edit. */
  | { readonly kind: 'accept'; readonly findingKey: string }
  | NonEditEntry;

/** A change that is not an edit, such as another name. */
export interface NonEditChange {
  /** Returns whether there was anything to undo: the user may have undone it with the button of its notice. */
  readonly undo: () => boolean;
  /** Returns whether there was anything to redo; absent if it cannot be redone. */
  readonly redo?: () => boolean;
}

type NonEditEntry = NonEditChange & { readonly kind: 'non-edit' };

/** What an undo or redo does: to the draft, to a finding that becomes accepted or not, or outside of the text. */
export type UndoEffect =
  | { readonly kind: 'edit'; readonly change: Change }
  | { readonly kind: 'accept'; readonly findingKey: string; readonly accepted: boolean }
  /** Returns whether it did anything. */
  | { readonly kind: 'non-edit'; readonly run: () => boolean };

type LogState = Pick<EditState, 'canUndo' | 'canRedo'>;

/**
 * What can be undone and redone without a request to the main process: what was done since the transcript was opened or
 * last rebased. The log of the main process has the earlier edits.
 */
export class UndoStack {
  #done: UndoEntry[] = [];
  #undone: UndoEntry[] = [];
  /** What the log of the main process can undo and redo. It has the edits of this stack too, but no accepted findings. */
  #log: LogState;

  constructor({ canUndo, canRedo }: LogState) {
    this.#log = { canUndo, canRedo };
  }

  get state(): LogState {
    return {
      canUndo: this.#log.canUndo || this.#done.length > 0,
      canRedo: this.#log.canRedo || this.#undone.length > 0,
    };
  }

  /** The last change; `null` if only the main process knows it. */
  get last(): UndoEntry | null {
    return this.#done.at(-1) ?? null;
  }

  /** Sets what the log of the main process can undo and redo. */
  setLog({ canUndo, canRedo }: LogState): void {
    this.#log = { canUndo, canRedo };
  }

  /**
   * Adds a new change, after which no edit can be redone; other changes, such as another recording, still can.
   *
   * @param draftBefore the draft before the change, to merge it into the last one; `null` to keep them separate
   */
  pushEdit(change: Change, draftBefore: Draft | null): void {
    const last = draftBefore === null ? undefined : this.#done.pop();
    const merged =
      draftBefore !== null && last?.kind === 'edit' ? coalesceTyping(draftBefore, last.change, change) : null;
    if (last !== undefined && merged === null) this.#done.push(last);
    const { combined } = merged ?? { combined: change };
    if (combined.length > 0) this.#done.push({ kind: 'edit', change: combined });
    this.#undone = this.#undone.filter(({ kind }) => kind === 'non-edit');
    this.#log = { canUndo: true, canRedo: false };
  }

  /** Adds an accepted finding. Edits can still be redone, because it does not change the draft. */
  pushAccept(findingKey: string): void {
    this.#done.push({ kind: 'accept', findingKey });
  }

  /** Adds a change that is not an edit. Edits can still be redone. */
  pushNonEditChange(change: NonEditChange): void {
    this.#done.push({ kind: 'non-edit', ...change });
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** Returns what the next undo or redo does; `null` when only the main process knows. */
  pop(kind: UndoCommand): UndoEffect | null {
    const [from, to] = kind === 'undo' ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const entry = from.pop();
    if (entry === undefined) return null;
    if (entry.kind === 'non-edit' && entry.redo === undefined) return { kind: 'non-edit', run: entry.undo };
    to.push(entry);
    if (entry.kind === 'non-edit') return { kind: 'non-edit', run: entry[kind] ?? (() => false) };
    if (entry.kind === 'accept') return { ...entry, accepted: kind === 'redo' };
    // The response of the main process corrects this.
    this.#log = { canUndo: true, canRedo: true };
    return { kind: 'edit', change: kind === 'undo' ? invertChange(entry.change) : entry.change };
  }

  /** Adds an undo or redo that came from the main process, so that it can be reversed. */
  pushReverse(kind: UndoCommand, effect: Change): void {
    if (kind === 'undo') this.#undone.push({ kind: 'edit', change: invertChange(effect) });
    else this.#done.push({ kind: 'edit', change: effect });
  }
}
