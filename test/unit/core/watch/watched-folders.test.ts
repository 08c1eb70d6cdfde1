import { appendFile, copyFile, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { rowsOf } from '../../../support/core.ts';
import { silentWav } from '../../../support/speech/quick-speech.ts';
import { slowPoll, WatchedFolderFixture } from './watched-folder-fixture.ts';

const account = 'https://api.example.com';

describe('a watched folder', () => {
  it('adds new files, including those in subfolders, and ignores those that were there', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    await fixture.watch();
    await fixture.write('new.wav', 2);
    await mkdir(join(fixture.folder, 'Raw'));
    await fixture.write('Raw/deep.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['deep.wav', 'new.wav']);
    await fixture.settle();
    expect(fixture.names()).toEqual(['deep.wav', 'new.wav']);
    expect((await readdir(fixture.folder)).toSorted()).toEqual(['Raw', 'new.wav', 'old.wav']);
    expect(fixture.folders.list()[0]).toMatchObject({ addedCount: 2, incompleteCount: 0 });
  });

  it('adds files that were there on request', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    await fixture.watch(true);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['old.wav']);
  });

  it('finds unreported files once another file has arrived', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.unreportedFile = 'lost.wav';
    await fixture.watch();
    await fixture.settle();
    await fixture.write('lost.wav', 1);
    await fixture.settle();
    expect(fixture.names()).toEqual([]);
    await fixture.write('reported.wav', 2);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['lost.wav', 'reported.wav']);
    await fixture.settle();
    expect(fixture.names()).toEqual(['lost.wav', 'reported.wav']);
  });

  it('ignores texts, hidden files and partial downloads, whatever their names', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await writeFile(join(fixture.folder, 'notes.txt'), 'Episode 1');
    await writeFile(join(fixture.folder, 'source.ts'), 'export const one = 1;\n');
    await writeFile(join(fixture.folder, 'text.mp3'), 'This is not audio.\n'.repeat(100));
    await fixture.write('.hidden.wav', 1);
    await fixture.write('talk.wav.part', 2);
    await fixture.write('last.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['last.wav']);
    await rename(join(fixture.folder, 'talk.wav.part'), join(fixture.folder, 'talk.wav'));
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['last.wav', 'talk.wav']);
  });

  it('adds a recording whose drive was away for a moment when it was being added', async () => {
    const fixture = await WatchedFolderFixture.open();
    const path = join(fixture.folder, 'talk.wav');
    await fixture.watch();
    fixture.beforeAdding = async () => {
      fixture.beforeAdding = async () => undefined;
      await rename(path, `${fixture.folder}.wav`);
    };
    await fixture.write('talk.wav', 1);
    await fixture.write('one.wav', 2);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    await fixture.settle();
    await rename(`${fixture.folder}.wav`, path);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav', 'talk.wav']);
    expect(fixture.folders.list()[0]).toMatchObject({ addedCount: 2, duplicateCount: 0 });
  });

  it('reads a file that is not a recording once', async () => {
    const fixture = await WatchedFolderFixture.open();
    let additions = 0;
    fixture.beforeAdding = async () => void (additions += 1);
    await fixture.watch();
    await writeFile(join(fixture.folder, 'text.mp3'), 'This is not audio.\n'.repeat(100));
    await expect
      .poll(
        fixture.afterASecond(() => additions),
        slowPoll,
      )
      .toBe(1);
    await fixture.settle();
    expect(additions).toBe(1);
  });

  it('adds each content once: not when it is renamed, copied, or found after a restart', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await fixture.write('one.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    await rename(join(fixture.folder, 'one.wav'), join(fixture.folder, 'first.wav'));
    await copyFile(join(fixture.folder, 'first.wav'), join(fixture.folder, 'copy.wav'));
    await fixture.write('last.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['last.wav', 'one.wav']);
    fixture.longhand.queue.remove(rowsOf(fixture.longhand).map(({ id }) => id));
    await fixture.close();
    await fixture.write('while closed.wav', 2);
    fixture.reopen();
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['while closed.wav']);
    await fixture.settle();
    expect(fixture.names()).toEqual(['while closed.wav']);
  });

  it('counts what it does not add because it is known, even after a restart', async () => {
    const fixture = await WatchedFolderFixture.open();
    const duplicateCount = () => fixture.folders.list()[0]?.duplicateCount;
    await fixture.watch();
    await fixture.write('one.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    expect(duplicateCount()).toBe(0);
    await copyFile(join(fixture.folder, 'one.wav'), join(fixture.folder, 'copy.wav'));
    await expect.poll(fixture.afterASecond(duplicateCount), slowPoll).toBe(1);
    await fixture.close();
    fixture.reopen();
    await fixture.settle();
    expect(duplicateCount()).toBe(1);
    expect(fixture.folders.list()[0]).toMatchObject({ addedCount: 1 });
  });

  it('does not report complete files as being written', async () => {
    const fixture = await WatchedFolderFixture.open();
    const reported = new Set<number | undefined>();
    fixture.onChange = () => reported.add(fixture.folders.list()[0]?.incompleteCount);
    await fixture.watch();
    await fixture.write('../moved here.wav', 4);
    await rename(join(fixture.folder, '..', 'moved here.wav'), join(fixture.folder, 'moved here.wav'));
    await expect
      .poll(
        fixture.afterASecond(() => {
          fixture.onChange();
          return fixture.names();
        }),
        slowPoll,
      )
      .toEqual(['moved here.wav']);
    expect([...reported]).toEqual([0]);
  });

  it('waits for a file that is written slowly, and then adds all of it', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    const content = silentWav(4);
    const file = await open(join(fixture.folder, 'slow.wav'), 'w');
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.incompleteCount),
        slowPoll,
      )
      .toBe(1);
    const piece = Math.ceil(content.length / 12);
    for (let start = 0; start < content.length; start += piece) {
      await file.write(content.subarray(start, start + piece));
      await fixture.pass(2_000);
      expect(fixture.queued()).toBe(0);
    }
    await file.close();
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['slow.wav']);
    expect(rowsOf(fixture.longhand)[0]?.sizeBytes).toBe(content.length);
  });

  it('keeps the service that was the default when it was added, until it is given another one', async () => {
    const fixture = await WatchedFolderFixture.open();
    const services = () => rowsOf(fixture.longhand).map(({ name, service }) => [name, service]);
    await fixture.watch();
    fixture.defaultService = account;
    await fixture.write('1.wav', 1);
    await expect.poll(fixture.afterASecond(services), slowPoll).toEqual([['1.wav', 'on-device']]);
    await fixture.close();
    fixture.reopen();
    expect(fixture.folders.list()[0]?.service).toBe('on-device');
    await fixture.folders.change(fixture.folders.list()[0]!.id, { service: account });
    await fixture.write('2.wav', 2);
    await expect.poll(fixture.afterASecond(services), slowPoll).toEqual([
      ['1.wav', 'on-device'],
      ['2.wav', account],
    ]);
    // The account is removed.
    await fixture.folders.moveAll(account, 'on-device');
    expect(fixture.folders.list()[0]?.service).toBe('on-device');
  });

  it('of an earlier version keeps the service that is the default at the next start', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await fixture.close();
    const database = new Database(fixture.databasePath);
    database.exec('UPDATE watched_folders SET service = NULL');
    database.close();
    fixture.defaultService = account;
    fixture.reopen();
    expect(fixture.folders.list()[0]?.service).toBe(account);
  });

  it('is reported when it has vanished, and is watched again automatically', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await rename(fixture.folder, `${fixture.folder} elsewhere`);
    await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('unavailable');
    await fixture.settle();
    expect(fixture.unavailable).toEqual(['Season 9']);
    await mkdir(fixture.folder);
    await fixture.write('later.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['later.wav']);
    expect(fixture.state()).toBe('watching');
  });

  it('is reported once when the system refuses to watch it, and is watched as soon as that works', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    fixture.refusing = true;
    fixture.refuse();
    expect(fixture.state()).toBe('unavailable');
    await fixture.write('meanwhile.wav', 1);
    // Tried again, and refused, several times.
    await fixture.pass(100_000);
    expect(fixture.state()).toBe('unavailable');
    expect(fixture.unavailable).toEqual(['Season 9']);
    fixture.refusing = false;
    await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('watching');
    await fixture.write('later.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['later.wav', 'meanwhile.wav']);
    fixture.refuse();
    expect(fixture.unavailable).toEqual(['Season 9', 'Season 9']);
  });

  it('is still watched when it contains a broken link', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await symlink('loop.wav', join(fixture.folder, 'loop.wav'));
    await fixture.write('one.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    expect(fixture.state()).toBe('watching');
    expect(fixture.unavailable).toEqual([]);
  });

  it('may be a link, but no links in it are followed, neither to folders nor to recordings', async () => {
    const fixture = await WatchedFolderFixture.open();
    const real = `${fixture.folder} real`;
    await rename(fixture.folder, real);
    await symlink(real, fixture.folder);
    const outside = `${fixture.folder} private`;
    await mkdir(outside);
    await fixture.write(join('..', basename(outside), 'confession.wav'), 2);
    await symlink(outside, join(fixture.folder, 'before'));
    await fixture.watch();
    await symlink(outside, join(fixture.folder, 'holiday'));
    await symlink(join(outside, 'confession.wav'), join(fixture.folder, 'linked.wav'));
    await fixture.write('one.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    // Past the scan for missed files.
    await fixture.settle();
    expect(fixture.names()).toEqual(['one.wav']);
  });

  it('adds no file that becomes a link, or a link to a folder, once it is complete', async () => {
    const fixture = await WatchedFolderFixture.open();
    const outside = `${fixture.folder} private`;
    await mkdir(outside);
    await fixture.write(join('..', basename(outside), 'secret.wav'), 3);
    await fixture.watch();
    fixture.beforeAdding = async () => {
      for (const [name, target] of [
        ['talk.wav', join(outside, 'secret.wav')],
        ['deep.wav', outside],
      ] as const) {
        await rm(join(fixture.folder, name), { force: true });
        await symlink(target, join(fixture.folder, name));
      }
    };
    await fixture.write('talk.wav', 1);
    await fixture.write('deep.wav', 2);
    await fixture.write('one.wav', 4);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    await fixture.settle();
    expect(fixture.names()).toEqual(['one.wav']);
  });

  it('adds no file that becomes a link, or whose folder does, before it is complete', async () => {
    const fixture = await WatchedFolderFixture.open();
    const outside = `${fixture.folder} private`;
    await mkdir(outside);
    for (const [name, seconds] of [
      ['talk.wav', 2],
      ['deep.wav', 3],
    ] as const)
      await fixture.write(join('..', basename(outside), name), seconds);
    await mkdir(join(fixture.folder, 'Raw'));
    await fixture.watch();
    await fixture.write('talk.wav', 4);
    await fixture.write('Raw/deep.wav', 5);
    await fixture.write('one.wav', 1);
    // They grow until all of them are found.
    await expect
      .poll(async () => {
        for (const name of ['talk.wav', 'Raw/deep.wav', 'one.wav'])
          await appendFile(join(fixture.folder, name), 'x');
        return fixture.afterASecond(() => fixture.folders.list()[0]?.incompleteCount)();
      }, slowPoll)
      .toBe(3);
    await symlink(join(outside, 'talk.wav'), join(fixture.folder, '.link'));
    await rename(join(fixture.folder, '.link'), join(fixture.folder, 'talk.wav'));
    await rename(join(fixture.folder, 'Raw'), `${fixture.folder} away`);
    await symlink(outside, join(fixture.folder, 'Raw'));
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
    await fixture.settle();
    expect(fixture.names()).toEqual(['one.wav']);
  });

  it('adds nothing while it is paused, and the new files afterwards', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    const { id } = fixture.folders.list()[0]!;
    await fixture.folders.change(id, { paused: true });
    await fixture.write('meanwhile.wav', 1);
    await fixture.settle();
    expect(fixture.queued()).toBe(0);
    await fixture.folders.change(id, { paused: false });
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['meanwhile.wav']);
  });

  it('is not watched again while it is being removed, and nothing more of it is added', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    await fixture.watch();
    const { id } = fixture.folders.list()[0]!;
    const resume = Promise.withResolvers<void>();
    let isAdding = false;
    fixture.beforeAdding = () => {
      isAdding = true;
      return resume.promise;
    };
    await fixture.write('new.wav', 2);
    await vi.waitUntil(
      fixture.afterASecond(() => isAdding),
      slowPoll,
    );
    const removed = fixture.folders.remove(id);
    const changed = fixture.folders.change(id, { polled: true });
    resume.resolve();
    await Promise.all([removed, changed]);
    expect(fixture.folders.list()).toEqual([]);
    await fixture.settle();
    expect(fixture.names()).toEqual([]);
  });

  it('is unavailable while a link is in its place', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    const outside = `${fixture.folder} private`;
    await mkdir(outside);
    await fixture.write(join('..', basename(outside), 'secret.wav'), 2);
    const away = `${fixture.folder} away`;
    await rename(fixture.folder, away);
    await symlink(outside, fixture.folder);
    await writeFile(join(away, 'new.wav'), silentWav(3));
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.state),
        slowPoll,
      )
      .toMatchObject({ kind: 'unavailable', problem: { code: 'folder_is_link' } });
    await fixture.settle();
    await fixture.close();
    fixture.reopen();
    await fixture.settle();
    expect(fixture.names()).toEqual([]);
    await rm(fixture.folder);
    await rename(away, fixture.folder);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['new.wav']);
  });

  it('is no longer watched once it is removed, and can be added again', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.watch();
    await expect(fixture.folders.add(fixture.folder, false)).rejects.toThrow('folder_watched');
    await fixture.folders.remove(fixture.folders.list()[0]!.id);
    // Pending reads may fail after the end.
    expect(fixture.refuse).not.toThrow();
    await fixture.write('after.wav', 1);
    await fixture.settle();
    expect(fixture.queued()).toBe(0);
    await fixture.watch(true);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['after.wav']);
  });
});

it('polls a drive that reports nothing', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  await fixture.folders.change(fixture.folders.list()[0]!.id, { polled: true });
  await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('watching');
  await fixture.write('far.wav', 1);
  await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['far.wav']);
});

it('adds a thousand files at once, each once', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  const thousand = Array.from({ length: 1000 }, (_, index) => index);
  await Promise.all(
    thousand.map((index) => {
      const wave = silentWav(1);
      wave.writeUInt32LE(index, wave.length - 4);
      return writeFile(join(fixture.folder, `Take ${index}.wav`), wave);
    }),
  );
  await expect.poll(fixture.afterASecond(fixture.queued), { timeout: 80_000 }).toBe(1000);
  await fixture.settle();
  expect(fixture.queued()).toBe(1000);
  await rm(fixture.folder, { recursive: true });
  expect(fixture.queued()).toBe(1000);
});
