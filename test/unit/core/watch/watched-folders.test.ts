import { appendFile, copyFile, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../support/core.ts';
import { waveWithoutSpeech } from '../../../support/speech/quick-speech.ts';
import { patient, WatchedSeason } from './watched-season.ts';

const account = 'https://api.example.com';

describe('a watched folder', () => {
  it('adds new files, including those in subfolders, and ignores those that were there', async () => {
    const season = await WatchedSeason.open();
    await season.write('old.wav', 1);
    await season.watch();
    await season.write('new.wav', 2);
    await mkdir(join(season.folder, 'Raw'));
    await season.write('Raw/deep.wav', 3);
    await expect.poll(season.later(season.names), patient).toEqual(['deep.wav', 'new.wav']);
    await season.settle();
    expect(season.names()).toEqual(['deep.wav', 'new.wav']);
    expect((await readdir(season.folder)).toSorted()).toEqual(['Raw', 'new.wav', 'old.wav']);
    expect(season.folders.list()[0]).toMatchObject({ addedCount: 2, unfinishedCount: 0 });
  });

  it('adds files that were there on request', async () => {
    const season = await WatchedSeason.open();
    await season.write('old.wav', 1);
    await season.watch(true);
    await expect.poll(season.later(season.names), patient).toEqual(['old.wav']);
  });

  it('finds unreported files once another file has arrived', async () => {
    const season = await WatchedSeason.open();
    season.untold = 'lost.wav';
    await season.watch();
    await season.settle();
    await season.write('lost.wav', 1);
    await season.settle();
    expect(season.names()).toEqual([]);
    await season.write('told.wav', 2);
    await expect.poll(season.later(season.names), patient).toEqual(['lost.wav', 'told.wav']);
    await season.settle();
    expect(season.names()).toEqual(['lost.wav', 'told.wav']);
  });

  it('ignores texts, hidden files and partial downloads, whatever their names', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    await writeFile(join(season.folder, 'notes.txt'), 'Episode 1');
    await writeFile(join(season.folder, 'source.ts'), 'export const one = 1;\n');
    await writeFile(join(season.folder, 'text.mp3'), 'This is not audio.\n'.repeat(100));
    await season.write('.hidden.wav', 1);
    await season.write('talk.wav.part', 2);
    await season.write('last.wav', 3);
    await expect.poll(season.later(season.names), patient).toEqual(['last.wav']);
    await rename(join(season.folder, 'talk.wav.part'), join(season.folder, 'talk.wav'));
    await expect.poll(season.later(season.names), patient).toEqual(['last.wav', 'talk.wav']);
  });

  it('adds each content once: not when it is renamed, copied, or found after a restart', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    await season.write('one.wav', 1);
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    await rename(join(season.folder, 'one.wav'), join(season.folder, 'first.wav'));
    await copyFile(join(season.folder, 'first.wav'), join(season.folder, 'copy.wav'));
    await season.write('last.wav', 3);
    await expect.poll(season.later(season.names), patient).toEqual(['last.wav', 'one.wav']);
    season.longhand.queue.remove(rowsOf(season.longhand).map(({ id }) => id));
    await season.close();
    await season.write('while closed.wav', 2);
    season.reopen();
    await expect.poll(season.later(season.names), patient).toEqual(['while closed.wav']);
    await season.settle();
    expect(season.names()).toEqual(['while closed.wav']);
  });

  it('counts what it does not add because it is known, even after a restart', async () => {
    const season = await WatchedSeason.open();
    const duplicateCount = () => season.folders.list()[0]?.duplicateCount;
    await season.watch();
    await season.write('one.wav', 1);
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    expect(duplicateCount()).toBe(0);
    await copyFile(join(season.folder, 'one.wav'), join(season.folder, 'copy.wav'));
    await expect.poll(season.later(duplicateCount), patient).toBe(1);
    await season.close();
    season.reopen();
    await season.settle();
    expect(duplicateCount()).toBe(1);
    expect(season.folders.list()[0]).toMatchObject({ addedCount: 1 });
  });

  it('does not report complete files as being written', async () => {
    const season = await WatchedSeason.open();
    const reported = new Set<number | undefined>();
    season.onChange = () => reported.add(season.folders.list()[0]?.unfinishedCount);
    await season.watch();
    await season.write('../moved here.wav', 4);
    await rename(join(season.folder, '..', 'moved here.wav'), join(season.folder, 'moved here.wav'));
    await expect
      .poll(
        season.later(() => {
          season.onChange();
          return season.names();
        }),
        patient,
      )
      .toEqual(['moved here.wav']);
    expect([...reported]).toEqual([0]);
  });

  it('waits for a file that is written slowly, and then adds all of it', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    const content = waveWithoutSpeech(4);
    const file = await open(join(season.folder, 'slow.wav'), 'w');
    await expect
      .poll(
        season.later(() => season.folders.list()[0]?.unfinishedCount),
        patient,
      )
      .toBe(1);
    const piece = Math.ceil(content.length / 12);
    for (let start = 0; start < content.length; start += piece) {
      await file.write(content.subarray(start, start + piece));
      await season.pass(2_000);
      expect(season.queued()).toBe(0);
    }
    await file.close();
    await expect.poll(season.later(season.names), patient).toEqual(['slow.wav']);
    expect(rowsOf(season.longhand)[0]?.sizeBytes).toBe(content.length);
  });

  it('holds what would exceed its limit of a month, even after a restart, and says so once', async () => {
    const season = await WatchedSeason.open();
    season.serviceInUse = account;
    await season.watch();
    const folder = () => season.folders.list()[0];
    await season.folders.change(folder()?.id ?? 0, { creditLimit: 2 });
    const counted: unknown[] = [];
    season.beforeAdding = async () => {
      const database = new Database(season.databasePath, { readonly: true });
      counted.push(database.prepare('SELECT credits FROM watched_folders').pluck().get());
      database.close();
    };
    await season.write('1.wav', 1);
    await expect.poll(season.later(season.names), patient).toEqual(['1.wav']);
    // Before it is added: the program may be killed in between.
    expect(counted).toEqual([1]);
    for (const seconds of [2, 3, 4]) await season.write(`${seconds}.wav`, seconds);
    await expect
      .poll(
        season.later(() => folder()?.heldCount),
        patient,
      )
      .toBe(2);
    expect(season.names()).toEqual(['1.wav', '2.wav']);
    await season.close();
    season.reopen();
    await expect
      .poll(
        season.later(() => folder()?.heldCount),
        patient,
      )
      .toBe(2);
    expect(season.limited).toEqual(['Season 9', 'Season 9']);

    await rm(join(season.folder, '4.wav'));
    await expect
      .poll(
        season.later(() => folder()?.heldCount),
        patient,
      )
      .toBe(1);
    season.skip(31 * 86_400_000);
    await expect.poll(season.later(season.names), patient).toEqual(['1.wav', '2.wav', '3.wav']);
    expect(folder()).toMatchObject({ addedCount: 3, heldCount: 0 });
  });

  it('adds what it holds when the limit is raised, or when its recordings are transcribed on this computer', async () => {
    const season = await WatchedSeason.open();
    season.serviceInUse = account;
    await season.watch();
    const id = season.folders.list()[0]?.id ?? 0;
    await season.folders.change(id, { creditLimit: 1 });
    for (const seconds of [1, 2, 3]) await season.write(`${seconds}.wav`, seconds);
    await expect
      .poll(
        season.later(() => season.folders.list()[0]?.heldCount),
        patient,
      )
      .toBe(2);
    await season.folders.change(id, { creditLimit: 2 });
    await expect
      .poll(
        season.later(() => season.folders.list()[0]?.heldCount),
        patient,
      )
      .toBe(1);
    expect(season.queued()).toBe(2);
    await season.folders.change(id, { service: 'on-device' });
    await expect.poll(season.later(season.queued), patient).toBe(3);
  });

  it('keeps the service that was in use when it was added, until it is given another one', async () => {
    const season = await WatchedSeason.open();
    const services = () => rowsOf(season.longhand).map(({ name, service }) => [name, service]);
    await season.watch();
    season.serviceInUse = account;
    await season.write('1.wav', 1);
    await expect.poll(season.later(services), patient).toEqual([['1.wav', 'on-device']]);
    await season.close();
    season.reopen();
    expect(season.folders.list()[0]?.service).toBe('on-device');
    await season.folders.change(season.folders.list()[0]!.id, { service: account });
    await season.write('2.wav', 2);
    await expect.poll(season.later(services), patient).toEqual([
      ['1.wav', 'on-device'],
      ['2.wav', account],
    ]);
    // The account is removed.
    await season.folders.moveAll(account, 'on-device');
    expect(season.folders.list()[0]?.service).toBe('on-device');
  });

  it('of an earlier version keeps the service that is in use at the next start', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    await season.close();
    const database = new Database(season.databasePath);
    database.exec('UPDATE watched_folders SET service = NULL');
    database.close();
    season.serviceInUse = account;
    season.reopen();
    expect(season.folders.list()[0]?.service).toBe(account);
  });

  it('is reported when it has vanished, and is watched again automatically', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    await rename(season.folder, `${season.folder} elsewhere`);
    await expect.poll(season.later(season.state), patient).toBe('unavailable');
    await season.settle();
    expect(season.away).toEqual(['Season 9']);
    await mkdir(season.folder);
    await season.write('later.wav', 3);
    await expect.poll(season.later(season.names), patient).toEqual(['later.wav']);
    expect(season.state()).toBe('watching');
  });

  it('is reported once when the system refuses to watch it, and is watched as soon as that works', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    season.refusing = true;
    season.refuse();
    expect(season.state()).toBe('unavailable');
    await season.write('meanwhile.wav', 1);
    // Tried again, and refused, several times.
    await season.pass(100_000);
    expect(season.state()).toBe('unavailable');
    expect(season.away).toEqual(['Season 9']);
    season.refusing = false;
    await expect.poll(season.later(season.state), patient).toBe('watching');
    await season.write('later.wav', 3);
    await expect.poll(season.later(season.names), patient).toEqual(['later.wav', 'meanwhile.wav']);
    season.refuse();
    expect(season.away).toEqual(['Season 9', 'Season 9']);
  });

  it('is still watched when it contains a broken link', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    await symlink('loop.wav', join(season.folder, 'loop.wav'));
    await season.write('one.wav', 1);
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    expect(season.state()).toBe('watching');
    expect(season.away).toEqual([]);
  });

  it('may be a link, but no links in it are followed, neither to folders nor to recordings', async () => {
    const season = await WatchedSeason.open();
    const real = `${season.folder} real`;
    await rename(season.folder, real);
    await symlink(real, season.folder);
    const outside = `${season.folder} private`;
    await mkdir(outside);
    await season.write(join('..', basename(outside), 'confession.wav'), 2);
    await symlink(outside, join(season.folder, 'before'));
    await season.watch();
    await symlink(outside, join(season.folder, 'holiday'));
    await symlink(join(outside, 'confession.wav'), join(season.folder, 'linked.wav'));
    await season.write('one.wav', 1);
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    // Past the scan for missed files.
    await season.settle();
    expect(season.names()).toEqual(['one.wav']);
  });

  it('adds no file that becomes a link, or a link to a folder, once it is complete', async () => {
    const season = await WatchedSeason.open();
    const outside = `${season.folder} private`;
    await mkdir(outside);
    await season.write(join('..', basename(outside), 'secret.wav'), 3);
    await season.watch();
    season.beforeAdding = async () => {
      for (const [name, target] of [
        ['talk.wav', join(outside, 'secret.wav')],
        ['deep.wav', outside],
      ] as const) {
        await rm(join(season.folder, name), { force: true });
        await symlink(target, join(season.folder, name));
      }
    };
    await season.write('talk.wav', 1);
    await season.write('deep.wav', 2);
    await season.write('one.wav', 4);
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    await season.settle();
    expect(season.names()).toEqual(['one.wav']);
  });

  it('adds no file that becomes a link, or whose folder does, before it is complete', async () => {
    const season = await WatchedSeason.open();
    const outside = `${season.folder} private`;
    await mkdir(outside);
    for (const [name, seconds] of [
      ['talk.wav', 2],
      ['deep.wav', 3],
    ] as const)
      await season.write(join('..', basename(outside), name), seconds);
    await mkdir(join(season.folder, 'Raw'));
    await season.watch();
    await season.write('talk.wav', 4);
    await season.write('Raw/deep.wav', 5);
    await season.write('one.wav', 1);
    // They grow until all of them are found.
    await expect
      .poll(async () => {
        for (const name of ['talk.wav', 'Raw/deep.wav', 'one.wav'])
          await appendFile(join(season.folder, name), 'x');
        return season.later(() => season.folders.list()[0]?.unfinishedCount)();
      }, patient)
      .toBe(3);
    await symlink(join(outside, 'talk.wav'), join(season.folder, '.link'));
    await rename(join(season.folder, '.link'), join(season.folder, 'talk.wav'));
    await rename(join(season.folder, 'Raw'), `${season.folder} away`);
    await symlink(outside, join(season.folder, 'Raw'));
    await expect.poll(season.later(season.names), patient).toEqual(['one.wav']);
    await season.settle();
    expect(season.names()).toEqual(['one.wav']);
  });

  it('adds nothing while it is paused, and the new files afterwards', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    const { id } = season.folders.list()[0]!;
    await season.folders.change(id, { paused: true });
    await season.write('meanwhile.wav', 1);
    await season.settle();
    expect(season.queued()).toBe(0);
    await season.folders.change(id, { paused: false });
    await expect.poll(season.later(season.names), patient).toEqual(['meanwhile.wav']);
  });

  it('is no longer watched once it is removed, and can be added again', async () => {
    const season = await WatchedSeason.open();
    await season.watch();
    expect(() => season.folders.add(season.folder, false)).toThrow('folder_watched');
    await season.folders.remove(season.folders.list()[0]!.id);
    // Pending reads may fail after the end.
    expect(season.refuse).not.toThrow();
    await season.write('after.wav', 1);
    await season.settle();
    expect(season.queued()).toBe(0);
    await season.watch(true);
    await expect.poll(season.later(season.names), patient).toEqual(['after.wav']);
  });
});

it('polls a drive that reports nothing', async () => {
  const season = await WatchedSeason.open();
  await season.watch();
  await season.folders.change(season.folders.list()[0]!.id, { polled: true });
  await expect.poll(season.later(season.state), patient).toBe('watching');
  await season.write('far.wav', 1);
  await expect.poll(season.later(season.names), patient).toEqual(['far.wav']);
});

it('adds a thousand files at once, each once', async () => {
  const season = await WatchedSeason.open();
  await season.watch();
  const thousand = Array.from({ length: 1000 }, (_, index) => index);
  await Promise.all(
    thousand.map((index) => {
      const wave = waveWithoutSpeech(1);
      wave.writeUInt32LE(index, wave.length - 4);
      return writeFile(join(season.folder, `Take ${index}.wav`), wave);
    }),
  );
  await expect.poll(season.later(season.queued), { timeout: 80_000 }).toBe(1000);
  await season.settle();
  expect(season.queued()).toBe(1000);
  await rm(season.folder, { recursive: true });
  expect(season.queued()).toBe(1000);
});
