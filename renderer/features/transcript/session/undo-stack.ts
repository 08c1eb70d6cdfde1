import type { Change, EditState } from '../../../../electron/contract/transcript.ts';
import { invertChange } from '../../../../electron/core/transcript/edit/change.ts';

export type UndoCommand = 'undo' | 'redo';

type KeyEvent = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** Returns the step that a key asks for; `null` for other keys. */
export function undoCommandOf({ key, ctrlKey, metaKey, shiftKey }: KeyEvent): UndoCommand | null {
  if (!ctrlKey && !metaKey) return null;
  const letter = key.toLowerCase();
  if (letter === 'y' || (letter === 'z' && shiftKey)) return 'redo';
  return letter === 'z' ? 'undo' : null;
}

/** What was done, in the direction in which it was done. */
export type UndoEntry =
  | { readonly kind: 'edit'; readonly change: Change }
  /** A finding of the review was accepted, which is no edit. */
  | { readonly kind: 'accept'; readonly findingKey: string }
  | NonEditEntry;

/** A change that is no edit, such as another name. */
export interface NonEditChange {
  /** Returns whether there was anything to undo: the user may have undone it by its message. */
  readonly undo: () => boolean;
  /** Returns whether there was anything to redo; absent if it cannot be redone. */
  readonly redo?: () => boolean;
}

type NonEditEntry = NonEditChange & { readonly kind: 'property' };

/** What a step does: to the draft, to a finding that becomes accepted or not, or to what is no part of the text. */
export type UndoEffect =
  | { readonly kind: 'edit'; readonly change: Change }
  | { readonly kind: 'accept'; readonly findingKey: string; readonly accepted: boolean }
  /** Returns whether it did anything. */
  | { readonly kind: 'property'; readonly run: () => boolean };

type LogState = Pick<EditState, 'canUndo' | 'canRedo'>;

/**
 * What can be undone and redone without asking the main process: what was done since the transcript was opened or last
 * rebased. Earlier edits are in the log of the main process.
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

  /** Sets what the log of the main process can undo and redo. */
  setLog({ canUndo, canRedo }: LogState): void {
    this.#log = { canUndo, canRedo };
  }

  /** Adds a new change, after which nothing can be redone. */
  pushEdit(change: Change): void {
    this.#done.push({ kind: 'edit', change });
    this.#undone = [];
    this.#log = { canUndo: true, canRedo: false };
  }

  /** Adds an accepted finding. Edits can still be redone, because it does not change the draft. */
  pushAccept(findingKey: string): void {
    this.#done.push({ kind: 'accept', findingKey });
  }

  /** Adds a change that is no edit. Edits can still be redone. */
  pushNonEditChange(change: NonEditChange): void {
    this.#done.push({ kind: 'property', ...change });
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** Returns what the next step does; `null` when only the main process knows. */
  step(kind: UndoCommand): UndoEffect | null {
    const [from, to] = kind === 'undo' ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const step = from.pop();
    if (step === undefined) return null;
    if (step.kind === 'property' && step.redo === undefined) return { kind: 'property', run: step.undo };
    to.push(step);
    if (step.kind === 'property') return { kind: 'property', run: step[kind] ?? (() => false) };
    if (step.kind === 'accept') return { ...step, accepted: kind === 'redo' };
    // The main process corrects it with its answer.
    this.#log = { canUndo: true, canRedo: true };
    return { kind: 'edit', change: kind === 'undo' ? invertChange(step.change) : step.change };
  }

  /** Adds a step that came from the main process, so that it can be reversed. */
  pushReverse(kind: UndoCommand, effect: Change): void {
    if (kind === 'undo') this.#undone.push({ kind: 'edit', change: invertChange(effect) });
    else this.#done.push({ kind: 'edit', change: effect });
  }
}
