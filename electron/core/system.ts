import { randomUUID } from 'node:crypto';
import type { Clock, Random } from './ports.ts';

/** The clock of the computer. */
export const systemClock: Clock = {
  // oxlint-disable-next-line no-restricted-globals -- this is the port
  now: () => Date.now(),
  schedule(delayMs, callback) {
    // oxlint-disable-next-line no-restricted-globals -- this is the port
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The randomness of the computer. */
export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => randomUUID(),
};
