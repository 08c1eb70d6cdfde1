import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  HandOverInbox,
  type HandOverInboxOptions,
  handOverRecordings,
  takeReply,
  withdraw,
} from '../../../../electron/shell/start/hand-over.ts';
import { quietLogger } from '../../../support/core.ts';
import { testFolder } from '../../../support/test-folder.ts';

const noChoices = { service: null, options: {}, exports: null, again: false };
const forThis = { window: 'this', choices: noChoices };

const openInbox = (dataFolder: string, add: HandOverInboxOptions['add']): HandOverInbox =>
  new HandOverInbox({ dataFolder, logger: quietLogger, leaseOwner: 'this', add });

it('adds what was left while its folder was missing, and can be closed', async () => {
  const dataFolder = await testFolder();
  const taken: string[] = [];
  const inbox = openInbox(dataFolder, async ({ paths }) => {
    taken.push(...paths);
    return null;
  });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= inbox.close());
  onTestFinished(close);
  const folder = join(dataFolder, 'hand-over');
  await rename(folder, `${folder} away`);
  inbox.check();
  await new Promise(setImmediate);
  await rename(`${folder} away`, folder);
  handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: null });
  inbox.check();
  await close();
  expect(taken).toEqual(['/talk.wav']);
});

it('leaves what arrives after it was closed to the next start', async () => {
  const dataFolder = await testFolder();
  const added: string[] = [];
  const add: HandOverInboxOptions['add'] = async ({ paths }) => {
    added.push(...paths);
    return null;
  };
  const inbox = openInbox(dataFolder, add);
  await inbox.close();
  handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: null });
  inbox.check();
  // Waits for what the check has begun.
  await inbox.close();
  expect(added).toEqual([]);
  await openInbox(dataFolder, add).close();
  expect(added).toEqual(['/talk.wav']);
});

it('adds recordings though the folder cannot be watched', async () => {
  const dataFolder = await testFolder();
  const folder = join(dataFolder, 'hand-over');
  // Cannot be watched, for example while the system has no watches left.
  await writeFile(folder, '');
  const taken = Promise.withResolvers<readonly string[]>();
  const inbox = openInbox(dataFolder, async ({ paths }) => {
    taken.resolve(paths);
    return null;
  });
  onTestFinished(() => inbox.close());
  await rename(folder, `${folder} before`);
  handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: null });
  expect(await taken.promise).toEqual(['/talk.wav']);
});

it('replies what was made of recordings, once', async () => {
  const dataFolder = await testFolder();
  const rejected = [{ name: 'gone.wav', problem: { code: 'file_missing' } }] as const;
  const inbox = openInbox(dataFolder, async (_, choices) =>
    choices === null ? null : { ids: [7], rejected, settledExports: [] },
  );
  const asked = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: null });
  const reply = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: forThis });
  expect(takeReply(reply)).toBeNull();
  inbox.check();
  await inbox.close();
  expect(takeReply(asked)).toBe('shown');
  expect(takeReply(reply)).toEqual({ ids: [7], rejected, settledExports: [] });
});

const addSeven = async () => ({ ids: [7], rejected: [], settledExports: [] });

it('replies that it failed when recordings cannot be added, or the reply cannot be written', async () => {
  const dataFolder = await testFolder();
  const [notAdded = '', unwritable = '', unread = ''] = ['not added', 'added', 'unread'].map((name) =>
    handOverRecordings(dataFolder, { paths: [name], links: [], command: forThis }),
  );
  await mkdir(`${unwritable}.part`);
  await openInbox(dataFolder, async ({ paths }) => {
    if (!paths.includes('added')) throw new Error('database or disk is full');
    return { ids: [7], rejected: [], settledExports: [] };
  }).close();
  expect(takeReply(notAdded)).toBe('failed');
  expect(takeReply(unwritable)).toBe('failed');
  await openInbox(dataFolder, addSeven).close();
  expect(await readdir(join(dataFolder, 'hand-over'))).toEqual([basename(`${unwritable}.part`)]);
  expect(takeReply(unread)).toBe('shown');
});

it('deletes replies that nobody has read', async () => {
  const dataFolder = await testFolder();
  const reply = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: forThis });
  await openInbox(dataFolder, addSeven).close();
  await openInbox(dataFolder, addSeven).close();
  expect(takeReply(reply)).toBe('shown');
});

