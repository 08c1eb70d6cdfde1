import { copyFile, mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Longhand } from '../../electron/core/longhand.ts';
import type { AddSheet } from '../../electron/core/queue/adding/add-sheet.ts';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { add, rowsOf } from '../support/core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import { kit, record, rows, summary, names, measured, cloud } from '../support/sheet-kit.ts';

describe('the sheet', () => {
  it('summarizes what was found, each recording rounded up to minutes separately', async () => {
    const { folder, batch } = await kit();
    for (const seconds of [1, 60, 61]) await record(join(folder, 'season', `${seconds}.wav`), seconds);
    await batch.add([join(folder, 'season')], ['https://a.example/talk.mp3']);
    expect(names(rows(batch))).toEqual(['1.wav', '60.wav', '61.wav', 'talk.mp3']);
    expect(await measured(batch)).toMatchObject({
      counts: { ready: 4, duplicates: 0, rejected: 0 },
      measured: 3,
      toMeasure: 3,
      chosen: { recordings: 4, seconds: 122, credits: 4, unknownDurations: 1 },
      service: cloud,
    });
  });

  it('leaves out what is damaged, unless it is included, even after a restart', async () => {
    const { folder, longhand, batch } = await kit();
    const intact = await record(join(folder, 'a.wav'), 3);
    const [damaged, wanted] = [join(folder, 'b.mp3'), join(folder, 'c.mp3')];
    await writeFile(damaged, Buffer.alloc(9000, 'x\0y'));
    await writeFile(wanted, Buffer.alloc(9000, 'x\0z'));
    const incomplete = await record(join(folder, 'd.wav'), 10);
    await truncate(incomplete, Math.round((await stat(incomplete)).size * 0.3));
    await batch.add([intact, damaged, wanted, incomplete], []);
    expect(await measured(batch)).toMatchObject({
      leftOut: 3,
      chosen: { recordings: 1, unknownDurations: 0 },
    });
    expect(rows(batch)).toMatchObject([
      { included: true, unmeasured: null },
      { included: false, unmeasured: 'damaged' },
      { included: false, unmeasured: 'damaged' },
      { included: false, unmeasured: null, presentPercent: 30 },
    ]);
    await batch.include({ ids: [3] }, true);
    expect(summary(batch)).toMatchObject({ leftOut: 2, chosen: { recordings: 2, unknownDurations: 1 } });
    batch.close();
    const restored = longhand.queue.restoreAddSheet({
      service: () => cloud,
      options: defaultJobOptions,
      send: () => undefined,
    });
    if (restored === null) throw new Error('the sheet was not restored');
    while (summary(restored).phase !== 'ready') await sleep(5);
    expect(names(rows(restored).filter(({ included }) => included))).toEqual(['a.wav', 'c.mp3']);
    restored.close();
  });

  it('offers the options of the last batch while they differ', async () => {
    const { folder, longhand } = await kit();
    const lastOptions = {
      options: { ...defaultJobOptions, language: 'de', terms: ['Haddad'] },
      formats: ['vtt'],
    } as const;
    const sheet = longhand.queue.newAddSheet({
      service: () => cloud,
      options: defaultJobOptions,
      lastOptions,
      send: () => undefined,
    });
    await sheet.add([await record(join(folder, 'a.wav'), 3)], []);
    expect(summary(sheet).canUseLastOptions).toBe(true);
    sheet.useLastOptions();
    expect(summary(sheet)).toMatchObject({ ...lastOptions, canUseLastOptions: false });
    expect(sheet.batchOptions).toEqual(lastOptions);
    expect(sheet.chosen()).toMatchObject([{ options: lastOptions.options }]);
    sheet.close();
  });

  it('adds nothing automatically, nor when it is closed', async () => {
    const { folder, longhand, batch } = await kit();
    await batch.add([await record(join(folder, 'a.wav'), 3)], []);
    await measured(batch);
    batch.discard();
    expect(rowsOf(longhand)).toEqual([]);
  });

  it('lists rejections with their reasons', async () => {
    const { folder, batch } = await kit();
    await writeFile(join(folder, 'notes.mp3'), 'Dear Anna');
    await writeFile(join(folder, 'empty.wav'), '');
    await batch.add(
      [join(folder, 'notes.mp3'), join(folder, 'empty.wav'), join(folder, 'gone')],
      ['http://a.b/c'],
    );
    expect(rows(batch, 'rejected').map(({ name, problem }) => `${name}: ${problem?.code}`)).toEqual([
      'notes.mp3: not_media',
      'empty.wav: file_empty',
      'gone: path_missing',
      'http://a.b/c: insecure_remote_url',
    ]);
    expect(summary(batch).chosen.recordings).toBe(0);
  });

  it('finds duplicates by content, on the sheet and in the queue', async () => {
    const { folder, longhand, batch } = await kit();
    const queued = await record(join(folder, 'queued.wav'), 3);
    await add(longhand, [queued], cloud);
    const first = await record(join(folder, 'first.wav'), 4);
    const [again, copy] = [join(folder, 'again.wav'), join(folder, 'copy.wav')];
    await copyFile(first, again);
    await copyFile(queued, copy);
    await batch.add([first, again, copy, first], []);
    expect(names(rows(batch))).toEqual(['first.wav']);
    expect(
      rows(batch, 'duplicates').map(({ name, duplicate, included }) => ({ name, duplicate, included })),
    ).toEqual([
      { name: 'again.wav', duplicate: { kind: 'copy', name: 'first.wav' }, included: false },
      {
        name: 'copy.wav',
        duplicate: { kind: 'queue', itemId: rowsOf(longhand)[0]?.id, name: 'queued.wav' },
        included: false,
      },
    ]);
  });

  it('of duplicates takes the one nearest to the top of the tree, however they are found', async () => {
    const { folder, batch } = await kit();
    const deep = await record(join(folder, 'season', 'backup', 'old', 'talk.wav'), 4);
    const top = join(folder, 'season', 'talk (final).wav');
    await copyFile(deep, top);
    await batch.add([deep, top], []);
    expect(names(rows(batch))).toEqual(['talk (final).wav']);
    expect(
      rows(batch, 'duplicates').map(({ name, duplicate, included }) => [name, duplicate, included]),
    ).toEqual([['talk.wav', { kind: 'copy', name: 'talk (final).wav' }, false]]);
    expect(await measured(batch)).toMatchObject({ chosen: { recordings: 1, seconds: 4 } });
  });

  it.each([
    ['Old copies/talk copy.wav', 'Raw/talk.wav'],
    ['talk (1).wav', 'talk.wav'],
    ['Sicherung/talk.wav', 'Tonspuren/talk.wav'],
    ['Archiv/talk - Kopie.wav', 'Archiv/talk.wav'],
    ['copy of talk.wav', 'talk.wav'],
    ['talk_copy2.wav', 'talk.wav'],
    ['talk-1.wav', 'talk.wav'],
    ['Kopie/talk 2.wav', 'Kopie/talk.wav'],
  ])('of the duplicates %s and %s takes the second', async (copied, wanted) => {
    const { folder, batch } = await kit();
    const copy = await record(join(folder, copied), 4);
    const original = join(folder, wanted);
    await mkdir(join(original, '..'), { recursive: true });
    await copyFile(copy, original);
    await batch.add([copy, original], []);
    expect(batch.chosen().map(({ recording }) => 'path' in recording && recording.path)).toEqual([original]);
  });

  it('of duplicates takes the one that was in the queue before', async () => {
    const { folder, longhand, batch } = await kit();
    const deep = await record(join(folder, 'season', 'raw', 'talk.wav'), 4);
    const top = join(folder, 'season', 'talk.wav');
    await copyFile(deep, top);
    longhand.queue.cancel((await add(longhand, [deep], cloud)).ids);
    await batch.add([top, deep], []);
    expect(rows(batch, 'duplicates')).toMatchObject([
      { folderLabel: 'season', duplicate: { kind: 'copy' } },
      { folderLabel: 'raw', duplicate: { kind: 'cancelled' } },
    ]);
  });

  it('says what has become of a recording in the queue since it was found', async () => {
    const { folder, longhand, batch } = await kit();
    const talk = await record(join(folder, 'talk.wav'), 4);
    const { ids } = await add(longhand, [talk], cloud);
    await batch.add([talk], []);
    const kinds = () => rows(batch, 'duplicates').map(({ duplicate }) => duplicate?.kind);
    expect(kinds()).toEqual(['queue']);
    longhand.queue.cancel(ids);
    expect(kinds()).toEqual(['cancelled']);
    await longhand.queue.retry(ids);
    expect(kinds()).toEqual(['queue']);
    longhand.queue.cancel(ids);
    await longhand.queue.remove(ids);
    expect(kinds()).toEqual([]);
    expect(rows(batch)).toMatchObject([{ name: 'talk.wav', included: false, duplicate: null }]);
  });

  it('includes a recording that is transcribed again although it is on the sheet already', async () => {
    const { folder, longhand, batch } = await kit();
    const talk = await record(join(folder, 'talk.wav'), 4);
    await add(longhand, [talk], cloud);
    await batch.add([talk], []);
    expect(rows(batch, 'duplicates')).toMatchObject([{ included: false }]);
    await batch.addAgain({ kind: 'file', path: talk }, null);
    expect(rows(batch, 'duplicates')).toMatchObject([{ included: true }]);
  });

  it('does not add what was included as cancelled, and then retried in the queue', async () => {
    const { folder, longhand, batch } = await kit();
    const talk = await record(join(folder, 'talk.wav'), 4);
    const copy = await record(join(folder, 'backup', 'talk.wav'), 4);
    const { ids } = await add(longhand, [talk], cloud);
    longhand.queue.cancel(ids);
    await batch.add([talk, copy], []);
    await batch.include({ all: 'duplicates', except: [] }, true);
    await longhand.queue.retry(ids);
    expect(rows(batch, 'duplicates')).toMatchObject([
      { included: false, duplicate: { kind: 'queue' } },
      { included: true, duplicate: { kind: 'copy' } },
    ]);
    const { added, rejected } = await longhand.queue.addChosen(batch.chosen(), cloud);
    expect([added, rejected.map(({ problem }) => problem.code)]).toEqual([0, ['already_queued']]);
  });

  it('says what was cancelled in the queue, unless its file is elsewhere now', async () => {
    const { folder, longhand, batch } = await kit();
    const talk = await record(join(folder, 'talk.wav'), 4);
    const before = await record(join(folder, 'before.wav'), 5);
    longhand.queue.cancel((await add(longhand, [talk, before], cloud)).ids);
    await rename(before, join(folder, 'moved.wav'));
    await batch.add([talk, join(folder, 'moved.wav')], []);
    expect(names(rows(batch))).toEqual(['moved.wav']);
    expect(rows(batch, 'duplicates')).toMatchObject([
      { name: 'talk.wav', included: false, duplicate: { kind: 'cancelled' } },
    ]);
  });

  it('does not mistake other content for a duplicate', async () => {
    const { folder, longhand, batch } = await kit();
    const wave = silentWav(10);
    await writeFile(join(folder, 'one.wav'), wave);
    wave[30_000] = 1;
    await writeFile(join(folder, 'other.wav'), wave);
    await add(longhand, [join(folder, 'one.wav')]);
    await batch.add([join(folder, 'other.wav')], []);
    expect(names(rows(batch))).toEqual(['other.wav']);
  });

  it('accepts more while it is open, and notifies in batches', async () => {
    const { folder, batch, views } = await kit();
    batch.setViewport({ group: 'ready', offset: 0, limit: 10 });
    const [a, b] = [await record(join(folder, 'a.wav'), 3), await record(join(folder, 'b.wav'), 4)];
    await Promise.all([batch.add([a], []), batch.add([b], [])]);
    while (views.at(-1)?.summary.phase !== 'ready') await sleep(20);
    expect(names(views.at(-1)?.rows ?? [])).toEqual(['a.wav', 'b.wav']);
  });
});

