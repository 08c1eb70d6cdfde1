import { randomUUID } from 'node:crypto';
import type { Clock, Random } from './ports.ts';

/** The computer's own time. */
export const systemClock: Clock = {
  // oxlint-disable-next-line no-restricted-globals -- this is the port
  now: () => Date.now(),
  schedule(delayMs, callback) {
    // oxlint-disable-next-line no-restricted-globals -- this is the port
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The computer's own chance. */
export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => randomUUID(),
};
