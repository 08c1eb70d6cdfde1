import { Worker } from 'node:worker_threads';
import type { TaskProgress } from '../../../contract/model/library-task.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { BackupResults, BackupSettings, BackupTask, FromBackupThread } from './backup-protocol.ts';
import { CancelledError } from './task-watch.ts';

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

/**
 * Carries out one task in a thread of its own.
 *
 * @param workerUrl the built `backup-worker.ts`, or the file itself where Node runs TypeScript.
 * @throws CancelledError when the signal was aborted before it was done, ProblemError when it failed.
 */
export async function runBackupTask<K extends BackupTask['kind']>(
  workerUrl: URL,
  task: BackupTask & { readonly kind: K },
  { signal, onProgress }: TaskOptions,
): Promise<BackupResults[K]> {
  const cancelled = new SharedArrayBuffer(4);
  const cancel = (): void => void Atomics.store(new Int32Array(cancelled), 0, 1);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const settings: BackupSettings = { task, cancelled };
  const worker = new Worker(workerUrl, { workerData: settings, name: 'backup' });
  try {
    return await new Promise<BackupResults[K]>((resolve, reject) => {
      worker.on('message', (message: FromBackupThread) => {
        if (message.kind === 'progress') onProgress(message.progress);
        // The thread answers the task that it was started with.
        else if (message.kind === 'done') resolve(message.result as BackupResults[K]);
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
