import { execFileSync } from 'node:child_process';
import { promises, renameSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectFile } from '../../../../electron/core/media/inspect-files.ts';
import { silentWav } from '../../../support/speech/quick-speech.ts';
import { slowPoll, WatchedFolderFixture } from './watched-folder-fixture.ts';

/** Continues as a user whom permissions concern, until the test is over. */
function dropRoot({ folder }: WatchedFolderFixture): void {
  if (process.geteuid?.() !== 0) return;
  const nobody = 65_534;
  const home = dirname(folder);
  execFileSync('chown', ['-R', String(nobody), home]);
  execFileSync('chmod', ['a+x', dirname(home)]);
  process.seteuid?.(nobody);
  onTestFinished(() => process.seteuid?.(0));
}

describe('a folder whose existing recordings are ignored', () => {
  it('ignores them also if the program ended while it looked for them', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    await fixture.folders.add(fixture.folder, false);
    await fixture.close();
    fixture.reopen();
    await fixture.settle();
    expect(fixture.names()).toEqual([]);
    expect(fixture.state()).toBe('watching');
  });

  it('ignores them also if their drive vanished while it looked for them', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    const elsewhere = `${fixture.folder} elsewhere`;
    await fixture.folders.add(fixture.folder, false);
    // The next change is the start of the walk.
    fixture.onChange = () => {
      fixture.onChange = () => undefined;
      renameSync(fixture.folder, elsewhere);
    };
    await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('unavailable');
    await rename(elsewhere, fixture.folder);
    await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('watching');
    await fixture.settle();
    expect(fixture.names()).toEqual([]);
  });

  it('ignores them also if they could not be stored at first, and reports that once', async () => {
    const fixture = await WatchedFolderFixture.open();
    await fixture.write('old.wav', 1);
    const database = new Database(fixture.databasePath);
    onTestFinished(() => void database.close());
    database.exec(`CREATE TRIGGER no_room BEFORE INSERT ON watched_files
      BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    const states: (string | undefined)[] = [];
    fixture.onChange = () => {
      if (states.at(-1) !== fixture.state()) states.push(fixture.state());
    };
    await fixture.folders.add(fixture.folder, false);
    await fixture.settle();
    expect(states.filter((state) => state === 'unavailable')).toHaveLength(1);
    expect(fixture.state()).toBe('unavailable');
    expect(fixture.unavailable).toEqual(['Season 9']);
    database.exec('DROP TRIGGER no_room');
    // A file that is empty stays pending, but what failed was stored.
    await writeFile(join(fixture.folder, 'empty.wav'), '');
    await expect.poll(fixture.afterASecond(fixture.state), slowPoll).toBe('watching');
    await fixture.write('new.wav', 3);
    await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['new.wav']);
    expect(fixture.unavailable).toEqual(['Season 9']);
  });

  it.skipIf(process.platform === 'win32')(
    'ignores them also if they could not be read at first',
    async () => {
      const fixture = await WatchedFolderFixture.open();
      const locked = join(fixture.folder, 'locked');
      await mkdir(join(locked, 'deep'), { recursive: true });
      await fixture.write('locked/deep/old.wav', 1);
      await fixture.write('old.wav', 2);
      execFileSync('mkfifo', [join(fixture.folder, 'busy.wav')]);
      dropRoot(fixture);
      await chmod(locked, 0);
      await chmod(join(fixture.folder, 'old.wav'), 0);
      await fixture.watch();
      // A drive that is not connected leaves its mount point, an empty folder.
      const away = `${fixture.folder} away`;
      await rename(fixture.folder, away);
      await mkdir(fixture.folder);
      await fixture.settle();
      await rmdir(fixture.folder);
      await rename(away, fixture.folder);
      await fixture.write('new.wav', 3);
      await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['new.wav']);
      await rm(join(fixture.folder, 'busy.wav'));
      await fixture.write('busy.wav', 4);
      await chmod(join(fixture.folder, 'old.wav'), 0o600);
      await chmod(locked, 0o700);
      await fixture.settle();
      await fixture.close();
      fixture.reopen();
      await fixture.settle();
      expect(fixture.names()).toEqual(['new.wav']);
      await fixture.write('locked/deep/new.wav', 5);
      await fixture.write('old.wav', 6);
      await expect
        .poll(fixture.afterASecond(fixture.names), slowPoll)
        .toEqual(['new.wav', 'new.wav', 'old.wav']);
    },
  );
});

it('counts a recording as known whose transcript is in the library, though the queue was cleared', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  const talk = `${fixture.folder}.wav`;
  await fixture.write(`../${basename(talk)}`, 1);
  const file = await inspectFile(talk);
  if (file.kind === 'rejected') throw new Error('it is a recording');
  const { id } = fixture.longhand.transcripts.save({
    itemId: null,
    service: 'https://api.example.com',
    jobId: 'job',
    name: 'talk.wav',
    durationSeconds: 1,
    transcript: { text: 'One.', segments: [], language: 'en' },
    recording: { path: talk, sizeBytes: file.sizeBytes, fingerprint: file.fingerprint },
    createdAt: 0,
  });
  await rename(talk, join(fixture.folder, 'talk.wav'));
  await fixture.write('new.wav', 2);
  await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['new.wav']);
  await fixture.settle();
  expect(fixture.names()).toEqual(['new.wav']);
  expect(fixture.folders.list()[0]).toMatchObject({ addedCount: 1, duplicateCount: 1 });
  // The drive of the original may only be away.
  expect(fixture.longhand.transcripts.recordingOf(id)?.path).toBe(talk);
});

it('adds a recording that differs from a known one only where the fingerprint does not look', async () => {
  const fixture = await WatchedFolderFixture.open();
  await fixture.watch();
  await fixture.write('one.wav', 2);
  await expect.poll(fixture.afterASecond(fixture.names), slowPoll).toEqual(['one.wav']);
  const other = await readFile(join(fixture.folder, 'one.wav'));
  other.writeUInt32LE(1, 8192);
  await writeFile(join(fixture.folder, 'two.wav'), other);
  await writeFile(join(fixture.folder, 'two copy.wav'), other);
  await expect.poll(fixture.afterASecond(fixture.queued), slowPoll).toBe(2);
  await fixture.settle();
  expect(fixture.folders.list()[0]).toMatchObject({ addedCount: 2, duplicateCount: 1 });
});

it('opens each of many files with one fingerprint a few times, not once for each other one', async () => {
  const fixture = await WatchedFolderFixture.open();
  const opened = new Map<string, number>();
  const { open } = promises;
  promises.open = (path, ...options) => {
    opened.set(String(path), (opened.get(String(path)) ?? 0) + 1);
    return open(path, ...options);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises.open = open;
    syncBuiltinESMExports();
  });
  await fixture.watch();
  const paths = Array.from({ length: 40 }, (_, index) => join(fixture.folder, `${index}.wav`));
  for (const [index, path] of paths.entries()) {
    const wave = silentWav(10);
    wave[30_000] = index;
    await writeFile(path, wave);
  }
  await expect.poll(fixture.afterASecond(fixture.queued), slowPoll).toBe(paths.length);
  expect(Math.max(...paths.map((path) => opened.get(path) ?? 0))).toBeLessThan(15);
});
