import type { LibraryTask, LibraryTaskProgress } from '../../contract/model/library-task.ts';
import type { TaskOptions } from '../../core/library/task/task-thread.ts';
import { CancelledError } from '../../core/library/task/task-watch.ts';
import type { Clock } from '../../core/ports.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

interface Turn {
  readonly stop: AbortController;
  /** Fulfilled once it is over, however it ended. */
  readonly ended: Promise<void>;
}

/**
 * What takes a while in the library, on behalf of one window: it hears how far it has come and can call it off. Of one
 * kind, one goes on after the other.
 */
export class LibraryTasks {
  readonly #tell: (progress: LibraryTaskProgress) => void;
  readonly #clock: Clock;
  /** Those that go on or wait, in their order. */
  readonly #turns = new Map<LibraryTask, readonly Turn[]>();

  constructor(tell: (progress: LibraryTaskProgress) => void, clock: Clock) {
    this.#tell = tell;
    this.#clock = clock;
  }

  /**
   * Runs a task once those of its kind before it are over. A newer text that is looked for ends the search for an older
   * one. `null` when the task was called off and tells nothing else.
   */
  async run<T>(task: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    if (task === 'find') this.cancel(task);
    const before = this.#turns.get(task) ?? [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own: Turn = { stop: new AbortController(), ended };
    this.#turns.set(task, [...before, own]);
    try {
      await before.at(-1)?.ended;
      return own.stop.signal.aborted ? null : await work(this.#watch(task, own.stop.signal));
    } catch (error) {
      if (error instanceof CancelledError) return null;
      throw error;
    } finally {
      this.#turns.set(task, this.#turns.get(task)?.filter((turn) => turn !== own) ?? []);
      end();
    }
  }

  /** Calls off what goes on of a kind, and what waits for it. */
  cancel(task: LibraryTask): void {
    for (const { stop } of this.#turns.get(task) ?? []) stop.abort();
  }

  #watch(task: LibraryTask, signal: AbortSignal): TaskOptions {
    // The user has been asked everything: it begins.
    this.#tell({ task, done: 0, total: 0 });
    let toldAt = -Infinity;
    return {
      signal,
      onProgress: (progress) => {
        const now = this.#clock.now();
        if (now - toldAt < tellEachMs) return;
        toldAt = now;
        this.#tell({ task, ...progress });
      },
    };
  }
}
