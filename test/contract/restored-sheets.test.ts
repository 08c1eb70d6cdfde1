import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Longhand } from '../../electron/core/longhand.ts';
import type { AddSheet } from '../../electron/core/queue/adding/add-sheet.ts';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { add, openCore, rowsOf } from '../support/core.ts';
import { kit, record, rows, summary, names, measured, cloud } from '../support/sheet-kit.ts';

/** Restarts the program on the same folder, for example after a crash. */
async function nextRun(
  folder: string,
): Promise<{ readonly longhand: Longhand; readonly batch: AddSheet | null }> {
  const longhand = openCore(join(folder, 'data'));
  const batch = longhand.queue.restoreAddSheet({
    service: (chosen) => chosen ?? cloud,
    options: defaultJobOptions,
    send: () => undefined,
  });
  onTestFinished(async () => {
    batch?.close();
    await longhand.close();
  });
  if (batch !== null) await measured(batch);
  return { longhand, batch };
}

const newSheet = ({ queue }: Longhand): AddSheet =>
  queue.newAddSheet({ service: () => cloud, options: defaultJobOptions, send: () => undefined });

const sheetOf = ({ batch }: { readonly batch: AddSheet | null }): AddSheet => {
  if (batch === null) throw new Error('There is no sheet.');
  return batch;
};

