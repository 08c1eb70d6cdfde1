import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Library } from '../../../../../electron/core/library/library.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { openLibrary, saveTranscript } from '../library-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let library: Library;
let paths: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
  library = openLibrary(store);
  saveTranscript(store, 'Earlier', ['Before the import.']);
  paths = [];
  for (const name of ['a', 'b', 'c']) {
    const path = join(folder.path, `${name}.txt`);
    await writeFile(path, `Text of ${name}.`);
    paths.push(path);
  }
});
afterEach(async () => {
  await library.close();
  await store.close();
  await folder.remove();
});

/** Imports all files; the program closes after `done` of them. */
async function importUntil(done: number): Promise<void> {
  const record = library.unfinishedImports.record(paths);
  let closing = Promise.resolve();
  const onProgress = (progress: { readonly done: number }): void => {
    if (progress.done === done) closing = library.close();
  };
  await library.importFiles(paths, { ...defaultTaskOptions, onProgress }, record.found);
  record.finish();
  await closing;
  library = openLibrary(store);
}

it('reports what the end of the program interrupted, and imports the rest', async () => {
  await importUntil(2);
  expect(library.unfinishedImports.interrupted).toStrictEqual({ imported: 2, total: 3 });

  const record = library.unfinishedImports.resume();
  const report = await library.importFiles(record?.paths ?? [], defaultTaskOptions, record?.found);
  expect(report).toMatchObject({ added: [{ name: 'c' }], known: 2, unread: null });
  record?.finish();
  expect(openLibrary(store).unfinishedImports.interrupted).toBeNull();
  await expect(access(join(folder.path, 'unfinished-imports.json'))).rejects.toThrow('ENOENT');
});

it('counts what was imported before a second interruption', async () => {
  await importUntil(1);
  const record = library.unfinishedImports.resume();
  record?.found(paths.length);
  // A kill: nothing is closed or finished.
  expect(openLibrary(store).unfinishedImports.interrupted).toStrictEqual({ imported: 1, total: 3 });
});

it('counts nothing for an import that was waiting, and forgets a dismissed one', () => {
  library.unfinishedImports.record(paths);
  const { unfinishedImports } = openLibrary(store);
  expect(unfinishedImports.interrupted).toStrictEqual({ imported: null });
  unfinishedImports.dismiss();
  expect(openLibrary(store).unfinishedImports.interrupted).toBeNull();
});
