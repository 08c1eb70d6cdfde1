import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import type { NewItem } from '../../../../electron/core/store/item-store.ts';
import { Store, type StoreOptions } from '../../../../electron/core/store/store.ts';
import { systemRandom } from '../../../../electron/core/system.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A store on `folder` that nobody else uses. */
export const openStore = (folder: string, options: Partial<StoreOptions> = {}): Store =>
  new Store({
    folder,
    program: 'command-line',
    clock: new ManualClock(),
    random: systemRandom,
    onLost: () => undefined,
    ...options,
  });

/** A link that has just been added. */
export const newLink = (url: string): NewItem => ({
  service: 'https://cloud.example',
  source: { kind: 'link', url },
  name: url,
  place: '',
  durationSeconds: null,
  options: defaultJobOptions,
  addedAt: 0,
  seed: systemRandom.uuid(),
});
