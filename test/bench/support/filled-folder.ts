import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Store } from '../../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../../electron/core/system.ts';

/** Creates a filled data folder for the program. Returns its path. */
export async function filledFolder(
  path: string,
  fill: (store: Store) => void = () => undefined,
): Promise<string> {
  const store = new Store({
    folder: path,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
  fill(store);
  await store.close();
  const settings = { service: 'on-device', addWithoutAsking: true, keepWorkingWhenClosed: false };
  await writeFile(join(path, 'settings.json'), JSON.stringify(settings));
  return path;
}
