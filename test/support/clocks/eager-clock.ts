import type { Clock } from '../../../electron/core/ports.ts';

/** Not 0: a repeating timer, such as the renewal of a lease, would keep a processor busy. */
const maxWaitMs = 20;

/** Real time, except that no wait takes long. */
export const eagerClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, maxWaitMs));
    return () => clearTimeout(timer);
  },
};
