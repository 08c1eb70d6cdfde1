import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';

/** How long a full disk is left alone before it is looked at again. */
const retryAfterMs = 5_000;

export interface StorageBackoffOptions {
  readonly clock: Clock;
  /** Throws while nothing can be stored. */
  readonly assertWritableSpace: () => void;
  /** Called when it is time to look again. */
  readonly onRetry: () => void;
}

/** Keeps the queue still while nothing can be stored: what cannot be remembered must not be begun. */
export class StorageBackoff {
  readonly #options: StorageBackoffOptions;
  #problem: Problem | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: StorageBackoffOptions) {
    this.#options = options;
  }

  /** Why the queue rests; `null` when it does not. */
  get problem(): Problem | null {
    return this.#problem;
  }

  start(error: unknown): void {
    const { clock, onRetry: onOver } = this.#options;
    this.#problem = storageProblem(error);
    this.#cancel?.();
    this.#cancel = clock.schedule(retryAfterMs, () => {
      this.#cancel = null;
      onOver();
    });
  }

  /** Lets the next look come at once. */
  retryNow(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Whether the queue may go on; looks for room when the rest is over. @throws the database's error without room. */
  canResume(): boolean {
    if (this.#cancel !== null) return false;
    if (this.#problem !== null) this.#options.assertWritableSpace();
    this.#problem = null;
    return true;
  }
}
