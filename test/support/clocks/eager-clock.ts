import type { Clock } from '../../../electron/core/ports.ts';

/** Real time, but for what waits: every wait is over at once. */
export const eagerClock: Clock = {
  now: () => Date.now(),
  schedule: (_delayMs, callback) => {
    const timer = setTimeout(callback, 1);
    return () => clearTimeout(timer);
  },
};
