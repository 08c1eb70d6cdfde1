import { LibraryReplacer } from '../../electron/core/library/replace/replace-in-all.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { replaceRequest } from '../../renderer/features/library/replace/replace-choices.ts';
import { eagerClock } from './clocks/eager-clock.ts';
import { defaultTaskOptions } from './default-task-options.ts';

/** Replaces “on the …” and “on …” by “at …” in all transcripts, by a regular expression. */
export async function replaceWords(store: Store, worker: URL): Promise<void> {
  const replacer = new LibraryReplacer({ store, clock: eagerClock, worker, onChange: () => undefined });
  const query = {
    text: String.raw`\bon (the )?(\w+)`,
    matchCase: false,
    wholeWords: false,
    mode: 'pattern',
  } as const;
  const found = await replacer.find(query, null, defaultTaskOptions);
  if (!('groups' in found)) throw new Error(found.failure);
  const request = replaceRequest(query, 'at $2', found.groups, false);
  if (request === null) throw new Error('too long');
  await replacer.run(request, defaultTaskOptions);
}
