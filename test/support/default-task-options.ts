import type { TaskOptions } from '../../electron/core/library/task/run-task.ts';

/** Options of a long task without progress and without cancellation. */
export const defaultTaskOptions: TaskOptions = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
