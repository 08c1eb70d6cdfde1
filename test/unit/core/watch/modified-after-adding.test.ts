import { readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemId } from '../../../../electron/contract/identifiers.ts';
import type { ItemState } from '../../../../electron/core/item/item.ts';
import { hashOfContent } from '../../../../electron/core/media/fingerprint.ts';
import { rowsOf } from '../../../support/core.ts';
import { silentWav } from '../../../support/speech/quick-speech.ts';
import { slowPoll, WatchedFolderFixture } from './watched-folder-fixture.ts';

/** Writes a recording whose samples all have a level. */
const writeLoud = (to: string, seconds: number, level: number): Promise<void> =>
  writeFile(to, silentWav(seconds).fill(level, 44));

/** Watches the folder and waits until a recording has been added. */
async function addWatched(fixture: WatchedFolderFixture): Promise<ItemId> {
  await fixture.watch();
  await fixture.write('talk.wav', 2);
  await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['talk.wav']);
  await fixture.settle();
  const [row] = rowsOf(fixture.longhand);
  if (row === undefined) throw new Error('one is queued');
  return row.id;
}

describe('a file that is modified after it has been added', () => {
  const blocked: ItemState = {
    kind: 'blocked',
    problem: { code: 'file_changed' },
    at: { kind: 'waiting' },
  };
  const transcribing: ItemState = {
    kind: 'transcribing',
    status: 'processing',
    progress: 0,
    recheck: 'none',
    jobId: 'job',
    request: { key: 'key', body: '{}' },
  };
  const done: ItemState = { kind: 'done', jobId: 'job', wordCount: 1 };

  it('is sent in its current form once its upload has noticed, and is not added again', async () => {
    const fixture = await WatchedFolderFixture.open();
    const id = await addWatched(fixture);
    await fixture.write('talk.wav', 3);
    await fixture.settle();
    expect(fixture.retried).toEqual([]);
    fixture.states.set(id, blocked);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.retried),
        slowPoll,
      )
      .toEqual([id]);
    await fixture.settle();
    expect(fixture.retried).toEqual([id]);
    expect(fixture.names()).toEqual(['talk.wav']);
  });

  it('is sent although only its time has changed', async () => {
    const fixture = await WatchedFolderFixture.open();
    const id = await addWatched(fixture);
    fixture.states.set(id, blocked);
    await utimes(join(fixture.folder, 'talk.wav'), 1_700_000_000, 1_700_000_000);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.retried),
        slowPoll,
      )
      .toEqual([id]);
  });

  it('counts for the limit of the folder as it is now, and stays blocked beyond it', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = 'https://api.example.com';
    const id = await addWatched(fixture);
    await fixture.folders.change(fixture.folders.list()[0]?.id ?? 0, { creditLimit: 2 });
    fixture.states.set(id, blocked);
    await fixture.write('talk.wav', 61);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.retried),
        slowPoll,
      )
      .toEqual([id]);
    await fixture.write('talk.wav', 600);
    await fixture.settle();
    expect(fixture.retried).toEqual([id]);
    await fixture.write('new.wav', 90);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.folders.list()[0]?.postponedCount),
        slowPoll,
      )
      .toBe(1);
  });

  it('counts only what it has grown since it was counted, however often it is modified', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = 'https://api.example.com';
    await fixture.watch();
    await fixture.folders.change(fixture.folders.list()[0]?.id ?? 0, { creditLimit: 5 });
    await fixture.write('talk.wav', 119);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['talk.wav']);
    const id = rowsOf(fixture.longhand)[0]?.id ?? 0;
    // As if the duration in the queue were not known yet.
    fixture.unknownDurations.add(id);
    fixture.states.set(id, blocked);
    for (const [index, seconds] of [179, 239, 299].entries()) {
      await fixture.write('talk.wav', seconds);
      await expect
        .poll(
          fixture.afterASecond(() => fixture.retried.length),
          slowPoll,
        )
        .toBe(index + 1);
    }
  });

  it('beyond the limit is sent once the limit is raised, or in the next month', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.defaultService = 'https://api.example.com';
    const id = await addWatched(fixture);
    const folder = fixture.folders.list()[0]?.id ?? 0;
    await fixture.folders.change(folder, { creditLimit: 2 });
    await fixture.write('talk.wav', 200);
    await fixture.settle();
    fixture.states.set(id, blocked);
    await fixture.settle();
    expect(fixture.retried).toEqual([]);
    await fixture.folders.change(folder, { creditLimit: 3 });
    const retried = fixture.afterASecond(() => fixture.retried);
    await expect.poll(retried, slowPoll).toEqual([id]);

    await fixture.write('talk.wav', 360);
    await fixture.settle();
    expect(fixture.retried).toEqual([id]);
    fixture.skip(31 * 86_400_000);
    await expect.poll(retried, slowPoll).toEqual([id, id]);
  });

  it('stays blocked for another reason, or when it was not modified', async () => {
    const fixture = await WatchedFolderFixture.open();
    const id = await addWatched(fixture);
    fixture.states.set(id, blocked);
    await fixture.settle();
    fixture.states.set(id, { ...blocked, problem: { code: 'disk_full' } });
    await fixture.write('talk.wav', 3);
    await fixture.settle();
    expect(fixture.retried).toEqual([]);
    expect(fixture.names()).toEqual(['talk.wav']);
  });

  it('is another recording once the first has been transcribed', async () => {
    const fixture = await WatchedFolderFixture.open();
    const id = await addWatched(fixture);
    fixture.states.set(id, done);
    await fixture.write('talk.wav', 1);
    await expect.poll(fixture.afterASecond(fixture.queued), slowPoll).toBe(2);
    await fixture.settle();
    expect(fixture.queued()).toBe(2);
    expect(fixture.retried).toEqual([]);
  });

  it('that grows with pauses is added again only once it has stayed the same for long, and longer each time', async () => {
    const fixture = await WatchedFolderFixture.open();
    await addWatched(fixture);
    const finishAll = (): void => {
      for (const { id } of rowsOf(fixture.longhand)) fixture.states.set(id, done);
    };
    const folder = () => fixture.folders.list()[0];
    finishAll();
    for (let minutes = 1; minutes <= 8; minutes += 1) {
      await fixture.write('talk.wav', minutes * 60);
      await fixture.pass(120_000);
    }
    expect(fixture.queued()).toBe(1);
    expect(folder()?.incompleteCount).toBe(1);
    await fixture.pass(600_000);
    expect(fixture.queued()).toBe(2);
    expect(folder()?.incompleteCount).toBe(0);
    finishAll();
    await fixture.write('talk.wav', 600);
    await fixture.pass(900_000);
    expect(fixture.queued()).toBe(2);
    await fixture.pass(600_000);
    expect(fixture.queued()).toBe(3);
  });

  it('that grows with pauses waits as long after a restart as it would have before', async () => {
    const fixture = await WatchedFolderFixture.open();
    await addWatched(fixture);
    const finishAll = (): void => {
      for (const { id } of rowsOf(fixture.longhand)) fixture.states.set(id, done);
    };
    finishAll();
    await fixture.write('talk.wav', 60);
    await fixture.pass(660_000);
    expect(fixture.queued()).toBe(2);
    finishAll();
    await fixture.close();
    fixture.reopen();
    await fixture.write('talk.wav', 120);
    await fixture.pass(900_000);
    expect(fixture.queued()).toBe(2);
    await fixture.pass(600_000);
    expect(fixture.queued()).toBe(3);
  });

  it.each(['in its place', 'in the same file'])(
    'is added at once if a longer recording has replaced it %s, and waits if that goes on',
    async (how) => {
      const fixture = await WatchedFolderFixture.open();
      await fixture.watch();
      const queued = fixture.afterASecond(fixture.queued);
      const finishAll = (): void => {
        for (const { id } of rowsOf(fixture.longhand)) fixture.states.set(id, done);
      };
      const path = join(fixture.folder, 'talk.wav');
      await writeLoud(path, 20, 1);
      await expect.poll(queued, slowPoll).toBe(1);
      finishAll();
      const replacement = how === 'in its place' ? `${path}.part` : path;
      await writeLoud(replacement, 30, 2);
      if (replacement !== path) await rename(replacement, path);
      // Fewer than 600 attempts, each of which lets a second pass: sooner than a file that grows.
      await expect.poll(queued, { interval: 50, timeout: 20_000 }).toBe(2);
      finishAll();
      await writeLoud(path, 40, 2);
      const incomplete = fixture.afterASecond(() => fixture.folders.list()[0]?.incompleteCount);
      await expect.poll(incomplete, slowPoll).toBe(1);
      await fixture.settle();
      expect(fixture.queued()).toBe(2);
    },
  );

  it('while its earlier content is transcribed is another recording once that is done, even after a restart', async () => {
    for (const restarts of [false, true]) {
      const fixture = await WatchedFolderFixture.open();
      const id = await addWatched(fixture);
      fixture.states.set(id, transcribing);
      await fixture.write('talk.wav', 3);
      await fixture.settle();
      expect(fixture.queued()).toBe(1);
      if (restarts) {
        await fixture.close();
        fixture.reopen();
        await fixture.settle();
      }
      fixture.states.set(id, done);
      await fixture.pass(660_000);
      expect(fixture.queued()).toBe(2);
      expect(fixture.retried).toEqual([]);
      expect(fixture.folders.list()[0]?.duplicateCount).toBe(0);
    }
  });

  it('while its earlier content is transcribed is added once that fails, or is removed', async () => {
    const fixture = await WatchedFolderFixture.open();
    const id = await addWatched(fixture);
    fixture.states.set(id, transcribing);
    await fixture.write('talk.wav', 3);
    await fixture.settle();
    fixture.states.set(id, { kind: 'failed', problem: { code: 'not_media' } });
    await fixture.pass(660_000);
    expect(fixture.queued()).toBe(2);
    const second = rowsOf(fixture.longhand).find((row) => row.id !== id)?.id ?? 0;
    fixture.states.set(second, transcribing);
    await fixture.write('talk.wav', 1);
    await fixture.settle();
    expect(fixture.queued()).toBe(2);
    fixture.longhand.queue.remove([second]);
    await expect
      .poll(
        fixture.afterASecond(() => rowsOf(fixture.longhand).map((row) => row.id)),
        slowPoll,
      )
      .toEqual([id, expect.any(Number)]);
    expect(fixture.longhand.queue.get(second)).toBeNull();
  });

  it('is not added again after its item was retried with it and removed, nor is a copy of it', async () => {
    const fixture = await WatchedFolderFixture.open();
    fixture.takesCurrentFile = true;
    const id = await addWatched(fixture);
    await fixture.write('talk.wav', 3);
    await fixture.write('talk copy.wav', 3);
    await fixture.settle();
    expect(fixture.names()).toEqual(['talk.wav']);
    fixture.states.set(id, blocked);
    await expect
      .poll(
        fixture.afterASecond(() => fixture.retried),
        slowPoll,
      )
      .toEqual([id]);
    await fixture.settle();
    fixture.longhand.queue.remove([id]);
    await fixture.settle();
    expect(fixture.queued()).toBe(0);
    expect(fixture.folders.list()[0]?.duplicateCount).toBe(1);
  });
});

