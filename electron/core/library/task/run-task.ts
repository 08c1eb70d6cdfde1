import type { TaskProgress } from '../../../contract/library-task.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { CancelledError, type HandlerInput, type HandlerResult } from '../../../workers/protocol.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { LibraryTaskHandlers } from './library-task-worker.ts';

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

/** Returns the options of a task that another signal cancels, too. */
export const cancelledWith = ({ signal, onProgress }: TaskOptions, other: AbortSignal): TaskOptions => ({
  signal: AbortSignal.any([signal, other]),
  onProgress,
});

/** Lets long synchronous work in a thread check for cancellation and report its progress. */
export interface TaskContext {
  /** @throws CancelledError once the task was cancelled. */
  throwIfCancelled(): void;
  reportProgress(progress: TaskProgress): void;
}

/** Enough for the longest transcript with the segments before and after a replacement. */
const maxHeapMb = 2048;

/**
 * Runs one task in a thread that ends with it.
 *
 * @throws CancelledError if the signal is aborted before the task is done, ProblemError if it fails.
 */
export async function runTask<K extends keyof LibraryTaskHandlers>(
  url: URL,
  task: K,
  input: HandlerInput<LibraryTaskHandlers[K]>,
  { signal, onProgress }: TaskOptions,
): Promise<HandlerResult<LibraryTaskHandlers[K]>> {
  const worker = new WorkerClient<LibraryTaskHandlers>({ name: 'library task', url, maxHeapMb });
  // Every task reports a `TaskProgress`.
  const onUpdate = onProgress as (update: unknown) => never;
  try {
    // A cancelled search has no result, and may be within a match that takes long.
    const waitsForCancelled = task !== 'find';
    return await worker.request(task, input, { signal, waitsForCancelled, onUpdate });
  } catch (error) {
    throw error instanceof CancelledError ? error : new ProblemError(storageProblem(error));
  } finally {
    await worker.close();
  }
}
