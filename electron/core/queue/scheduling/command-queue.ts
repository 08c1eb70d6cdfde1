import type { ItemId } from '../../../contract/identifiers.ts';
import type { Clock } from '../../ports.ts';
import type { ItemEvent } from '../machine/machine.ts';

/** So many items at once keep the process free for other work in between. */
const sliceSize = 100;
/** How long a slice that could not be stored waits for its next attempt, in milliseconds. */
const retryMs = 5_000;

/** An event for many items. */
interface Command {
  readonly ids: readonly ItemId[];
  readonly event: ItemEvent;
  /** How many of `ids` it has been applied to, from the first on. */
  done: number;
}

export interface CommandQueueOptions {
  readonly clock: Clock;
  /** Stores what `event` makes of `ids`, all or none. @throws the database's error. */
  readonly apply: (ids: readonly ItemId[], event: ItemEvent) => void;
  /** A later slice could not be stored; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Nothing is left to do. */
  readonly onDone: () => void;
}

/** Carries out what the user wants of items, in the order in which it was wanted, however many items it is about. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #pending: Command[] = [];

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Whether something is not stored yet. */
  get isBusy(): boolean {
    return this.#pending.length > 0;
  }

  /** Stores the first slice before it returns. @throws the database's error when it cannot; nothing is done then. */
  dispatch(ids: readonly ItemId[], event: ItemEvent): void {
    const command = { ids, event, done: 0 };
    if (this.isBusy) {
      this.#pending.push(command);
      return;
    }
    this.#applySlice(command);
    if (command.done < ids.length) {
      this.#pending.push(command);
      this.#schedule(0);
    } else this.#options.onDone();
  }

  /** Brings everything to its end at once. @throws the database's error. */
  finish(): void {
    for (const command of this.#pending.splice(0))
      while (command.done < command.ids.length) this.#applySlice(command);
  }

  /** Forgets what is not stored yet. */
  drop(): void {
    this.#pending.length = 0;
  }

  #schedule(delayMs: number): void {
    this.#options.clock.schedule(delayMs, () => this.#runNextSlice());
  }

  #runNextSlice(): void {
    const command = this.#pending[0];
    if (command === undefined) return;
    try {
      this.#applySlice(command);
    } catch (error) {
      this.#options.onError(error);
      this.#schedule(retryMs);
      return;
    }
    if (command.done >= command.ids.length) this.#pending.shift();
    if (this.isBusy) this.#schedule(0);
    else this.#options.onDone();
  }

  #applySlice(command: Command): void {
    this.#options.apply(command.ids.slice(command.done, command.done + sliceSize), command.event);
    command.done += sliceSize;
  }
}
