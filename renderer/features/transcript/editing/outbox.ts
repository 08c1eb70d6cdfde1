import type { EditState } from '../../../../electron/contract/transcript.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';
import { asProblem } from '../../../notices.ts';
import type { MadeEdit } from './on-top.ts';

/** Something on its way to the main process. */
export interface Outgoing {
  readonly kind: 'edit' | 'step' | 'accept';
  /** How the transcript stands then; `null` when that is as before. */
  readonly send: () => Promise<EditState | null>;
  /** What it is, of an edit. */
  readonly edit?: MadeEdit;
}

export interface OutboxListener {
  /** Everything has been answered; the last answer was this. */
  answered(state: EditState | null): void;
  /** The first of what is on its way was refused. All that follows waits for {@link Outbox.retry}. */
  failed(problem: Problem): void;
}

/** What was done in a transcript and is not answered yet, in its order. */
export class Outbox {
  readonly #listener: OutboxListener;
  #unanswered: Outgoing[] = [];
  #isStuck = false;

  constructor(listener: OutboxListener) {
    this.#listener = listener;
  }

  get isEmpty(): boolean {
    return this.#unanswered.length === 0;
  }

  /** Whether something in it makes another revision. */
  get changes(): boolean {
    return this.#unanswered.some(({ kind }) => kind !== 'accept');
  }

  put(outgoing: Outgoing): void {
    this.#unanswered.push(outgoing);
    // After a failure everything waits for its turn.
    if (this.#isStuck) this.retry();
    else void this.#dispatch(outgoing);
  }

  /** Sends again what could not be stored. */
  retry(): void {
    this.#isStuck = false;
    for (const outgoing of this.#unanswered.slice()) void this.#dispatch(outgoing);
  }

  /** Takes back everything that is not answered, in its order. */
  take(): readonly Outgoing[] {
    const taken = this.#unanswered;
    this.#unanswered = [];
    this.#isStuck = false;
    return taken;
  }

  async #dispatch(outgoing: Outgoing): Promise<void> {
    try {
      const state = await outgoing.send();
      const at = this.#unanswered.indexOf(outgoing);
      if (at < 0) return;
      this.#unanswered.splice(at, 1);
      // An answer to what is not the last edit is older than what is on screen.
      if (this.isEmpty) this.#listener.answered(state);
    } catch (error) {
      // What follows a failed edit fails with it, and tells nothing new.
      if (this.#unanswered[0] !== outgoing) return;
      this.#isStuck = true;
      this.#listener.failed(asProblem(error));
    }
  }
}
