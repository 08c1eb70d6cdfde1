import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Waveform } from '../../../../electron/contract/waveform.ts';
import { Library } from '../../../../electron/core/library/library.ts';
import { fileStamp } from '../../../../electron/core/media/file-stamp.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { quietLogger } from '../../../support/core.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { openStore } from '../store/store-kit.ts';
import { saveTranscript } from './library-kit.ts';

const waveform: Waveform = { sliceSeconds: [60, null], peaks: Uint8Array.of(1, 200, 0, 0) };
const unwatched = { signal: new AbortController().signal, onProgress: () => undefined };

const ignore = (): void => undefined;

let folder: TemporaryFolder;
let store: Store;
let library: Library;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(join(folder.path, 'data'));
  library = openLibrary();
});
afterEach(async () => {
  await library.close();
  await store.close();
  await folder.remove();
});

function openLibrary(): Library {
  return new Library({
    store,
    clock: eagerClock,
    logger: quietLogger,
    onChange: ignore,
    onTextsChanged: ignore,
  });
}

const kept = (): Promise<readonly string[]> => readdir(join(folder.path, 'data', 'waveforms'));
const stampOf = async (path: string): Promise<string> => fileStamp(path, await stat(path));

/** A transcript of a recording with a cached waveform. */
async function saveHeard(name: string, path = join(folder.path, `${name}.mp3`)): Promise<number> {
  await writeFile(path, name);
  const id = saveTranscript(store, name, ['words']);
  store.transcripts.setRecording(id, { path, sizeBytes: name.length, fingerprint: null });
  await library.waveforms.store(path, await stampOf(path), waveform);
  return id;
}

it('a waveform is cached until the recording changes, and then replaced by the next one', async () => {
  await saveHeard('here');
  const path = join(folder.path, 'here.mp3');
  expect(await library.waveforms.get(path)).toEqual(waveform);
  await writeFile(path, 'another recording');
  expect(await library.waveforms.get(path)).toBeNull();
  await library.waveforms.store(path, await stampOf(path), waveform);
  expect(await kept()).toHaveLength(1);
  expect(await library.waveforms.get(path)).toEqual(waveform);
});

it('a waveform is removed with the last transcript of its recording, even if the recording is missing', async () => {
  const shared = join(folder.path, 'shared.mp3');
  const first = await saveHeard('first', shared);
  const second = await saveHeard('second', shared);
  const gone = await saveHeard('gone');
  const stays = await saveHeard('stays');
  expect(await kept()).toHaveLength(3);
  await library.trash([first, second, gone]);
  await rm(join(folder.path, 'gone.mp3'));

  await library.purge([first, gone], unwatched);
  await expect.poll(kept).toHaveLength(2);
  expect(await library.waveforms.get(shared)).toEqual(waveform);
  await library.purge([second, stays], unwatched);
  await expect.poll(kept).toHaveLength(1);
  expect(await library.waveforms.get(join(folder.path, 'stays.mp3'))).toEqual(waveform);
});

it('leftovers are removed at the start: of older versions, killed runs and replaced libraries', async () => {
  await saveHeard('here');
  const waveforms = join(folder.path, 'data', 'waveforms');
  const [name = ''] = await kept();
  await writeFile(join(waveforms, `${'c2f00d'.padEnd(32, '0')}.json`), '{}');
  await writeFile(join(waveforms, `${name}.part`), '{');
  await library.waveforms.store('/a/library/before.mp3', 'f'.repeat(32), waveform);
  await library.close();
  library = openLibrary();
  library.start();
  await expect.poll(kept).toEqual([name]);
});

it('a recording without a waveform has none in the cache', async () => {
  library.start();
  await library.waveforms.removeOthers(() => {
    throw new Error('nobody needs to know');
  });
  await mkdir(join(folder.path, 'data', 'waveforms'));
  expect(await library.waveforms.get(join(folder.path, 'none.mp3'))).toBeNull();
});

it('files that are not waveforms are kept, as the user may have chosen a folder with files', async () => {
  const path = join(folder.path, 'talk.mp3');
  await saveHeard('talk');
  const waveforms = join(folder.path, 'data', 'waveforms');
  const [own = ''] = await kept();
  const foreign = ['cover.png', 'notes.json', `${own}.backup`];
  for (const name of foreign) await writeFile(join(waveforms, name), '');
  await library.waveforms.store(path, await stampOf(path), waveform);
  await library.waveforms.removeOthers(() => []);
  expect((await kept()).toSorted()).toEqual(foreign.toSorted());
});
