import type { Clock } from '../../../electron/core/ports.ts';

/** In milliseconds. A timer that repeats, such as the renewal of a lease, would otherwise keep a processor busy. */
const maxWait = 20;

/** Real time, except that no wait takes long. */
export const eagerClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, maxWait));
    return () => clearTimeout(timer);
  },
};
