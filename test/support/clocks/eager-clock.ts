import type { Clock } from '../../../electron/core/ports.ts';

/** Real time, except that every wait ends at once. */
export const eagerClock: Clock = {
  now: () => Date.now(),
  schedule: (_delayMs, callback) => {
    const timer = setTimeout(callback, 1);
    return () => clearTimeout(timer);
  },
};
