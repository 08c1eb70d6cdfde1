import type { Clock } from './ports.ts';

/** Resolves after `delayMs` on the clock; rejects with the signal's reason if it is aborted. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves when work has ended, or after `maxMs` on the clock; returns whether it ended within that time. */
export function endsWithin(work: Promise<unknown>, maxMs: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancelTimeout = clock.schedule(maxMs, () => resolve(false));
    const onEnd = (): void => {
      cancelTimeout();
      resolve(true);
    };
    work.then(onEnd, onEnd);
  });
}
