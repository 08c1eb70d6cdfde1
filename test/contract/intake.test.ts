import { mkdir, copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { addRequested, type AddRequest } from '../../electron/core/queue/adding/add-requested.ts';
import { add, openCore, rowsOf } from '../support/core.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
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

it('of a recording and its copy in a folder, the copy is the duplicate', async () => {
  const { folder, longhand } = await kit();
  const root = join(folder, 'talks');
  await mkdir(root);
  await writeFile(join(root, 'talk.wav'), silentWav(10));
  await copyFile(join(root, 'talk.wav'), join(root, 'talk - Copy.wav'));
  await copyFile(join(root, 'talk.wav'), join(root, 'copy of talk.wav'));
  const report = await add(longhand, [root]);
  expect(report.firstAdded).toBe('talk.wav');
  expect(report.rejected.map(({ name }) => name)).toEqual(['talk - Copy.wav', 'copy of talk.wav']);
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

/** Adds files as a command does, for a service that no other test uses. */
const request = (longhand: Longhand, paths: readonly string[], how: Partial<AddRequest> = {}) =>
  addRequested(longhand, {
    paths,
    links: [],
    service: 'https://other.example',
    options: defaultJobOptions,
    exports: null,
    again: false,
    signal: new AbortController().signal,
    isPersisted: false,
    ...how,
  });

describe('a recording that waits in the queue', () => {
  it.each<[string, Partial<AddRequest>]>([
    ['by a command', {}],
    ['by a command that transcribes again', { again: true }],
    ['without asking', { followsSheetDefaults: true }],
  ])('is not added for another service %s', async (_, how) => {
    const { folder, longhand } = await kit();
    const path = join(folder, 'talk.wav');
    await writeFile(path, silentWav(2));
    const { ids } = await add(longhand, [path], 'https://cloud.example');
    const { added, rejected } = await request(longhand, [path], how);
    expect([added, rejected.map(({ problem }) => [problem.code, problem.params?.['item']])]).toEqual([
      0,
      [['already_queued', ids[0]]],
    ]);
    expect(rowsOf(longhand)).toMatchObject([{ service: 'https://cloud.example' }]);
  });

  it('continues with the file that a command names if its own is gone', async () => {
    const { folder, longhand } = await kit();
    const [path, moved] = [join(folder, 'talk.wav'), join(folder, 'moved.wav')];
    await writeFile(path, silentWav(2));
    const { ids } = await add(longhand, [path]);
    await rename(path, moved);
    expect(await request(longhand, [moved])).toMatchObject({ added: 0 });
    expect(longhand.queue.get(ids[0] ?? 0)?.source).toMatchObject({ path: moved });
  });
});

it.each([
  ['before', 0],
  ['after', 1],
])('a copy that is named %s a cancelled recording is not transcribed beside it', async (_, index) => {
  const { folder, longhand } = await kit();
  const [path, copy] = [join(folder, 'talk.wav'), join(folder, 'copy.wav')];
  await writeFile(path, silentWav(2));
  await copyFile(path, copy);
  longhand.queue.cancel((await add(longhand, [path])).ids);
  await request(longhand, [copy].toSpliced(1 - index, 0, path));
  expect(rowsOf(longhand).filter(({ state }) => state.kind === 'waiting')).toHaveLength(1);
});

/** A row that is being removed, while its job at the service cannot be deleted yet. */
async function deleting() {
  const core = await openScripted();
  core.service.account.holdsJobs = true;
  await core.addFile('talk.wav');
  await core.advanceUntil(() => core.row().state.kind === 'transcribing');
  const fault = { kind: 'reset', tookEffect: false } as const;
  core.service.inject({ endpoint: 'delete', from: 1, times: 2, fault });
  core.longhand.queue.remove([core.row().id]);
  await core.advanceUntil(() => core.service.callsOf('delete').length === 1);
  const { baseUrl: service } = core.service;
  return { core, addAgain: () => request(core.longhand, [core.pathOf('talk.wav')], { service }) };
}

describe('a recording whose job is being deleted', () => {
  it('is added again if its row is being removed', async () => {
    const { core, addAgain } = await deleting();
    // So that the first job is gone before there is a second one.
    core.longhand.queue.setPaused(true);
    expect(await addAgain()).toMatchObject({ added: 1 });
    expect(await core.advanceUntil(() => core.rows().length === 1)).toBe(true);
    core.service.account.holdsJobs = false;
    core.longhand.queue.setPaused(false);
    await core.advanceUntil(core.isSettled);
    expect(core.rows()).toMatchObject([{ name: 'talk.wav', state: { kind: 'done' } }]);
  });

  it('is not added again if its row will start over', async () => {
    const { core, addAgain } = await deleting();
    core.longhand.queue.undoRemove();
    expect(core.row().state.kind).toBe('cancelling');
    const sheet = core.longhand.queue.newAddSheet({
      service: () => core.service.baseUrl,
      options: defaultJobOptions,
      send: () => undefined,
    });
    await sheet.add([core.pathOf('talk.wav')], []);
    expect(sheet.view({ group: 'duplicates', offset: 0, limit: 9 }).rows).toMatchObject([
      { duplicate: { kind: 'queue' } },
    ]);
    sheet.discard();
    expect(await addAgain()).toMatchObject({ added: 0 });
    core.service.account.holdsJobs = false;
    await core.advanceUntil(core.isSettled);
    expect(core.rows()).toMatchObject([{ state: { kind: 'done' } }]);
  });
});
