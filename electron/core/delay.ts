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

/**
 * Returns a function that gives the milliseconds that have passed on a clock. They never run backwards: a clock that is
 * set back lengthens no wait.
 */
export function steadyTime(clock: Clock): () => number {
  let last = clock.now();
  let passed = 0;
  return () => {
    const now = clock.now();
    passed += Math.max(0, now - last);
    last = now;
    return passed;
  };
}
