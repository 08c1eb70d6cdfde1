import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';

/** The delay before a full disk is checked again, in milliseconds. */
const retryAfterMs = 5_000;

export interface StorageBackoffOptions {
  readonly clock: Clock;
  /** Throws while nothing can be stored. */
  readonly assertWritableSpace: () => void;
  /** Called when it is time to check again. */
  readonly onRetry: () => void;
}

/** Pauses the queue while nothing can be stored: never start what cannot be persisted. */
export class StorageBackoff {
  readonly #options: StorageBackoffOptions;
  #problem: Problem | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: StorageBackoffOptions) {
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
    this.#cancel = clock.schedule(retryAfterMs, () => {
      this.#cancel = null;
      onRetry();
    });
  }

  /** Ends the delay before the next check. */
  clearDelay(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Whether the queue may continue; checks for free space after the delay. @throws the database's error. */
  canResume(): boolean {
    if (this.#cancel !== null) return false;
    if (this.#problem !== null) this.#options.assertWritableSpace();
    this.#problem = null;
    return true;
  }
}
