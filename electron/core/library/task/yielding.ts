import type { Clock } from '../../ports.ts';
import type { TaskOptions } from './run-task.ts';
import { Yielder } from '../../yielder.ts';

/**
 * Runs work for each element, and yields every few milliseconds: for database work that only the main process may do.
 *
 * @returns Whether it was cancelled; completed work stays.
 * @throws the error of `work`, which skips the remaining elements.
 */
export async function forEachYielding<T>(
  all: readonly T[],
  clock: Clock,
  { signal, onProgress }: TaskOptions,
  work: (one: T, yielder: Yielder) => void | Promise<void>,
): Promise<boolean> {
  const yielder = new Yielder(clock);
  for (const [index, one] of all.entries()) {
    if (signal.aborted) return true;
    onProgress({ done: index, total: all.length });
    await work(one, yielder);
    await yielder.yieldIfDue();
  }
  return signal.aborted;
}

/**
 * Runs a generator to its end, and yields between its steps.
 *
 * @returns `null` if it was cancelled, without running the remaining steps
 */
export async function runSteps<T>(
  steps: Generator<void, T>,
  yielder: Yielder,
  signal: AbortSignal,
): Promise<T | null> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yielder.yieldIfDue();
    if (signal.aborted) {
      steps.return(undefined as never);
      return null;
    }
  }
}