const importAll = (longhand: Longhand, batch: AddSheet) =>
  batch.importTranscripts((folders) =>
    longhand.library.importFiles(folders, {
      signal: AbortSignal.timeout(60_000),
      onProgress: () => undefined,
    }),
  );
const subtitles = async (path: string): Promise<void> => {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `1\n00:00:01,000 --> 00:00:02,000\nFrom ${path}.\n`);
};

describe('transcripts in the folders', () => {
  it('are imported once, and the sheet has nothing else to do', async () => {
    const { folder, longhand, batch } = await kit();
    for (const name of ['one.srt', 'two.srt']) await subtitles(join(folder, 'texts', name));
    await batch.add([join(folder, 'texts')], []);
    expect(rows(batch, 'rejected')).toEqual([]);
    expect(summary(batch).transcripts).toEqual({ toImport: 2, imported: 0 });
    expect(await importAll(longhand, batch)).toMatchObject({ report: { known: 0 }, isFinished: true });
    expect(summary(batch).transcripts).toEqual({ toImport: 0, imported: 2 });
    expect(longhand.library.counts().total).toBe(2);
  });

  it('are not offered if the import would add nothing, and only those are counted that it adds', async () => {
    const { folder, longhand, batch } = await kit();
    const known = join(folder, 'known');
    await subtitles(join(known, 'one.srt'));
    await longhand.library.importFiles([known], defaultTaskOptions);
    await batch.add([known], []);
    expect(rows(batch, 'rejected')).toMatchObject([{ problem: { code: 'folder_of_known_transcripts' } }]);
    expect(summary(batch).transcripts).toEqual({ toImport: 0, imported: 0 });

    await subtitles(join(folder, 'season', 'two.srt'));
    await copyFile(join(known, 'one.srt'), join(folder, 'season', 'one again.srt'));
    await writeFile(join(folder, 'season', 'readme.txt'), 'What is in here.');
    await writeFile(join(folder, 'season', 'settings.json'), '{"a":1}');
    await record(join(folder, 'season', 'a.wav'), 3);
    await writeFile(join(folder, 'season', 'a.txt'), 'What was said.');
    await batch.add([join(folder, 'season')], []);
    expect(summary(batch)).toMatchObject({ skippedFiles: 4, transcripts: { toImport: 1, imported: 0 } });
    const { report } = await importAll(longhand, batch);
    expect(report).toMatchObject({ added: [{ name: 'two' }], known: 0, rejected: [] });
    expect(summary(batch).transcripts).toEqual({ toImport: 0, imported: 1 });
  });

  it('leave the sheet open beside a recording, and are offered again after a stop', async () => {
    const { folder, longhand, batch } = await kit();
    await subtitles(join(folder, 'season', 'other.srt'));
    await record(join(folder, 'season', 'a.wav'), 3);
    await batch.add([join(folder, 'season')], []);
    const stopped = { added: [], known: 0, trashed: [], guessed: [], rejected: [], unread: 1 };
    expect(await batch.importTranscripts(() => Promise.resolve(stopped))).toMatchObject({
      isFinished: false,
    });
    expect(summary(batch).transcripts).toEqual({ toImport: 1, imported: 0 });
    expect(await importAll(longhand, batch)).toMatchObject({ isFinished: false });
    expect(summary(batch).transcripts).toEqual({ toImport: 0, imported: 1 });
  });
});

