import type { TaskProgress } from '../../../contract/library-task.ts';

/** How a task in a thread of its own reports progress and learns of its cancellation. */
export interface TaskWatch {
  /** @throws CancelledError once the task is cancelled */
  throwIfCancelled(): void;
  reportProgress(progress: TaskProgress): void;
}

/** The user has cancelled. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
