import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { maxRows } from '../../../../../electron/contract/limits.ts';
import { defaultJobOptions } from '../../../../../electron/contract/options.ts';
import { AddSheet, type AddSheetOptions } from '../../../../../electron/core/queue/adding/add-sheet.ts';
import { unknownDuration } from '../../../../../electron/core/media/duration-prober.ts';
import { inspectFile, inspectInBatches } from '../../../../../electron/core/media/inspect-files.ts';
import { isPreferredCopy } from '../../../../../electron/core/queue/adding/duplicates.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { silentWav } from '../../../../support/speech/quick-speech.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../../store/store-kit.ts';

/** Opens a sheet that finds nothing unless `options` say so. */
const openSheet = ({ sheets }: Store, options: Partial<AddSheetOptions> = {}): AddSheet =>
  new AddSheet({
    clock: new ManualClock(),
    service: () => 'on-device',
    options: defaultJobOptions,
    findDuplicate: async () => null,
    currentDuplicate: (duplicate) => duplicate,
    inspect: async function* () {},
    probeDuration: async () => unknownDuration,
    send: () => undefined,
    sheets,
    saved: sheets.load(),
    isPreferredCopy: () => false,
    ...options,
  });

const duplicates = (sheet: AddSheet) => sheet.view({ group: 'duplicates', offset: 0, limit: 9 }).rows;

/** Returns what a sheet says about files that cannot be added. */
const refusedOn = (sheet: AddSheet) => {
  const { rows, summary } = sheet.view({ group: 'rejected', offset: 0, limit: 9 });
  return {
    rejected: rows.map(({ name, problem }) => [name, problem?.code]),
    skipped: summary.skippedFiles,
  };
};

it('shows stored paths that cannot be inspected as rejections with the reason', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const { sheets } = store;
  sheets.add(sheets.open(defaultJobOptions), { paths: ['/season 9'], links: ['https://a.example/b.mp3'] });
  const batch = openSheet(store, {
    // oxlint-disable-next-line require-yield -- it fails before it has found anything
    inspect: async function* () {
      throw new Error('the thread that examines recordings has ended');
    },
  });
  const rejected = () => batch.view({ group: 'rejected', offset: 0, limit: 9 }).rows;
  await expect.poll(() => rejected().map(({ name }) => name)).toEqual(['season 9', 'b.mp3']);
  expect(rejected()[0]?.problem).toMatchObject({
    code: 'internal',
    detail: expect.stringContaining('ended'),
  });
  batch.close();
});

it('counts a recording once, even if it is named several times', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const sheet = openSheet(store, {
    inspect: async function* () {
      yield [{ kind: 'link', url: 'https://a.example/b.mp3', name: 'b.mp3', folderLabel: 'a.example' }];
    },
  });
  await sheet.add([], ['https://a.example/b.mp3']);
  expect(sheet.sum({ ids: [1, 1, 1] }).recordings).toBe(1);
  sheet.close();
});

it('holds what is rejected or skipped once, even if its folder is dropped again or restored', async () => {
  const root = await testFolder();
  const store = openStore(root);
  onTestFinished(() => store.close());
  const folder = join(root, 'season');
  await mkdir(join(folder, 'notes'), { recursive: true });
  const empty = join(folder, 'empty.wav');
  for (const name of ['empty.wav', 'cover.jpg', 'notes/plan.docx', 'notes/module.ts'])
    await writeFile(join(folder, name), name === 'notes/module.ts' ? 'export {};' : '');
  const open = (): AddSheet => openSheet(store, { inspect: inspectInBatches });
  const once = { rejected: [['empty.wav', 'file_empty']], skipped: 3 };
  const sheet = open();
  await sheet.add([folder], []);
  expect(refusedOn(sheet)).toEqual(once);
  await sheet.add([folder], []);
  await sheet.add([join(folder, 'notes'), empty], []);
  expect(refusedOn(sheet).skipped).toBe(3);
  expect(refusedOn(sheet).rejected.filter(([name]) => name === 'empty.wav')).toHaveLength(1);
  sheet.close();
  const restored = open();
  await restored.add([folder], []);
  expect(refusedOn(restored).skipped).toBe(3);
  // Once it can be transcribed, it is not rejected any more.
  await writeFile(empty, silentWav(1));
  await restored.add([folder], []);
  expect(refusedOn(restored).rejected.filter(([name]) => name === 'empty.wav')).toEqual([]);
  expect(restored.view({ group: 'ready', offset: 0, limit: 9 }).rows).toMatchObject([{ name: 'empty.wav' }]);
  restored.close();
});

