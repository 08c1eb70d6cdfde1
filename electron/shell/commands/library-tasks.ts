import type { LibraryTask, LibraryTaskProgress, TaskId } from '../../contract/library-task.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { Clock } from '../../core/ports.ts';

/** Progress is told no more often than this. */
const progressIntervalMs = 100;

interface QueuedTask {
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
  readonly #notify: (progress: LibraryTaskProgress) => void;
  readonly #clock: Clock;
  /** Those that go on or wait, in their order. */
  #queued: readonly QueuedTask[] = [];

  constructor(notify: (progress: LibraryTaskProgress) => void, clock: Clock) {
    this.#notify = notify;
    this.#clock = clock;
  }

  /** Runs a task once those of its kind before it are over. `null` when it was called off and tells nothing else. */
  run<T>(kind: LibraryTask, id: TaskId, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    return this.#run(kind, id, work);
  }

  /** Ends everything of a kind and runs this in its place; nobody hears how far it has come. `null` as above. */
  runLatest<T>(kind: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    for (const turn of this.#queued) if (turn.kind === kind) turn.stop.abort();
    return this.#run(kind, null, work);
  }

  /** Calls off one run, whether it has begun or waits. */
  cancel(id: TaskId): void {
    this.#queued.find((turn) => turn.id === id)?.stop.abort();
  }

  async #run<T>(
    kind: LibraryTask,
    id: TaskId | null,
    work: (options: TaskOptions) => Promise<T>,
  ): Promise<T | null> {
    const before = this.#queued.findLast((turn) => turn.kind === kind);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own: QueuedTask = { kind, id, stop: new AbortController(), ended };
    this.#queued = [...this.#queued, own];
    const { signal } = own.stop;
    try {
      if (before !== undefined) {
        this.#notifyProgress(id, { isWaiting: true, done: 0, total: 0 });
        await endOrAbort(before, signal);
      }
      return signal.aborted ? null : await work(this.#watch(id, signal));
    } catch (error) {
      if (error instanceof CancelledError) return null;
      throw error;
    } finally {
      this.#queued = this.#queued.filter((turn) => turn !== own);
      // Whoever comes after one that was called off while it waited still waits for the one before.
      void Promise.resolve(before?.ended).then(end);
    }
  }

  #notifyProgress(id: TaskId | null, progress: Omit<LibraryTaskProgress, 'task'>): void {
    if (id !== null) this.#notify({ task: id, ...progress });
  }

  #watch(id: TaskId | null, signal: AbortSignal): TaskOptions {
    // The user has been asked everything: it begins.
    this.#notifyProgress(id, { isWaiting: false, done: 0, total: 0 });
    let toldAt = -Infinity;
    return {
      signal,
      onProgress: (progress) => {
        const now = this.#clock.now();
        if (now - toldAt < progressIntervalMs) return;
        toldAt = now;
        this.#notifyProgress(id, { isWaiting: false, ...progress });
      },
    };
  }
}

/** Waits for the end of a turn, or until nobody waits any more. */
function endOrAbort(turn: QueuedTask, signal: AbortSignal): Promise<void> {
  const calledOff = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return Promise.race([turn.ended, calledOff]);
}
