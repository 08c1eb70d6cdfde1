import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../../electron/core/store/store.ts';
import { RecentTranscripts } from '../../../../electron/shell/window/recent-transcripts.ts';
import { WindowStateStore } from '../../../../electron/shell/window/window-state.ts';
import { quietLogger } from '../../../support/core.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { saveTranscript } from '../../core/library/library-kit.ts';
import { openStore } from '../../core/store/store-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let changes: number;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
  changes = 0;
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const open = (): RecentTranscripts =>
  new RecentTranscripts({
    state: new WindowStateStore(folder.path, quietLogger),
    listNames: (ids) => store.library.listNames(ids),
    onChange: () => (changes += 1),
  });
const names = (recent: RecentTranscripts) => recent.entries.map(({ name }) => name);

it('remembers what was opened last across starts, under its current name, unless it is in the trash', () => {
  const ids = Array.from({ length: 12 }, (_, index) =>
    saveTranscript(store, `Talk ${index}`, ['Hi.'], index),
  );
  const recent = open();
  ids.forEach((id, createdAt) => recent.add({ id, createdAt }));
  recent.add({ id: ids[5] ?? 0, createdAt: 5 });
  expect(names(recent)).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((index) => `Talk ${index}`));

  changes = 0;
  recent.refresh();
  expect(changes).toBe(0);
  store.library.rename(ids[11] ?? 0, 'Keynote');
  store.library.trash(ids.slice(5, 6), 50);
  recent.refresh();
  expect(changes).toBe(1);
  expect(names(open()).slice(0, 2)).toEqual(['Keynote', 'Talk 10']);
  store.library.restore(ids.slice(5, 6));
  expect(names(open())[0]).toBe('Talk 5');
  recent.clear();
  expect(names(open())).toEqual([]);
});

it('does not take a transcript for a deleted one whose id it got', () => {
  const id = saveTranscript(store, 'Another', ['Hi.'], 3);
  const recent = open();
  recent.add({ id, createdAt: 1 });
  expect(names(recent)).toEqual([]);
});
