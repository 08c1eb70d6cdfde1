import type { TaskOptions } from '../../electron/core/library/task/run-task.ts';

/** For what takes a while, where nobody looks how far it has come and nobody calls it off. */
export const unwatched: TaskOptions = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
