import type { ItemId, TranscriptId } from '../../../../electron/contract/identifiers.ts';
import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import type { NewItem } from '../../../../electron/core/item/item.ts';
import { Store, type StoreOptions } from '../../../../electron/core/store/store.ts';
import { systemRandom } from '../../../../electron/core/system.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { createEmptyLibrary } from '../../../support/empty-library.ts';

/** Opens a store on `folder`. */
export function openStore(folder: string, options: Partial<StoreOptions> = {}): Store {
  createEmptyLibrary(folder);
  return new Store({
    folder,
    program: 'command-line',
    clock: new ManualClock(),
    random: systemRandom,
    onLeaseLost: () => undefined,
    ...options,
  });
}

/** Adds a link for each name, in order. */
export const addNamed = (store: Store, names: readonly string[]): readonly ItemId[] =>
  store.items.add(names.map((name) => ({ ...newLink(`https://a.example/${name}`), name })));

/** The names of all items, in the order of the queue. */
export const namesInOrder = (store: Store): readonly string[] =>
  store.items.page({ filter: 'all', offset: 0, limit: 10_000 }).map(({ name }) => name);

/** Permanently deletes transcripts in the trash, as the library does, without pauses. */
export function purge(store: Store, ids: readonly TranscriptId[]): void {
  for (const id of ids) if (store.staged.markForRemoval(id)) Array.from(store.staged.remove(id));
}

/** A link that has just been added. */
export const newLink = (url: string): NewItem => ({
  service: 'https://cloud.example',
  source: { kind: 'link', url },
  name: url,
  folderLabel: '',
  durationSeconds: null,
  options: defaultJobOptions,
  addedAt: 0,
  seed: systemRandom.uuid(),
});
