import type { Change } from '../../../../electron/contract/transcript.ts';
import { invertChange } from '../../../../electron/core/transcript/edit/change.ts';

export type StepKind = 'undo' | 'redo';

/**
 * The changes that can be undone and redone without asking the main process: those made since the transcript was
 * opened or last rebased.
 */
export class UndoStack {
  /** Each change in the direction in which it was made. */
  #done: Change[] = [];
  #undone: Change[] = [];

  /** Adds a new change, after which nothing can be redone. */
  push(change: Change): void {
    this.#done.push(change);
    this.#undone = [];
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** Returns what the next step does to the draft; `null` when only the main process knows. */
  step(kind: StepKind): Change | null {
    const change = (kind === 'undo' ? this.#done : this.#undone).pop();
    if (change === undefined) return null;
    const effect = kind === 'undo' ? invertChange(change) : change;
    this.addStep(kind, effect);
    return effect;
  }

  /** Adds a step that came from the main process, so that it can be reversed. */
  addStep(kind: StepKind, effect: Change): void {
    if (kind === 'undo') this.#undone.push(invertChange(effect));
    else this.#done.push(effect);
  }
}
