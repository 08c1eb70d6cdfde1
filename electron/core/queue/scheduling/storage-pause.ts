import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';

/** The delay before a full disk is checked again, in milliseconds. */
const recheckMs = 5_000;

export interface StoragePauseOptions {
  readonly clock: Clock;
  /** Throws while nothing can be stored. */
  readonly assertWritableSpace: () => void;
  /** Called when it is time to check again. */
  readonly onRetry: () => void;
}

/** Pauses the queue while nothing can be stored: never start what cannot be persisted. */
export class StoragePause {
  readonly #options: StoragePauseOptions;
  #problem: Problem | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: StoragePauseOptions) {
    this.#options = options;
  }

  /** Why the queue is paused; `null` when it is not. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Pauses the queue because of an error, and checks again after a delay. */
  start(error: unknown): void {
    const { clock, onRetry } = this.#options;
    this.#problem = storageProblem(error);
    this.#cancel?.();
    this.#cancel = clock.schedule(recheckMs, () => {
      this.#cancel = null;
      onRetry();
    });
  }

  /** Ends the delay before the next check. */
  clearDelay(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Ends the pause if there is space after the delay. Returns whether it has ended. @throws the database's error. */
  tryResume(): boolean {
    if (this.#cancel !== null) return false;
    if (this.#problem !== null) this.#options.assertWritableSpace();
    this.#problem = null;
    return true;
  }
}
