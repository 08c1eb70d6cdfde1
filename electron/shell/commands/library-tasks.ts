import type { LibraryTask, LibraryTaskProgress, TaskId } from '../../contract/library-task.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { Clock } from '../../core/ports.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

interface Turn {
  readonly kind: LibraryTask;
  /** `null`: nobody hears of it or calls it off by its name. */
  readonly id: TaskId | null;
  readonly stop: AbortController;
  /** Fulfilled once it is over, however it ended. */
  readonly ended: Promise<void>;
}

/**
 * What takes a while in the library, on behalf of one window: it hears how far each run has come and can call it off.
 * Of one kind, one goes on after the other.
 */
export class LibraryTasks {
  readonly #tell: (progress: LibraryTaskProgress) => void;
  readonly #clock: Clock;
  /** Those that go on or wait, in their order. */
  #turns: readonly Turn[] = [];

  constructor(tell: (progress: LibraryTaskProgress) => void, clock: Clock) {
    this.#tell = tell;
    this.#clock = clock;
  }

  /** Runs a task once those of its kind before it are over. `null` when it was called off and tells nothing else. */
  run<T>(kind: LibraryTask, id: TaskId, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    return this.#run(kind, id, work);
  }

  /** Ends everything of a kind and runs this in its place; nobody hears how far it has come. `null` as above. */
  runInstead<T>(kind: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    for (const turn of this.#turns) if (turn.kind === kind) turn.stop.abort();
    return this.#run(kind, null, work);
  }

  /** Calls off one run, whether it has begun or waits. */
  cancel(id: TaskId): void {
    this.#turns.find((turn) => turn.id === id)?.stop.abort();
  }

  async #run<T>(
    kind: LibraryTask,
    id: TaskId | null,
    work: (options: TaskOptions) => Promise<T>,
  ): Promise<T | null> {
    const before = this.#turns.findLast((turn) => turn.kind === kind);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own: Turn = { kind, id, stop: new AbortController(), ended };
    this.#turns = [...this.#turns, own];
    const { signal } = own.stop;
    try {
      if (before !== undefined) {
        this.#tellOf(id, { isWaiting: true, done: 0, total: 0 });
        await endOf(before, signal);
      }
      return signal.aborted ? null : await work(this.#watch(id, signal));
    } catch (error) {
      if (error instanceof CancelledError) return null;
      throw error;
    } finally {
      this.#turns = this.#turns.filter((turn) => turn !== own);
      // Whoever comes after one that was called off while it waited still waits for the one before.
      void Promise.resolve(before?.ended).then(end);
    }
  }

  #tellOf(id: TaskId | null, progress: Omit<LibraryTaskProgress, 'task'>): void {
    if (id !== null) this.#tell({ task: id, ...progress });
  }

  #watch(id: TaskId | null, signal: AbortSignal): TaskOptions {
    // The user has been asked everything: it begins.
    this.#tellOf(id, { isWaiting: false, done: 0, total: 0 });
    let toldAt = -Infinity;
    return {
      signal,
      onProgress: (progress) => {
        const now = this.#clock.now();
        if (now - toldAt < tellEachMs) return;
        toldAt = now;
        this.#tellOf(id, { isWaiting: false, ...progress });
      },
    };
  }
}

/** Waits for the end of a turn, or until nobody waits any more. */
function endOf(turn: Turn, signal: AbortSignal): Promise<void> {
  const calledOff = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return Promise.race([turn.ended, calledOff]);
}
