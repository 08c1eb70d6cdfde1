import type { Clock } from '../../ports.ts';

/** The minimum interval between two updates, in milliseconds. */
const minIntervalMs = 100;

/** Sends the view of one part of a list to one listener at a limited rate, however fast the list changes. */
export class ListSubscription<Part, View> {
  readonly #clock: Clock;
  readonly #view: (part: Part) => View;
  readonly #send: (view: View) => void;
  readonly #onClose: (subscription: ListSubscription<Part, View>) => void;
  #part: Part;
  #cancel: (() => void) | null = null;

  constructor(options: {
    readonly clock: Clock;
    /** The part that is watched before {@link setPart} is called. */
    readonly part: Part;
    readonly view: (part: Part) => View;
    readonly send: (view: View) => void;
    readonly onClose: (subscription: ListSubscription<Part, View>) => void;
  }) {
    this.#clock = options.clock;
    this.#part = options.part;
    this.#view = options.view;
    this.#send = options.send;
    this.#onClose = options.onClose;
  }

  /** Watches another part and returns its current view. */
  setPart(part: Part): View {
    this.#part = part;
    return this.#view(part);
  }

  /** Reports that something in the list has changed. */
  notifyChanged(): void {
    this.#cancel ??= this.#clock.schedule(minIntervalMs, () => {
      this.#cancel = null;
      this.#send(this.#view(this.#part));
    });
  }

  /** Sends pending changes at once: the user has just made them. */
  flush(): void {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#send(this.#view(this.#part));
  }

  close(): void {
    this.#cancel?.();
    this.#onClose(this);
  }
}
