import { Worker } from 'node:worker_threads';
import type { TaskProgress } from '../../../contract/library-task.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { FromTaskThread, TaskResults, TaskSettings, ThreadTask } from './task-protocol.ts';
import { CancelledError } from './task-watch.ts';

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

/**
 * Carries out one task in a thread of its own.
 *
 * @param workerUrl the built `task-worker.ts`, or the file itself where Node runs TypeScript.
 * @throws CancelledError when the signal was aborted before it was done, ProblemError when it failed.
 */
export async function runTask<K extends ThreadTask['kind']>(
  workerUrl: URL,
  task: ThreadTask & { readonly kind: K },
  { signal, onProgress }: TaskOptions,
): Promise<TaskResults[K]> {
  const cancelled = new SharedArrayBuffer(4);
  const cancel = (): void => void Atomics.store(new Int32Array(cancelled), 0, 1);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const settings: TaskSettings = { task, cancelled };
  const worker = new Worker(workerUrl, { workerData: settings, name: 'library' });
  try {
    return await new Promise<TaskResults[K]>((resolve, reject) => {
      worker.on('message', (message: FromTaskThread) => {
        if (message.kind === 'progress') onProgress(message.progress);
        // The thread answers the task that it was started with.
        else if (message.kind === 'done') resolve(message.result as TaskResults[K]);
        else if (message.kind === 'cancelled') reject(new CancelledError());
        else reject(new ProblemError(message.problem));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('The thread ended before its task was done.')));
    });
  } finally {
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
