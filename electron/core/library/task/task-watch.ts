import type { TaskProgress } from '../../../contract/library-task.ts';

/** What a long piece of work, done in one go in a thread of its own, says and hears meanwhile. */
export interface TaskWatch {
  /** @throws CancelledError once nobody wants the work any more. */
  throwIfCancelled(): void;
  reportProgress(progress: TaskProgress): void;
}

/** The user has called it off. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
