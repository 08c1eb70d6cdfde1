import type { TaskOptions } from '../../electron/core/library/task/run-task.ts';

/** Options of a long task without progress and without cancellation. */
export const unwatched: TaskOptions = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
