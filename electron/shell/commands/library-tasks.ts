import type { LibraryTask, LibraryTaskProgress, TaskId } from '../../contract/library-task.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { Clock } from '../../core/ports.ts';

/** Milliseconds between two progress events. */
const progressIntervalMs = 100;

interface QueuedTask {
  readonly kind: LibraryTask;
  /** `null`: it reports no progress and cannot be cancelled by id. */
  readonly id: TaskId | null;
  readonly stop: AbortController;
  /** Resolves when it has ended, with or without an error. */
  readonly ended: Promise<void>;
}

/**
 * Runs the long tasks of the library for one window, which is notified of their progress and can cancel them. Tasks of
 * one kind run one after the other.
 */
export class LibraryTasks {
  readonly #notify: (progress: LibraryTaskProgress) => void;
  readonly #clock: Clock;
  /** Those that run or wait, in order. */
  #queued: readonly QueuedTask[] = [];

  constructor(notify: (progress: LibraryTaskProgress) => void, clock: Clock) {
    this.#notify = notify;
    this.#clock = clock;
  }

  /** Runs a task after earlier ones of its kind. `null` if it was cancelled without a result. */
  run<T>(kind: LibraryTask, id: TaskId, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    return this.#run(kind, id, work);
  }

  /** Cancels all tasks of a kind and runs this one instead, without progress. `null` as above. */
  runLatest<T>(kind: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    for (const task of this.#queued) if (task.kind === kind) task.stop.abort();
    return this.#run(kind, null, work);
  }

  /** Cancels one run, whether it has started or waits. */
  cancel(id: TaskId): void {
    this.#queued.find((task) => task.id === id)?.stop.abort();
  }

  async #run<T>(
    kind: LibraryTask,
    id: TaskId | null,
    work: (options: TaskOptions) => Promise<T>,
  ): Promise<T | null> {
    const before = this.#queued.findLast((task) => task.kind === kind);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const task: QueuedTask = { kind, id, stop: new AbortController(), ended };
    this.#queued = [...this.#queued, task];
    const { signal } = task.stop;
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
      this.#queued = this.#queued.filter((other) => other !== task);
      // If this task was cancelled while waiting, its successor must still wait for its predecessor.
      void Promise.resolve(before?.ended).then(end);
    }
  }

  #notifyProgress(id: TaskId | null, progress: Omit<LibraryTaskProgress, 'task'>): void {
    if (id !== null) this.#notify({ task: id, ...progress });
  }

  #watch(id: TaskId | null, signal: AbortSignal): TaskOptions {
    // The user has answered all dialogs; the task starts now.
    this.#notifyProgress(id, { isWaiting: false, done: 0, total: 0 });
    let notifiedAt = -Infinity;
    return {
      signal,
      onProgress: (progress) => {
        const now = this.#clock.now();
        if (now - notifiedAt < progressIntervalMs) return;
        notifiedAt = now;
        this.#notifyProgress(id, { isWaiting: false, ...progress });
      },
    };
  }
}

/** Waits for the end of a task, or for the signal. */
function endOrAbort(task: QueuedTask, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return Promise.race([task.ended, aborted]);
}