describe('a sheet that was open when the program ended', () => {
  it('is restored with the choices made on it', async () => {
    const { folder, longhand, batch } = await kit();
    for (const seconds of [1, 2, 3]) await record(join(folder, 'season', `${seconds}.wav`), seconds);
    await batch.add([join(folder, 'season')], ['https://a.example/talk.mp3']);
    batch.useService('on-device');
    batch.setDefaultOptions({ language: 'de' });
    batch.setOptions({ ids: [2] }, { accuracy: 'accurate' });
    batch.include({ ids: [3] }, false);
    batch.close();
    await longhand.close();

    const next = await nextRun(folder);
    expect(rowsOf(next.longhand)).toEqual([]);
    const again = sheetOf(next);
    expect(summary(again)).toMatchObject({ isRestored: true, service: 'on-device', withOwnOptions: 1 });
    expect(summary(again).options.language).toBe('de');
    expect(rows(again).map(({ name, included, options }) => [name, included, options.accuracy])).toEqual([
      ['1.wav', true, 'balanced'],
      ['2.wav', true, 'accurate'],
      ['3.wav', false, 'balanced'],
      ['talk.mp3', true, 'balanced'],
    ]);
  });

  it('is not restored after it was closed or started', async () => {
    const { folder, longhand, batch } = await kit();
    const paths = await Promise.all([1, 2].map((n) => record(join(folder, `${n}.wav`), n)));
    await batch.add(paths, []);
    await longhand.queue.addChosen(batch.chosen(), cloud, batch.sheetIds);
    batch.close();
    const unwanted = newSheet(longhand);
    await unwanted.add([await record(join(folder, '3.wav'), 3)], []);
    unwanted.discard();
    await longhand.close();
    const next = await nextRun(folder);
    expect(next.batch).toBeNull();
    expect(rowsOf(next.longhand)).toHaveLength(2);
  });

  it.each([
    ['closed', [true], false],
    ['closed and reopened', [true, false], true],
  ])('was %s: whether it is restored after a crash', async (_, states, isRestored) => {
    const { folder, longhand, batch } = await kit();
    await batch.add([await record(join(folder, 'a.wav'), 3)], []);
    for (const isClosed of states) batch.setHidden(isClosed);
    batch.close();
    await longhand.close();
    const { batch: next } = await nextRun(folder);
    expect(next !== null).toBe(isRestored);
  });

  it('is not restored while it has nothing to add, but once it has', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await batch.add([path], []);
    await longhand.queue.addChosen(batch.chosen(), cloud, batch.sheetIds);
    batch.close();
    const empty = newSheet(longhand);
    await empty.add([path], []);
    expect(summary(empty).counts).toStrictEqual({ ready: 0, duplicates: 1, rejected: 0 });
    empty.close();
    await longhand.close();
    const next = await nextRun(folder);
    expect(next.batch).toBeNull();
    const again = newSheet(next.longhand);
    await again.add([path], []);
    await again.add([await record(join(folder, 'b.wav'), 2)], []);
    again.close();
    await next.longhand.close();
    expect(names(rows(sheetOf(await nextRun(folder))))).toStrictEqual(['b.wav']);
  });

  it.each([
    ['reopened', (sheet: AddSheet) => [true, false].forEach((isHidden) => sheet.setHidden(isHidden))],
    [
      'tried out',
      async (sheet: AddSheet) => {
        await sheet.include({ ids: [1] }, true);
        await sheet.include({ ids: [1] }, false);
      },
    ],
  ])('is not restored if it was %s and has only known recordings', async (_, use) => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await add(longhand, [path], cloud);
    await batch.add([path], []);
    await use(batch);
    batch.close();
    await longhand.close();
    expect((await nextRun(folder)).batch).toBeNull();
  });

  it('does not contain recordings that were added to the queue before the end', async () => {
    const { folder, longhand, batch } = await kit();
    const paths = await Promise.all([1, 2].map((n) => record(join(folder, `${n}.wav`), n)));
    await batch.add(paths, []);
    batch.include({ all: 'ready', except: [] }, true);
    // As if the program had ended after the first of two commits.
    await longhand.queue.addChosen(batch.chosen().slice(0, 1), cloud);
    batch.close();
    await longhand.close();
    const again = sheetOf(await nextRun(folder));
    expect(names(rows(again))).toEqual(['2.wav']);
    expect(rows(again, 'duplicates').map(({ name, included }) => [name, included])).toEqual([
      ['1.wav', false],
    ]);
  });

  it('does not add what was included as cancelled and then retried without the sheet, nor a copy of it', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    const copy = await record(join(folder, 'backup', 'a.wav'), 3);
    const { ids } = await add(longhand, [path], cloud);
    longhand.queue.cancel(ids);
    await batch.add([path, copy], []);
    await batch.include({ all: 'duplicates', except: [] }, true);
    batch.close();
    await longhand.queue.retry(ids);
    await longhand.close();
    const next = await nextRun(folder);
    const again = sheetOf(next);
    expect(rows(again, 'duplicates').map(({ duplicate, included }) => [duplicate?.kind, included])).toEqual([
      ['queue', false],
      ['copy', false],
    ]);
    await again.include({ ids: [2] }, true);
    await next.longhand.queue.addChosen(again.chosen(), cloud);
    expect(rowsOf(next.longhand)).toHaveLength(2);
  });

  it('adds what was included although it is in the queue, even a copy of it', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    const copy = await record(join(folder, 'backup', 'a.wav'), 3);
    await add(longhand, [path], cloud);
    await batch.add([path, copy], []);
    await batch.include({ all: 'duplicates', except: [] }, true);
    batch.close();
    await longhand.close();
    const next = await nextRun(folder);
    await next.longhand.queue.addChosen(sheetOf(next).chosen(), cloud);
    expect(rowsOf(next.longhand)).toHaveLength(3);
  });

  it('reports files that were deleted meanwhile', async () => {
    const { folder, longhand, batch } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    await batch.add([path], []);
    batch.close();
    await longhand.close();
    await rm(path);
    const again = sheetOf(await nextRun(folder));
    expect(rows(again, 'rejected').map(({ problem }) => problem?.code)).toEqual(['path_missing']);
  });

  it('contains what was being added without a sheet', async () => {
    const { folder, longhand } = await kit();
    const path = await record(join(folder, 'a.wav'), 3);
    const additions = {
      paths: [path],
      links: [],
      service: cloud,
      options: defaultJobOptions,
      autoExports: null,
      isPersisted: true,
    };
    await longhand.queue.add({ ...additions, signal: new AbortController().signal });
    await expect(
      longhand.queue.add({ ...additions, paths: [join(folder, 'b')], signal: AbortSignal.abort() }),
    ).rejects.toThrow(/abort/i);
    await longhand.close();
    const next = await nextRun(folder);
    expect(rowsOf(next.longhand)).toHaveLength(1);
    expect(rows(sheetOf(next), 'rejected')).toHaveLength(1);
  });

  it('is for the service and the formats that were asked for without a sheet', async () => {
    const { folder, longhand } = await kit();
    const additions = {
      paths: [join(folder, 'a.wav')],
      links: [],
      service: 'on-device',
      options: defaultJobOptions,
      autoExports: [{ format: 'vtt', folder: null }],
      isPersisted: true,
      signal: AbortSignal.abort(),
    } as const;
    await expect(longhand.queue.add(additions)).rejects.toThrow(/abort/i);
    await longhand.close();
    expect(summary(sheetOf(await nextRun(folder)))).toMatchObject({ service: 'on-device', formats: ['vtt'] });
  });

  it('is for this computer if some of it was, whatever was added later', async () => {
    const { folder, longhand } = await kit();
    for (const service of ['on-device', cloud])
      await expect(
        longhand.queue.add({
          paths: [join(folder, service === cloud ? 'b.wav' : 'a.wav')],
          links: [],
          service,
          options: defaultJobOptions,
          autoExports: null,
          isPersisted: true,
          signal: AbortSignal.abort(),
        }),
      ).rejects.toThrow(/abort/i);
    await longhand.close();
    const next = await nextRun(folder);
    const sheet = sheetOf(next);
    expect(summary(sheet).service).toBe('on-device');
    sheet.useService(cloud);
    sheet.close();
    await next.longhand.close();
    expect(summary(sheetOf(await nextRun(folder))).service).toBe(cloud);
  });
});
