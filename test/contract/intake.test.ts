import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { add, openCore, rowsOf } from '../support/core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';

/** A queue whose service is unavailable, so that nothing that is added starts. */
async function kit(): Promise<{ readonly folder: string; readonly longhand: Longhand }> {
  const folder = await testFolder();
  const longhand = openCore(join(folder, 'data'));
  onTestFinished(() => longhand.close());
  return { folder, longhand };
}

it('recordings that are added twice at the same time are added once', async () => {
  const { folder, longhand } = await kit();
  // More than one batch, so that both calls are still inspecting when the other looks for duplicates.
  const paths = Array.from({ length: 80 }, (_, index) => join(folder, `${index}.wav`));
  await Promise.all(paths.map((path, index) => writeFile(path, silentWav(1 + index / 100))));
  const [first, second] = await Promise.all([add(longhand, paths), add(longhand, paths)]);
  expect(first).toMatchObject({ added: 80, rejected: [] });
  expect(second.added).toBe(0);
  expect(new Set(second.rejected.map(({ problem }) => problem.code))).toEqual(new Set(['already_queued']));
});

it('adding continues after a cancelled call', async () => {
  const { longhand } = await kit();
  const link = 'https://example.com/talk.mp3';
  const calledOff = longhand.queue.add({
    paths: [],
    links: [link],
    service: 'on-device',
    options: defaultJobOptions,
    autoExports: null,
    signal: AbortSignal.abort(new Error('called off')),
  });
  const next = add(longhand, [], 'on-device', [link]);
  await expect(calledOff).rejects.toThrow('called off');
  expect(await next).toMatchObject({ added: 1 });
});

it('a duplicate is found behind another recording with the same fingerprint', async () => {
  const { folder, longhand } = await kit();
  const [one, other, copy] = ['one.wav', 'other.wav', 'copy.wav'].map((name) => join(folder, name));
  if (one === undefined || other === undefined || copy === undefined) throw new Error('three names');
  const wave = silentWav(10);
  await writeFile(one, wave);
  await copyFile(one, copy);
  wave[30_000] = 1;
  await writeFile(other, wave);
  const report = await add(longhand, [one, other, copy]);
  expect(report.added).toBe(2);
  expect(report.rejected.map(({ name }) => name)).toEqual(['copy.wav']);
});

it('secrets in a link are never shown, and a password is not stored', async () => {
  const { folder, longhand } = await kit();
  const links = ['https://user:secret@example.com/a.mp3', 'https://example.com/b.mp3?signature=secret'];
  const batch = longhand.queue.newAddSheet({
    service: () => 'on-device',
    options: defaultJobOptions,
    send: () => undefined,
  });
  await batch.add([], [links[0] ?? '']);
  expect(JSON.stringify(batch.view({ group: 'rejected', offset: 0, limit: 9 }))).not.toContain('secret');
  const kept = await readFile(join(folder, 'data', 'longhand.db-wal'), 'latin1');
  expect(kept).toContain('@example.com/a.mp3');
  expect(kept).not.toContain('secret');
  batch.close();

  const { ids, rejected } = await add(longhand, [], 'on-device', links);
  expect(JSON.stringify(rejected)).not.toContain('secret');
  const [id = 0] = ids;
  expect(longhand.queue.details(id)?.location).toBe('https://example.com/b.mp3?…');
  expect(JSON.stringify(rowsOf(longhand))).not.toContain('secret');
});

it('a link has no auto exports next to it', async () => {
  const { longhand } = await kit();
  const { ids } = await longhand.queue.add({
    paths: [],
    links: ['https://example.com/talk.mp3'],
    service: 'on-device',
    options: defaultJobOptions,
    autoExports: [{ format: 'txt', folder: null }],
    signal: new AbortController().signal,
  });
  expect(ids.flatMap((id) => longhand.autoExports.of(id))).toEqual([]);
});
