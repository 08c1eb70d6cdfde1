import { pause } from '../../pause.ts';
import type { Clock } from '../../ports.ts';
import type { TaskOptions } from './task-thread.ts';

/** Between two pieces of work, for whatever else the main process has to do. */
const restMs = 2;

/**
 * Does something with one after the other, for work on the database that only the main process may do: between two of
 * them everything else has its turn.
 *
 * @returns whether it was called off; what is done stays done.
 * @throws what the work throws; the rest is not begun then.
 */
export async function oneByOne<T>(
  all: readonly T[],
  clock: Clock,
  { signal, onProgress }: TaskOptions,
  work: (one: T) => void | Promise<void>,
): Promise<boolean> {
  for (const [index, one] of all.entries()) {
    if (signal.aborted) return true;
    onProgress({ done: index, total: all.length });
    await work(one);
    await pause(clock, restMs);
  }
  return signal.aborted;
}

/**
 * Takes the steps of one piece of work that is too long for one go; between two of them everything else has its turn.
 *
 * @returns `null` when it was called off: the rest is not done then.
 */
export async function stepByStep<T>(
  steps: Generator<void, T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | null> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause(clock, restMs);
    if (signal.aborted) {
      steps.return(undefined as never);
      return null;
    }
  }
}
