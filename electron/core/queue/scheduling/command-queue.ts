import type { ItemId } from '../../../contract/identifiers.ts';
import type { Clock } from '../../ports.ts';
import type { ItemEvent } from '../machine/machine.ts';

/** Items per commit; small enough to keep the process responsive. */
const sliceSize = 100;
/** The delay before a slice that could not be stored is tried again, in milliseconds. */
const retryMs = 5_000;

/** An event, or another change, for many items. */
interface Command {
  readonly work: ItemEvent | ItemsChange;
  /** The items that it has not been applied to yet, in order. */
  ids: readonly ItemId[];
  /** Called when it has been applied to all of them. */
  readonly onApplied: () => void;
}

/** Changes items in one commit. @throws the database's error. */
type ItemsChange = (ids: readonly ItemId[]) => void;

export interface CommandQueueOptions {
  readonly clock: Clock;
  /** Calls `alsoStore` and applies `event` to all of `ids` in one commit. @throws the database's error. */
  readonly apply: (ids: readonly ItemId[], event: ItemEvent, alsoStore?: () => void) => void;
  /** Called when a later slice could not be stored; it will be tried again. */
  readonly onError: (error: unknown) => void;
  /** Called when no command is left. */
  readonly onDone: () => void;
}

/** Applies the user's commands in order, in slices when a command concerns many items. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #pending: Command[] = [];

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Whether a command is not fully stored yet. */
  get isBusy(): boolean {
    return this.#pending.length > 0;
  }

  /**
   * Stores the first slice before it returns, unless earlier commands are pending.
   *
   * @param alsoStore stores something else with the command: in the commit of its first slice, or at once if it has to wait
   * @throws the database's error; nothing has changed then.
   */
  dispatch(ids: readonly ItemId[], event: ItemEvent, alsoStore?: () => void): void {
    this.#start({ work: event, ids, onApplied: () => undefined }, alsoStore);
  }

  /**
   * Like {@link dispatch}, for another change.
   *
   * @returns a promise that resolves when all items are changed; it does not if the rest is dropped
   */
  change(ids: readonly ItemId[], change: ItemsChange): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#start({ work: change, ids, onApplied: resolve });
    return promise;
  }

  #start(command: Command, alsoStore?: () => void): void {
    if (this.isBusy) {
      alsoStore?.();
      this.#pending.push(command);
      return;
    }
    this.#applySlice(command, alsoStore);
    if (command.ids.length > 0) {
      this.#pending.push(command);
      this.#schedule(0);
      return;
    }
    command.onApplied();
    this.#options.onDone();
  }

  /** Applies all pending commands at once. @throws the database's error. */
  finish(): void {
    for (const command of this.#pending.splice(0)) {
      while (command.ids.length > 0) this.#applySlice(command);
      command.onApplied();
    }
  }

  /** Removes items from the pending commands for whose event `isWithdrawn` returns `true`. */
  withdraw(ids: ReadonlySet<ItemId>, isWithdrawn: (event: ItemEvent) => boolean): void {
    for (const command of this.#pending)
      if (typeof command.work !== 'function' && isWithdrawn(command.work))
        command.ids = command.ids.filter((id) => !ids.has(id));
  }

  /** Drops everything that is not stored yet. */
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
      if (command.ids.length > 0) this.#applySlice(command);
    } catch (error) {
      this.#options.onError(error);
      this.#schedule(retryMs);
      return;
    }
    if (command.ids.length === 0) {
      this.#pending.shift();
      command.onApplied();
    }
    if (this.isBusy) this.#schedule(0);
    else this.#options.onDone();
  }

  #applySlice(command: Command, alsoStore?: () => void): void {
    const slice = command.ids.slice(0, sliceSize);
    if (typeof command.work === 'function') command.work(slice);
    else this.#options.apply(slice, command.work, alsoStore);
    command.ids = command.ids.slice(sliceSize);
  }
}
