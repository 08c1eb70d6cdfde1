import type { LibraryTask } from '../contract/model/library-task.ts';
import type { TaskOptions } from '../core/library/task/task-thread.ts';
import { CancelledError } from '../core/library/task/task-watch.ts';
import type { Clock } from '../core/ports.ts';
import { sendEvent } from './ipc.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

/** What takes a while in the library, on behalf of one window: it hears how far it has come and can call it off. */
export class LibraryTasks {
  readonly #window: Electron.WebContents;
  readonly #clock: Clock;
  readonly #running = new Map<LibraryTask, AbortController>();

  constructor(window: Electron.WebContents, clock: Clock) {
    this.#window = window;
    this.#clock = clock;
  }

  /** Runs a task; one of its kind that still runs is called off. `null` when it was itself, and told nothing else. */
  async run<T>(task: LibraryTask, work: (options: TaskOptions) => Promise<T>): Promise<T | null> {
    this.cancel(task);
    const own = new AbortController();
    this.#running.set(task, own);
    let toldAt = -Infinity;
    // The user has been asked everything: it begins.
    sendEvent(this.#window, 'library.progress', { task, done: 0, total: 0 });
    try {
      return await work({
        signal: own.signal,
        onProgress: (progress) => {
          const now = this.#clock.now();
          if (now - toldAt < tellEachMs) return;
          toldAt = now;
          sendEvent(this.#window, 'library.progress', { task, ...progress });
        },
      });
    } catch (error) {
      if (error instanceof CancelledError) return null;
      throw error;
    } finally {
      if (this.#running.get(task) === own) this.#running.delete(task);
    }
  }

  cancel(task: LibraryTask): void {
    this.#running.get(task)?.abort();
  }
}