it('sums up the durations of each accuracy', async () => {
  const folder = await testFolder();
  const store = openStore(folder);
  onTestFinished(() => store.close());
  const sheet = openSheet(store, {
    probeDuration: async (path) => ({ seconds: Number(basename(path, '.wav')), unmeasured: null }),
    inspect: async function* (paths) {
      for (const path of paths) yield [await inspectFile(path)];
    },
  });
  const durations = [1, 2, 4];
  const paths = durations.map((duration) => join(folder, `${duration}.wav`));
  for (const [index, path] of paths.entries()) await writeFile(path, silentWav(durations[index] ?? 0));
  await sheet.add(paths, []);
  const seconds = () => sheet.view({ group: 'ready', offset: 0, limit: 0 }).summary.secondsByAccuracy;
  await expect.poll(seconds).toEqual({ fast: 0, balanced: 7, accurate: 0 });
  sheet.setDefaultOptions({ accuracy: 'fast' });
  sheet.setOptions({ ids: [1] }, { accuracy: 'accurate' });
  sheet.include({ ids: [2] }, false);
  expect(seconds()).toEqual({ fast: 4, balanced: 0, accurate: 1 });
  sheet.clearOptions({ ids: [1] });
  expect(seconds()).toEqual({ fast: 5, balanced: 0, accurate: 0 });
  sheet.close();
});

it('does not restore a sheet that was closed on a full disk, and deletes it once there is space', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const database = new Database(store.path);
  onTestFinished(() => void database.close());
  const countSheets = (): unknown => database.prepare('SELECT count(*) FROM sheets').pluck().get();
  const closed = openSheet(store);
  await closed.add(['/season'], []);
  closed.setHidden(true);
  database.exec("CREATE TRIGGER no_room BEFORE DELETE ON sheets BEGIN SELECT RAISE(ABORT, 'no room'); END");
  closed.discard();
  expect(store.sheets.load()).toBeNull();
  const open = openSheet(store, {
    inspect: async function* () {
      yield [{ kind: 'link', url: 'https://a.example/b.mp3', name: 'b.mp3', folderLabel: 'a.example' }];
    },
  });
  await open.add([], ['https://a.example/b.mp3']);
  expect(store.sheets.load()?.additions).toEqual([{ paths: [], links: ['https://a.example/b.mp3'] }]);
  expect(countSheets()).toBe(2);

  database.exec('DROP TRIGGER no_room');
  store.sheets.load();
  expect(countSheets()).toBe(1);
  open.close();
});

it('includes a recording that is to be transcribed again, even after a restart', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const link = {
    kind: 'link',
    url: 'https://a.example/b.mp3',
    name: 'b.mp3',
    folderLabel: 'a.example',
  } as const;
  const known: Partial<AddSheetOptions> = {
    findDuplicate: async () => ({ kind: 'transcript', transcriptId: 1, isTrashed: false, name: 'b.mp3' }),
    inspect: async function* () {
      yield [link];
    },
  };
  const sheet = openSheet(store, known);
  const options = { ...defaultJobOptions, language: 'en', terms: ['Haddad'] };
  await sheet.addAgain(link, options);
  expect(duplicates(sheet)).toMatchObject([{ name: 'b.mp3', included: true, options, ownOptions: false }]);
  sheet.close();
  const restored = openSheet(store, known);
  await expect.poll(() => duplicates(restored)).toMatchObject([{ name: 'b.mp3', included: true, options }]);
  restored.close();
});

