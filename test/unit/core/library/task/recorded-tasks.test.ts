import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportReport } from '../../../../../electron/contract/library-commands.ts';
import type { RestoreReport } from '../../../../../electron/contract/backup.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { openLibrary, saveTranscript } from '../library-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let library: Library;
let chosen: string;
let backup: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(join(folder.path, 'data'));
  library = openLibrary(store);
  saveTranscript(store, 'Earlier', ['Before the import.']);
  chosen = join(folder.path, 'chosen');
  await mkdir(chosen);
  for (const name of ['a', 'b', 'c']) await writeFile(join(chosen, `${name}.txt`), `Text of ${name}.`);
  backup = join(folder.path, 'library.longhand');
});
afterEach(async () => {
  await library.close();
  await store.close();
  await folder.remove();
});

/** Returns options with which the program closes at this progress. */
function closeAt(done: number, total: number) {
  let closing = Promise.resolve();
  const onProgress = (progress: { readonly done: number; readonly total: number }): void => {
    if (progress.done === done && progress.total === total) closing = library.close();
  };
  const reopen = async (): Promise<void> => {
    await closing;
    library = openLibrary(store);
  };
  return { options: { ...defaultTaskOptions, onProgress }, reopen };
}

/** Imports the folder; the program closes after `done` of its files. */
async function importUntil(done: number): Promise<void> {
  const { options, reopen } = closeAt(done, 3);
  await library.recordedTasks.run('import', [chosen], (onFound) =>
    library.importFiles([chosen], options, onFound),
  );
  await reopen();
}

const resumeImport = (): Promise<ImportReport | null> =>
  library.recordedTasks.resume('import', (paths, onFound) =>
    library.importFiles(paths, defaultTaskOptions, onFound),
  );

/** Restores a backup of five transcripts; the program closes after `done` of them. */
async function restoreUntil(done: number): Promise<void> {
  const other = openStore(join(folder.path, 'other'));
  const otherLibrary = openLibrary(other);
  for (const name of ['a', 'b', 'c', 'd', 'e']) saveTranscript(other, name, [`Text of ${name}.`]);
  await otherLibrary.backups.write(backup, { appVersion: '1.2.3', replace: false }, defaultTaskOptions);
  await otherLibrary.close();
  await other.close();
  await library.backups.open(backup, defaultTaskOptions);
  // The transcript whose restore has begun becomes complete.
  const { options, reopen } = closeAt(done - 1, 5);
  await library.recordedTasks.run('restore', [backup], (onFound) =>
    library.backups.restore(options, onFound),
  );
  await reopen();
}

const resumeRestore = (options = defaultTaskOptions): Promise<RestoreReport | null> =>
  library.recordedTasks.resume('restore', (paths, onFound) =>
    library.backups.restoreAll(paths, options, onFound),
  );

const importedTwo = { task: { kind: 'import' }, name: 'chosen', count: { done: 2, total: 3 } };
const restoredTwo = { task: { kind: 'restore' }, name: 'library.longhand', count: { done: 2, total: 5 } };

/** Expects that nothing is interrupted, now or at the next start. */
async function expectNothingInterrupted(): Promise<void> {
  expect(library.recordedTasks.interrupted).toStrictEqual([]);
  await expect(access(join(folder.path, 'data', 'unfinished-tasks.json'))).rejects.toThrow('ENOENT');
}

it('reports an import that the end of the program interrupted, and imports the rest', async () => {
  await importUntil(2);
  expect(library.recordedTasks.interrupted).toStrictEqual([importedTwo]);
  expect(await resumeImport()).toMatchObject({ added: [{ name: 'c' }], known: 2, unread: null });
  await expectNothingInterrupted();
  expect(await resumeImport()).toBeNull();
});

it('reports a restore that the end of the program interrupted, and restores the rest', async () => {
  await restoreUntil(2);
  expect(library.recordedTasks.interrupted).toStrictEqual([restoredTwo]);
  expect(await resumeRestore()).toStrictEqual({ added: 3, addedAsCopies: 0, outcome: 'finished' });
  await expectNothingInterrupted();
});

it('counts what was done before a second interruption', async () => {
  await importUntil(1);
  await restoreUntil(2);
  const { options, reopen } = closeAt(0, 3);
  await resumeRestore(options);
  await reopen();
  expect(library.recordedTasks.interrupted).toStrictEqual([
    { ...importedTwo, count: { done: 1, total: 3 } },
    { ...restoredTwo, count: { done: 3, total: 5 } },
  ]);
});

