import { randomUUID } from 'node:crypto';
import type { Clock, Random } from '../core/ports.ts';

/** The computer's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { next: () => Math.random(), uuid: () => randomUUID() };