it('deletes what a killed process has not written completely, but not what one is writing', async () => {
  const dataFolder = await testFolder();
  const folder = join(dataFolder, 'hand-over');
  await mkdir(folder);
  const [abandoned, writing] = [randomUUID(), randomUUID()];
  const names = [`${abandoned}.json.part`, `${abandoned}.reply.part`, `${writing}.json.part`];
  for (const name of names) await writeFile(join(folder, name), '{"paths":["/tal');
  for (const name of names.slice(0, 2)) await utimes(join(folder, name), 1_700_000_000, 1_700_000_000);
  await openInbox(dataFolder, addSeven).close();
  expect(await readdir(folder)).toEqual([`${writing}.json.part`]);
});

it('leaves files alone whose names are not ours', async () => {
  const dataFolder = await testFolder();
  const folder = join(dataFolder, 'hand-over');
  await mkdir(folder);
  const names = ['letter.json', 'letter.json.part', 'letter.reply', 'letter.failed'];
  for (const name of names) await writeFile(join(folder, name), '{"paths":["/talk.wav"],"links":[]}');
  await utimes(join(folder, 'letter.json.part'), 1_700_000_000, 1_700_000_000);
  const added: unknown[] = [];
  await openInbox(dataFolder, async (recordings) => {
    added.push(recordings);
    return null;
  }).close();
  expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
  expect(added).toEqual([]);
});

it('asks about what was left for an earlier window, whatever the clock says', async () => {
  const dataFolder = await testFolder();
  const replies = ['earlier', 'this'].map((window) =>
    handOverRecordings(dataFolder, { paths: [`/${window}.wav`], links: [], command: { ...forThis, window } }),
  );
  // As after the clock was set back since the window was opened.
  for (const reply of replies) await utimes(reply.replace(/reply$/, 'json'), 1_700_000_000, 1_700_000_000);
  const asked: Record<string, boolean> = {};
  await openInbox(dataFolder, async ({ paths: [path = ''] }, choices) => {
    asked[path] = choices === null;
    return choices === null ? null : { ids: [7], rejected: [], settledExports: [] };
  }).close();
  expect(asked).toEqual({ '/earlier.wav': true, '/this.wav': false });
  expect(replies.map((reply) => takeReply(reply))).toEqual([
    'shown',
    { ids: [7], rejected: [], settledExports: [] },
  ]);
});

it('leaves nothing for the next window that was withdrawn', async () => {
  const dataFolder = await testFolder();
  withdraw(handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], command: forThis }));
  expect(await readdir(join(dataFolder, 'hand-over'))).toEqual([]);
});

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

it('writes the field names that other versions of the program read', async () => {
  const dataFolder = await testFolder();
  const exports = { formats: ['srt'], folder: null, linkFolder: '/work' } as const;
  const settledExports = [{ item: 7, format: 'srt', folder: null }] as const;
  const reply = handOverRecordings(dataFolder, {
    paths: ['/talk.wav'],
    links: [],
    command: { window: 'this', choices: { ...noChoices, exports } },
  });
  expect(await readJson(reply.replace('.reply', '.json'))).toMatchObject({
    command: { choices: { files: exports } },
  });
  await openInbox(dataFolder, async () => ({ ids: [7], rejected: [], settledExports })).close();
  expect(await readJson(reply)).toEqual({ ids: [7], rejected: [], endedFiles: settledExports });
});

it('passes on what a command asks for, and refuses what no command asks for', async () => {
  const dataFolder = await testFolder();
  const choices = {
    service: 'https://example.com',
    options: { language: 'de', terms: ['Ada'] },
    exports: { formats: ['srt'], folder: null, linkFolder: '/work' },
    again: true,
  } as const;
  const received: unknown[] = [];
  const unusable = [
    { ...choices, options: { accuracy: 'best' } },
    { ...choices, exports: { ...choices.exports, folder: '../elsewhere' } },
    { ...choices, key: 'secret' },
  ];
  const replies = [choices, ...(unusable as unknown as (typeof choices)[])].map((asked) =>
    handOverRecordings(dataFolder, {
      paths: ['/talk.wav'],
      links: [],
      command: { window: 'this', choices: asked },
    }),
  );
  await openInbox(dataFolder, async (_, given) => {
    received.push(given);
    return addSeven();
  }).close();
  expect(received).toEqual([choices]);
  expect(replies.map((reply) => takeReply(reply))).toEqual([await addSeven(), 'failed', 'failed', 'failed']);
});
