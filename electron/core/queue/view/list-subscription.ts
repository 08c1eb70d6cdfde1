import type { Clock } from '../../ports.ts';

/** The minimum interval between two updates, in milliseconds. */
const minIntervalMs = 100;

/** Sends the view of the visible part of a list to one listener at a limited rate, however fast the list changes. */
export class ListSubscription<Viewport, View> {
  readonly #clock: Clock;
  readonly #view: (viewport: Viewport) => View;
  readonly #send: (view: View) => void;
  readonly #onClose: (subscription: ListSubscription<Viewport, View>) => void;
  #viewport: Viewport;
  #cancel: (() => void) | null = null;

  constructor(options: {
    readonly clock: Clock;
    /** The part that is visible before {@link setViewport} is called. */
    readonly viewport: Viewport;
    readonly view: (viewport: Viewport) => View;
    readonly send: (view: View) => void;
    readonly onClose: (subscription: ListSubscription<Viewport, View>) => void;
  }) {
    this.#clock = options.clock;
    this.#viewport = options.viewport;
    this.#view = options.view;
    this.#send = options.send;
    this.#onClose = options.onClose;
  }

  /** Changes the visible part and returns its current view. */
  setViewport(viewport: Viewport): View {
    this.#viewport = viewport;
    return this.#view(viewport);
  }

  /** Reports that something in the list has changed. */
  notifyChanged(): void {
    this.#cancel ??= this.#clock.schedule(minIntervalMs, () => {
      this.#cancel = null;
      this.#send(this.#view(this.#viewport));
    });
  }

  /** Sends pending changes at once: the user has just made them. */
  flush(): void {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#send(this.#view(this.#viewport));
  }

  close(): void {
    this.#cancel?.();
    this.#onClose(this);
  }
}
