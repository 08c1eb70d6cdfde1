import type { Clock } from '../../electron/core/ports.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { eagerClock } from './clocks/eager-clock.ts';

/** Starts indexing saved transcripts, including long ones; resolves when everything can be found. */
export const indexAll = ({ searchIndex }: Store, clock: Clock = eagerClock): Promise<void> =>
  new Promise((resolve, reject) => {
    searchIndex.startBackgroundIndexing(clock, resolve, reject);
    if (!searchIndex.isBehind) resolve();
  });
