import type { Clock } from '../../electron/core/ports.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { eagerClock } from './clocks/eager-clock.ts';

/** Has the search take in what is saved, also of long transcripts, and go on doing so; resolves when all is found. */
export const caughtUp = ({ searchIndex }: Store, clock: Clock = eagerClock): Promise<void> =>
  new Promise((resolve, reject) => {
    searchIndex.startBackgroundIndexing(clock, resolve, reject);
    if (!searchIndex.isBehind) resolve();
  });
