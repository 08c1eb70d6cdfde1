import type { ItemId } from '../../../contract/identifiers.ts';
import type { Clock } from '../../ports.ts';
import type { ItemEvent } from '../machine/machine.ts';

/** So many items at once keep the process free for other work in between. */
const sliceLength = 100;
/** How long a slice that could not be stored waits for its next attempt, in milliseconds. */
const againMs = 5_000;

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
  readonly onTrouble: (error: unknown) => void;
  /** Nothing is left to do. */
  readonly onDone: () => void;
}

/** Carries out what the user wants of items, in the order in which it was wanted, however many items it is about. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #open: Command[] = [];

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Whether something is not stored yet. */
  get busy(): boolean {
    return this.#open.length > 0;
  }

  /** Stores the first slice before it returns. @throws the database's error when it cannot; nothing is done then. */
  tell(ids: readonly ItemId[], event: ItemEvent): void {
    const command = { ids, event, done: 0 };
    if (this.busy) {
      this.#open.push(command);
      return;
    }
    this.#slice(command);
    if (command.done < ids.length) {
      this.#open.push(command);
      this.#later(0);
    } else this.#options.onDone();
  }

  /** Brings everything to its end at once. @throws the database's error. */
  finish(): void {
    for (const command of this.#open.splice(0))
      while (command.done < command.ids.length) this.#slice(command);
  }

  /** Forgets what is not stored yet. */
  drop(): void {
    this.#open.length = 0;
  }

  #later(delayMs: number): void {
    this.#options.clock.schedule(delayMs, () => this.#goOn());
  }

  #goOn(): void {
    const command = this.#open[0];
    if (command === undefined) return;
    try {
      this.#slice(command);
    } catch (error) {
      this.#options.onTrouble(error);
      this.#later(againMs);
      return;
    }
    if (command.done >= command.ids.length) this.#open.shift();
    if (this.busy) this.#later(0);
    else this.#options.onDone();
  }

  #slice(command: Command): void {
    this.#options.apply(command.ids.slice(command.done, command.done + sliceLength), command.event);
    command.done += sliceLength;
  }
}