describe('a chosen recording', () => {
  it('is added to the queue with its own options, without the excluded ones', async () => {
    const { folder, longhand, batch } = await kit();
    const paths = await Promise.all([1, 2, 3].map((n) => record(join(folder, `${n}.wav`), n)));
    await batch.add(paths, []);
    await measured(batch);
    batch.setDefaultOptions({ language: 'de' });
    batch.setOptions({ all: 'ready', except: [1, 3] }, { accuracy: 'accurate' });
    batch.include({ ids: [3] }, false);
    const { ids } = await longhand.queue.addChosen(batch.chosen(), cloud);
    expect(ids).toHaveLength(2);
    expect(
      rowsOf(longhand).map(({ name, options, durationSeconds }) => [name, options, durationSeconds]),
    ).toEqual([
      ['1.wav', { ...defaultJobOptions, language: 'de' }, 1],
      ['2.wav', { ...defaultJobOptions, language: 'de', accuracy: 'accurate' }, 2],
    ]);
  });

  it('keeps the choice of its formats, even in what the queue says will be saved', async () => {
    const { folder, longhand, batch } = await kit();
    await batch.add([await record(join(folder, 'a.wav'), 3)], []);
    const willBeSaved = () => longhand.autoExports.formatsOfUnfinished();
    expect(willBeSaved()).toBeNull();
    batch.setFormats(['srt', 'docx']);
    expect(summary(batch).formats).toEqual(['srt', 'docx']);
    const {
      ids: [id = 0],
    } = await longhand.queue.addChosen(batch.chosen(), cloud, batch.sheetIds, batch.batchOptions.formats);
    expect(longhand.autoExports.formatsOf(id)).toEqual(['srt', 'docx']);
    expect(willBeSaved()).toEqual(['srt', 'docx']);
    const again = batch.chosen().map((one) => ({ ...one, isAcceptedDuplicate: true }));
    const {
      ids: [plain = 0],
    } = await longhand.queue.addChosen(again, cloud);
    expect(longhand.autoExports.formatsOf(plain)).toBeNull();
    expect(willBeSaved()).toBe('mixed');
    await longhand.queue.addChosen(again, cloud, [], []);
    longhand.queue.cancel([plain]);
    expect(willBeSaved()).toBe('mixed');
    longhand.queue.cancel([id]);
    expect(willBeSaved()).toEqual([]);
  });

  it('may be a duplicate, as the user has seen that', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await add(longhand, [path], cloud);
    await batch.add([path], []);
    batch.include({ all: 'duplicates', except: [] }, true);
    expect(summary(batch).chosen.recordings).toBe(1);
    await longhand.queue.addChosen(batch.chosen(), cloud);
    expect(rowsOf(longhand)).toHaveLength(2);
  });

  it('is not added again if it was added elsewhere while the sheet was open', async () => {
    const { folder, longhand, batch } = await kit();
    const paths = await Promise.all([1, 2].map((n) => record(join(folder, `${n}.wav`), n)));
    await batch.add(paths, []);
    await add(longhand, paths.slice(0, 1), cloud);
    expect(await longhand.queue.addChosen(batch.chosen(), cloud, batch.sheetIds)).toMatchObject({
      added: 1,
      firstAdded: '2.wav',
      rejected: [{ name: '1.wav', problem: { code: 'already_queued' } }],
    });
    expect(rowsOf(longhand).map(({ name }) => name)).toEqual(['1.wav', '2.wav']);
    expect(await longhand.queue.addChosen(batch.chosen(), cloud, batch.sheetIds)).toMatchObject({
      added: 0,
      firstAdded: null,
    });
  });

  it('gets its duration later if it was started at once', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await batch.add([path], []);
    const chosen = batch.chosen().map((one) => ({ ...one, durationSeconds: null }));
    await longhand.queue.addChosen(chosen, cloud);
    while (rowsOf(longhand)[0]?.durationSeconds === null) await sleep(10);
    expect(rowsOf(longhand)[0]?.durationSeconds).toBe(3);
  });

  it('that was deleted meanwhile is reported like any missing file', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await batch.add([path], []);
    await measured(batch);
    await rm(path);
    await longhand.queue.addChosen(batch.chosen(), cloud);
    expect(rowsOf(longhand)).toHaveLength(1);
  });
});
