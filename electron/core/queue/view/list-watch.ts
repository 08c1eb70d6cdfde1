import type { Clock } from '../../ports.ts';

/** At most one batch of changes in so many milliseconds. */
const batchMs = 100;

/** Tells one onlooker how its part of a list is, in batches, however fast the list changes. */
export class ListWatch<Part, View> {
  readonly #clock: Clock;
  readonly #view: (part: Part) => View;
  readonly #tell: (view: View) => void;
  readonly #onEnd: (watch: ListWatch<Part, View>) => void;
  #part: Part;
  #cancel: (() => void) | null = null;

  constructor(options: {
    readonly clock: Clock;
    /** What is looked at before {@link look} is called. */
    readonly part: Part;
    readonly view: (part: Part) => View;
    readonly tell: (view: View) => void;
    readonly onEnd: (watch: ListWatch<Part, View>) => void;
  }) {
    this.#clock = options.clock;
    this.#part = options.part;
    this.#view = options.view;
    this.#tell = options.tell;
    this.#onEnd = options.onEnd;
  }

  /** Looks at another part, and answers how it is now. */
  look(part: Part): View {
    this.#part = part;
    return this.#view(part);
  }

  /** Something in the list has changed. */
  touch(): void {
    this.#cancel ??= this.#clock.schedule(batchMs, () => {
      this.#cancel = null;
      this.#tell(this.#view(this.#part));
    });
  }

  /** Tells of changes at once: somebody has made them and waits to see them. */
  flush(): void {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#tell(this.#view(this.#part));
  }

  end(): void {
    this.#cancel?.();
    this.#onEnd(this);
  }
}