it('a file that is emptied before it could be stored does not count as a full disk', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  fixture.beforeAdding = () =>
    Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
  await fixture.write('1.wav', 1);
  const state = fixture.afterASecond(() => fixture.folders.list()[0]?.state.kind);
  await expect.poll(state, slowPoll).toBe('unavailable');
  await writeFile(join(fixture.folder, '1.wav'), '');
  await expect.poll(state, slowPoll).toBe('watching');
});

it('a file that is being written is added although the clock is set back', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  await writeFile(join(fixture.folder, 'talk.wav'), '');
  await expect
    .poll(
      fixture.afterASecond(() => fixture.folders.list()[0]?.incompleteCount),
      slowPoll,
    )
    .toBe(1);
  await fixture.write('talk.wav', 1);
  await fixture.pass(1_000);
  expect(fixture.names()).toEqual([]);
  fixture.clockOffsetMs = -7_200_000;
  await fixture.settle();
  expect(fixture.names()).toEqual(['talk.wav']);
});

it('a file that was sent is added again once other content with the same size, start, middle and end replaces it', async () => {
  const fixture = await WatchedFolderFixture.open();
  const id = await addWatched(fixture);
  const path = join(fixture.folder, 'talk.wav');
  const { signal } = new AbortController();
  const database = new Database(fixture.databasePath);
  onTestFinished(() => void database.close());
  database
    .prepare('UPDATE items SET content_hash = ? WHERE id = ?')
    .run(await hashOfContent(path, signal), id);
  fixture.states.set(id, { kind: 'done', jobId: 'job', wordCount: 1 });
  const repaired = await readFile(path);
  repaired.fill(1, 15_000, 16_000);
  await writeFile(path, repaired);
  await expect.poll(fixture.afterASecond(fixture.queued), slowPoll).toBe(2);
});
