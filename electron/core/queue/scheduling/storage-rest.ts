import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';

/** How long a full disk is left alone before it is looked at again. */
const restMs = 5_000;

export interface StorageRestOptions {
  readonly clock: Clock;
  /** Throws while nothing can be stored. */
  readonly proveRoom: () => void;
  /** Called when it is time to look again. */
  readonly onOver: () => void;
}

/** Keeps the queue still while nothing can be stored: what cannot be remembered must not be begun. */
export class StorageRest {
  readonly #options: StorageRestOptions;
  #problem: Problem | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: StorageRestOptions) {
    this.#options = options;
  }

  /** Why the queue rests; `null` when it does not. */
  get problem(): Problem | null {
    return this.#problem;
  }

  begin(error: unknown): void {
    const { clock, onOver } = this.#options;
    this.#problem = storageProblem(error);
    this.#cancel?.();
    this.#cancel = clock.schedule(restMs, () => {
      this.#cancel = null;
      onOver();
    });
  }

  /** Lets the next look come at once. */
  hurry(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Whether the queue may go on; looks for room when the rest is over. @throws the database's error without room. */
  isOver(): boolean {
    if (this.#cancel !== null) return false;
    if (this.#problem !== null) this.#options.proveRoom();
    this.#problem = null;
    return true;
  }
}
