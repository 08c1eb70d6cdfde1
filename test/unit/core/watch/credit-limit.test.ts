import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../support/core.ts';
import { slowPoll, WatchedFolderFixture } from './watched-folder-fixture.ts';

/** A WMA file whose header states no duration, with other content for each name. */
const wmaWithoutDuration = (name: string): Buffer =>
  Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.from(name.repeat(5_000))]);

const account = 'https://api.example.com';

describe('a watched folder with a limit of credits', () => {
  it('holds what would exceed its limit of a month, even after a restart, and says so once', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    const folder = () => fixture.folders.list()[0];
    await fixture.folders.change(folder()?.id ?? 0, { creditLimit: 2 });
    await fixture.write('1.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['1.wav']);
    for (const seconds of [2, 3, 4]) await fixture.write(`${seconds}.wav`, seconds);
    await expect
      .poll(
        fixture.afterASecond(() => folder()?.postponedCount),
        slowPoll,
      )
      .toBe(2);
    expect(fixture.names()).toEqual(['1.wav', '2.wav']);
    await fixture.close();
    fixture.reopen();
    await expect
      .poll(
        fixture.afterASecond(() => folder()?.postponedCount),
        slowPoll,
      )
      .toBe(2);
    expect(fixture.limited).toEqual(['Season 9', 'Season 9']);

    await rm(join(fixture.folder, '4.wav'));
    await expect
      .poll(
        fixture.afterASecond(() => folder()?.postponedCount),
        slowPoll,
      )
      .toBe(1);
    fixture.skip(31 * 86_400_000);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['1.wav', '2.wav', '3.wav']);
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 3, postponedCount: 0 });
  });

  it('adds what it holds when the limit is raised, or when its recordings are transcribed on this computer', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    const id = fixture.folders.list()[0]?.id ?? 0;
    await fixture.folders.change(id, { creditLimit: 1 });
    for (const seconds of [1, 2, 3]) await fixture.write(`${seconds}.wav`, seconds);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.postponedCount),
        slowPoll,
      )
      .toBe(2);
    await fixture.folders.change(id, { creditLimit: 2 });
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.postponedCount),
        slowPoll,
      )
      .toBe(1);
    expect(fixture.queued()).toBe(2);
    await fixture.folders.change(id, { service: 'on-device' });
    await expect.poll(fixture.afterASecond(fixture.queued), slowPoll).toBe(3);
  });

  it('skips a recording that alone exceeds the limit, and adds the others', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    const folder = () => fixture.folders.list()[0];
    await fixture.folders.change(folder()?.id ?? 0, { creditLimit: 3 });
    await fixture.write('a-long.wav', 400);
    await fixture.write('b.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['b.wav']);
    await fixture.write('c.wav', 2);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['b.wav', 'c.wav']);
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 2, postponedCount: 0, tooExpensiveCount: 1 });
    expect(fixture.limited).toEqual(['Season 9']);
    await fixture.write('a-long.wav', 3);
    await expect
      .poll(fixture.afterASecond(fixture.names), slowPoll)
      .toEqual(['a-long.wav', 'b.wav', 'c.wav']);
    await expect.poll(fixture.afterASecond(folder), slowPoll).toMatchObject({ tooExpensiveCount: 0 });
  });

  it('adds what a postponed recording has held back once that is deleted', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    const folder = () => fixture.folders.list()[0];
    await fixture.folders.change(folder()?.id ?? 0, { creditLimit: 3 });
    await fixture.write('1.wav', 1);
    await fixture.settle();
    await fixture.write('2-long.wav', 150);
    await fixture.write('3.wav', 3);
    await fixture.settle();
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 1, postponedCount: 2, tooExpensiveCount: 0 });
    await rm(join(fixture.folder, '2-long.wav'));
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['1.wav', '3.wav']);
    await expect.poll(fixture.afterASecond(folder), slowPoll).toMatchObject({ postponedCount: 0 });
  });

  it('adds one recording of unknown duration at a time, and others meanwhile', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    const folder = () => fixture.folders.list()[0];
    await fixture.folders.change(folder()?.id ?? 0, { creditLimit: 10 });
    for (const name of ['a', 'b', 'c'])
      await writeFile(join(fixture.folder, `${name}.wma`), wmaWithoutDuration(name));
    await fixture.write('d.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['a.wma', 'd.wav']);
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 2, unmeasuredCount: 2, postponedCount: 0 });
    await fixture.close();
    fixture.reopen();
    await fixture.settle();
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 2, unmeasuredCount: 2 });

    const first = rowsOf(fixture.longhand).find(({ name }) => name === 'a.wma')?.id ?? 0;
    fixture.longhand.queue.remove([first]);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['b.wma', 'd.wav']);
    await fixture.settle();
    await expect
      .poll(fixture.afterASecond(folder), slowPoll)
      .toMatchObject({ addedCount: 3, unmeasuredCount: 1 });
    expect(fixture.limited).toEqual([]);
  });

  it('adds recordings after adding them failed, and counts nothing twice', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = account;
    await fixture.watch();
    await fixture.folders.change(fixture.folders.list()[0]?.id ?? 0, { creditLimit: 1 });
    let failures = 0;
    fixture.beforeAdding = async () => {
      failures += 1;
      if (failures <= 2) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    await fixture.write('1.wav', 1);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.state),
        slowPoll,
      )
      .toMatchObject({ kind: 'unavailable', problem: { code: 'disk_full' } });
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['1.wav']);
    await fixture.write('2.wav', 2);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]),
        slowPoll,
      )
      .toMatchObject({ addedCount: 1, duplicateCount: 0, postponedCount: 1, state: { kind: 'watching' } });
    expect(fixture.unavailable).toHaveLength(1);
  });
});
