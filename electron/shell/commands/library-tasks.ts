import type { LibraryTask, LibraryTaskProgress, TaskId } from '../../contract/library-task.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { Clock } from '../../core/ports.ts';

/** Milliseconds between two progress events. */
const progressIntervalMs = 100;
/** The maximum tasks that run or wait: the window starts a few, but a compromised page any number. */
const maxTasks = 100;

interface QueuedTask {
  readonly kind: LibraryTask;
  /** `null`: it reports no progress and cannot be cancelled by id. */
  readonly id: TaskId | null;
  readonly controller: AbortController;
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
  /** The tasks that run or wait, in order. */
  #tasks: readonly QueuedTask[] = [];

  constructor(notify: (progress: LibraryTaskProgress) => void, clock: Clock) {
    this.#notify = notify;
    this.#clock = clock;
  }

  /**
   * Runs a task after earlier ones of its kind; resolves with `null` if it was cancelled without a result.
   *
   * @throws ProblemError `too_many_tasks`.
   */
  run<T>(kind: LibraryTask, id: TaskId, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    return this.#run(kind, id, work);
  }

  /** Like {@link run}, but cancels all other tasks of this kind, and reports no progress. */
  runLatest<T>(kind: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    this.cancelAll(kind);
    return this.#run(kind, null, work);
  }

  /** Cancels all tasks of a kind. */
  cancelAll(kind: LibraryTask): void {
    for (const task of this.#tasks) if (task.kind === kind) task.controller.abort();
  }

  /** Cancels a task, whether it has started or waits. */
  cancel(id: TaskId): void {
    this.#tasks.find((task) => task.id === id)?.controller.abort();
  }

  async #run<T>(
    kind: LibraryTask,
    id: TaskId | null,
    work: (options: TaskOptions) => Promise<T>,
  ): Promise<T | null> {
    if (this.#tasks.length >= maxTasks) throw new ProblemError({ code: 'too_many_tasks' });
    const predecessor = this.#tasks.findLast((task) => task.kind === kind);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const task: QueuedTask = { kind, id, controller: new AbortController(), ended };
    this.#tasks = [...this.#tasks, task];
    const { signal } = task.controller;
    try {
      if (predecessor !== undefined) {
        this.#notifyProgress(id, { isWaiting: true, done: 0, total: 0 });
        await waitForEndOrAbort(predecessor, signal);
      }
      return signal.aborted ? null : await work(this.#optionsFor(id, signal));
    } catch (error) {
      if (error instanceof CancelledError) return null;
      throw error;
    } finally {
      this.#tasks = this.#tasks.filter((other) => other !== task);
      // If this task was cancelled while waiting, its successor must still wait for its predecessor.
      void Promise.resolve(predecessor?.ended).then(end);
    }
  }

  #notifyProgress(id: TaskId | null, progress: Omit<LibraryTaskProgress, 'task'>): void {
    if (id !== null) this.#notify({ task: id, ...progress });
  }

  #optionsFor(id: TaskId | null, signal: AbortSignal): TaskOptions {
    // The task no longer waits: it starts now.
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
function waitForEndOrAbort(task: QueuedTask, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return Promise.race([task.ended, aborted]);
}