it('may be discarded while a recording that is to be transcribed again is being inspected', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const link = { kind: 'link', url: 'https://a.example/b.mp3', name: 'b.mp3', folderLabel: '' } as const;
  const sheet = openSheet(store, {
    inspect: async function* () {
      yield [link];
    },
  });
  await sheet.add([], [link.url]);
  const adding = sheet.addAgain(link, null);
  sheet.discard();
  await adding;
  expect(store.sheets.load()).toBeNull();
});

it('offers a recording that was only attached to an imported transcript as new, and names the transcript', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const sheet = openSheet(store, {
    findDuplicate: async () => ({ kind: 'imported', transcriptId: 1, isTrashed: false, name: 'Interview' }),
    inspect: async function* () {
      yield [{ kind: 'link', url: 'https://a.example/b.mp3', name: 'b.mp3', folderLabel: 'a.example' }];
    },
  });
  await sheet.add([], ['https://a.example/b.mp3']);
  expect(sheet.view({ group: 'ready', offset: 0, limit: 9 }).rows).toMatchObject([
    { included: true, duplicate: { kind: 'imported', name: 'Interview' } },
  ]);
  sheet.close();
});

it('includes only the preferred one of two copies of a recording that was attached to an imported transcript', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const folder = await testFolder();
  await mkdir(join(folder, 'CARD'));
  // The copy lies nearer to the root.
  const names = ['talk (1).mp4', 'talk.mp4'];
  const paths = [join(folder, 'talk (1).mp4'), join(folder, 'CARD', 'talk.mp4')];
  for (const path of paths) await writeFile(path, silentWav(1));
  const sheet = openSheet(store, {
    findDuplicate: async () => ({ kind: 'imported', transcriptId: 1, isTrashed: false, name: 'Interview' }),
    isPreferredCopy: (recording, other) => isPreferredCopy(store, recording, other),
    inspect: async function* () {
      for (const path of paths) yield [await inspectFile(path)];
    },
  });
  await sheet.add(paths, []);
  expect(sheet.chosen()).toMatchObject([{ recording: { path: paths[1] } }]);
  expect(duplicates(sheet)).toMatchObject([
    { name: names[0], included: false, duplicate: { kind: 'copy', name: names[1] } },
  ]);
  sheet.close();
});

it('stores a choice for many recordings in several commits, and all of it when it is closed before', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const urls = Array.from({ length: 250 }, (_, index) => `https://a.example/${index}.mp3`);
  const sheet = openSheet(store, {
    inspect: async function* () {
      yield urls.map((url) => ({ kind: 'link', url, name: url.slice(-9), folderLabel: 'a.example' }));
    },
  });
  await sheet.add([], urls);
  const everything = { all: 'ready', except: [] } as const;
  const countStored = () => store.sheets.load()?.choices.length;
  const choosing = sheet.setOptions(everything, { language: 'de' });
  expect(countStored()).toBe(100);
  sheet.close();
  expect(countStored()).toBe(250);
  await choosing;
});

it('has a limit, and says that there is more', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  let found = 0;
  const sheet = openSheet(store, {
    inspect: async function* () {
      while (found < maxRows + 1000) {
        found += 64;
        yield Array.from({ length: 64 }, (_, index) => ({
          kind: 'rejected' as const,
          location: `${found - index}`,
          name: 'b.mp3',
          folderLabel: '',
          problem: { code: 'invalid_link' as const },
        }));
      }
    },
  });
  await sheet.add([], ['http://a.example/b.mp3']);
  await sheet.add([], ['http://a.example/b.mp3']);
  expect(found).toBeLessThan(maxRows + 200);
  const { total, rows } = sheet.view({ group: 'rejected', offset: maxRows, limit: 9 });
  expect(total).toBe(maxRows + 1);
  expect(rows).toMatchObject([{ name: 'b.mp3', problem: { code: 'sheet_full' } }]);
  sheet.close();
});
