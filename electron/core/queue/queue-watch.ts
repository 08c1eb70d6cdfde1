import type { QueueFilter, QueueView } from '../../contract/model/queue.ts';
import type { Clock } from '../ports.ts';

/** At most one batch of changes in so many milliseconds. */
const batchMs = 100;

/** The part of the queue that somebody looks at. */
export interface Viewport {
  readonly filter: QueueFilter;
  readonly offset: number;
  readonly limit: number;
}

/** Tells one onlooker how its part of the queue is, in batches, however fast the queue changes. */
export class QueueWatch {
  readonly #clock: Clock;
  readonly #view: (viewport: Viewport) => QueueView;
  readonly #tell: (view: QueueView) => void;
  readonly #onEnd: (watch: QueueWatch) => void;
  #viewport: Viewport = { filter: 'all', offset: 0, limit: 0 };
  #cancel: (() => void) | null = null;

  constructor(options: {
    readonly clock: Clock;
    readonly view: (viewport: Viewport) => QueueView;
    readonly tell: (view: QueueView) => void;
    readonly onEnd: (watch: QueueWatch) => void;
  }) {
    this.#clock = options.clock;
    this.#view = options.view;
    this.#tell = options.tell;
    this.#onEnd = options.onEnd;
  }

  /** Looks at another part of the queue, and answers how it is now. */
  look(viewport: Viewport): QueueView {
    this.#viewport = viewport;
    return this.#view(viewport);
  }

  /** Something in the queue has changed. */
  touch(): void {
    this.#cancel ??= this.#clock.schedule(batchMs, () => {
      this.#cancel = null;
      this.#tell(this.#view(this.#viewport));
    });
  }

  end(): void {
    this.#cancel?.();
    this.#onEnd(this);
  }
}
