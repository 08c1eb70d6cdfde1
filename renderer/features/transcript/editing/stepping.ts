import type { Change } from '../../../../electron/contract/transcript.ts';
import {
  applyChange,
  invertChange,
  changedPosition,
} from '../../../../electron/core/transcript/edit/change.ts';
import { asProblem, notifyProblem } from '../../../notices.ts';
import type { Fetching } from './fetching.ts';
import type { Sending } from './sending.ts';
import { standing, type SessionState } from './session-state.ts';
import type { ShownState } from './shown-state.ts';

export interface SteppingListener {
  /** An older edit is there: what waits may be stored. */
  fetched(): void;
  /** A step was refused, as the transcript was changed elsewhere. */
  refused(): void;
}

/** Takes edits back and makes them again: at once what was done since the transcript was opened, else as it comes. */
export class Stepping {
  readonly #shown: ShownState;
  readonly #sending: Sending;
  readonly #fetching: Fetching;
  readonly #listener: SteppingListener;
  /** What was done and taken back since the transcript was opened, each the way it was done. */
  #done: Change[] = [];
  #undone: Change[] = [];

  constructor(shown: ShownState, sending: Sending, fetching: Fetching, listener: SteppingListener) {
    this.#shown = shown;
    this.#sending = sending;
    this.#fetching = fetching;
    this.#listener = listener;
  }

  /** Something was done that can be taken back. */
  did(change: Change): void {
    this.#done.push(change);
    this.#undone = [];
  }

  /** What was done is to be asked for from now on. */
  forget(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** Takes the last edit back, or makes it again. Nothing is being fetched. */
  step(kind: 'undo' | 'redo'): void {
    const { canUndo, canRedo } = this.#shown.now;
    if (!(kind === 'undo' ? canUndo : canRedo)) return;
    const known = (kind === 'undo' ? this.#done : this.#undone).pop();
    if (known === undefined) {
      this.#fetching.run((end) => this.#fetch(kind, end));
      return;
    }
    this.#keep(kind, known);
    this.#shown.change({ ...this.#stepped(effectOf(kind, known)), canUndo: true, canRedo: true });
    this.#sending.step(kind);
  }

  async #fetch(kind: 'undo' | 'redo', end: () => void): Promise<void> {
    try {
      const { change, ...state } = await this.#sending.fetchStep(kind);
      end();
      if (change.length > 0) this.#keep(kind, effectOf(kind, change));
      this.#shown.change({ ...standing(state), ...this.#stepped(change) });
      this.#listener.fetched();
    } catch (error) {
      end();
      const problem = asProblem(error);
      // Nothing waits to be saved: it can be asked for once more.
      notifyProblem(problem);
      if (problem.code === 'transcript_changed') this.#listener.refused();
    }
  }

  /** Keeps what was done for the step the other way. */
  #keep(kind: 'undo' | 'redo', done: Change): void {
    (kind === 'undo' ? this.#undone : this.#done).push(done);
  }

  #stepped(change: Change): Pick<SessionState, 'draft' | 'stepped'> {
    const draft = applyChange(this.#shown.now.draft, change);
    return { draft, stepped: changedPosition(draft, change) ?? this.#shown.now.stepped };
  }
}

/** What a step does to the draft, from what was done; and the other way round. */
const effectOf = (kind: 'undo' | 'redo', change: Change): Change =>
  kind === 'undo' ? invertChange(change) : change;