it('keeps what cannot be found, and resumes it once it is there', async () => {
  await importUntil(2);
  await restoreUntil(2);
  const away = join(folder.path, 'away');
  for (const [path, resume] of [
    [chosen, resumeImport],
    [backup, resumeRestore],
  ] as const) {
    await rename(path, away);
    await expect(resume()).rejects.toMatchObject({ problem: { code: 'interrupted_missing' } });
    expect(library.recordedTasks.interrupted).toContainEqual(path === chosen ? importedTwo : restoredTwo);
    await library.close();
    library = openLibrary(store);
    expect(library.recordedTasks.interrupted).toContainEqual(path === chosen ? importedTwo : restoredTwo);
    await rename(away, path);
    expect(await resume()).not.toBeNull();
  }
  await expectNothingInterrupted();
});

it('keeps the import of a folder that is empty now, like the one at which a drive is mounted', async () => {
  await importUntil(2);
  for (const name of ['a', 'b', 'c']) await rm(join(chosen, `${name}.txt`));
  await expect(resumeImport()).rejects.toMatchObject({ problem: { code: 'interrupted_missing' } });
  expect(library.recordedTasks.interrupted).toStrictEqual([importedTwo]);
});

it('resumes what can be found of several, and keeps the rest', async () => {
  const gone = join(folder.path, 'gone');
  void library.recordedTasks.run('import', [gone, chosen], () => new Promise(() => undefined));
  // A kill: nothing is closed or finished.
  const killed = library;
  library = openLibrary(store);
  await killed.close();
  expect(library.recordedTasks.interrupted).toStrictEqual([
    { task: { kind: 'import' }, name: 'gone', count: null },
  ]);
  expect(await resumeImport()).toMatchObject({ added: [{}, {}, {}], rejected: [] });
  expect(library.recordedTasks.interrupted).toStrictEqual([
    { task: { kind: 'import' }, name: 'gone', count: null },
  ]);
  library.recordedTasks.dismiss('import');
  await expectNothingInterrupted();
});

it('forgets what is started again and finished', async () => {
  await restoreUntil(2);
  await library.backups.open(backup, defaultTaskOptions);
  const report = await library.recordedTasks.run('restore', [backup], (onFound) =>
    library.backups.restore(defaultTaskOptions, onFound),
  );
  expect(report.added).toBe(3);
  await expectNothingInterrupted();
});

/** Returns paths of 200 characters. */
const manyPaths = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => join(folder.path, `${prefix}${index}`).padEnd(200, '-'));

it('records many tasks up to a length of its file, runs others unrecorded, and opens with all that it recorded', async () => {
  const file = join(folder.path, 'data', 'unfinished-tasks.json');
  let started = 0;
  const runs = Array.from({ length: 3 }, (_, task) =>
    library.recordedTasks.run('import', manyPaths(60_000, `task${task}-`), () => {
      started += 1;
      return new Promise<void>(() => undefined);
    }),
  );
  expect(runs).toHaveLength(started);
  expect((await stat(file)).size).toBeLessThan(32_000_000);
  const killed = library;
  library = openLibrary(store);
  await killed.close();
  expect(library.recordedTasks.interrupted).toMatchObject([{ task: { kind: 'import' }, count: null }]);
  // An interrupted task is not replaced by a restart that cannot be recorded.
  const [interrupted] = JSON.parse(await readFile(file, 'utf8')) as [{ readonly paths: readonly string[] }];
  const restart = [...interrupted.paths, ...manyPaths(60_000, 'more-')];
  expect(await library.recordedTasks.run('import', restart, async () => 'done')).toBe('done');
  expect(library.recordedTasks.interrupted).toHaveLength(1);
});

it('merges any number of tasks, and sets aside a file that it cannot use', async () => {
  const file = join(folder.path, 'data', 'unfinished-tasks.json');
  const tasks = Array.from({ length: 20_000 }, (_, task) => ({
    kind: 'import',
    paths: Array.from({ length: 20 }, (_, path) => `/${task}/${path}`),
    found: { total: 20, done: 1, latest: null },
  }));
  await library.close();
  await writeFile(file, JSON.stringify(tasks));
  library = openLibrary(store);
  expect(library.recordedTasks.interrupted).toStrictEqual([
    { task: { kind: 'import' }, name: '0', count: { done: 20_000, total: 400_000 } },
  ]);
  for (const content of [
    'not JSON',
    JSON.stringify([{ kind: 'import', paths: ['x'.repeat(32_000_000)], found: null }]),
  ]) {
    await library.close();
    await writeFile(file, content);
    library = openLibrary(store);
    expect(library.recordedTasks.interrupted).toStrictEqual([]);
    expect(await readFile(`${file}-broken`, 'utf8')).toBe(content);
    await expect(access(file)).rejects.toThrow('ENOENT');
  }
});
