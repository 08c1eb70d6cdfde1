import type { Clock } from '../../ports.ts';
import type { TaskOptions } from './run-task.ts';
import { TimeSlices } from '../../time-slices.ts';

/**
 * Does something with one after the other, for work on the database that only the main process may do: every few
 * milliseconds everything else has its turn.
 *
 * @returns whether it was called off; what is done stays done.
 * @throws what the work throws; the rest is not begun then.
 */
export async function forEachYielding<T>(
  all: readonly T[],
  clock: Clock,
  { signal, onProgress }: TaskOptions,
  work: (one: T, slices: TimeSlices) => void | Promise<void>,
): Promise<boolean> {
  const slices = new TimeSlices(clock);
  for (const [index, one] of all.entries()) {
    if (signal.aborted) return true;
    onProgress({ done: index, total: all.length });
    await work(one, slices);
    await slices.rest();
  }
  return signal.aborted;
}

/**
 * Takes the steps of one piece of work that is too long for one go; between them everything else has its turn.
 *
 * @returns `null` when it was called off: the rest is not done then.
 */
export async function runSteps<T>(
  steps: Generator<void, T>,
  slices: TimeSlices,
  signal: AbortSignal,
): Promise<T | null> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await slices.rest();
    if (signal.aborted) {
      steps.return(undefined as never);
      return null;
    }
  }
}
