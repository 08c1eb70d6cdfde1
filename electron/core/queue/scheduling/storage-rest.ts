import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';

/** How long a full disk is left alone before it is looked at again. */
const restMs = 5_000;

/** Keeps the queue still while nothing can be stored: what cannot be remembered must not be begun. */
export class StorageRest {
  readonly #clock: Clock;
  readonly #proveRoom: () => void;
  readonly #onOver: () => void;
  #problem: Problem | null = null;
  #cancel: (() => void) | null = null;

  /**
   * @param proveRoom throws while nothing can be stored.
   * @param onOver called when it is time to look again.
   */
  constructor(clock: Clock, proveRoom: () => void, onOver: () => void) {
    this.#clock = clock;
    this.#proveRoom = proveRoom;
    this.#onOver = onOver;
  }

  /** Why the queue rests; `null` when it does not. */
  get problem(): Problem | null {
    return this.#problem;
  }

  begin(error: unknown): void {
    this.#problem = storageProblem(error);
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(restMs, () => {
      this.#cancel = null;
      this.#onOver();
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
    if (this.#problem !== null) this.#proveRoom();
    this.#problem = null;
    return true;
  }
}
