import { readdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  HandOverInbox,
  handOverRecordings,
  takeReply,
  withdraw,
} from '../../../../electron/shell/start/hand-over.ts';
import { quietLogger } from '../../../support/core.ts';
import { testFolder } from '../../../support/test-folder.ts';

it('adds what was left while its folder was missing, and can be closed', async () => {
  const dataFolder = await testFolder();
  const taken: string[] = [];
  const inbox = new HandOverInbox(dataFolder, quietLogger, async ({ paths }) => {
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
  handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: true });
  inbox.check();
  await close();
  expect(taken).toEqual(['/talk.wav']);
});

it('replies what was made of recordings, once', async () => {
  const dataFolder = await testFolder();
  const rejected = [{ name: 'gone.wav', problem: { code: 'file_missing' } }] as const;
  const inbox = new HandOverInbox(dataFolder, quietLogger, async ({ ask }) =>
    ask ? null : { ids: [7], rejected },
  );
  const asked = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: true });
  const reply = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: false });
  expect(takeReply(reply)).toBeNull();
  inbox.check();
  await inbox.close();
  expect(takeReply(asked)).toBeNull();
  expect(takeReply(reply)).toEqual({ ids: [7], rejected });
  expect(takeReply(reply)).toBeNull();
});

const addSeven = async () => ({ ids: [7], rejected: [] });

it('deletes replies that nobody has read', async () => {
  const dataFolder = await testFolder();
  const reply = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: false });
  await new HandOverInbox(dataFolder, quietLogger, addSeven).close();
  await new HandOverInbox(dataFolder, quietLogger, addSeven).close();
  expect(takeReply(reply)).toBeNull();
});

it('asks about what was left for an earlier window', async () => {
  const dataFolder = await testFolder();
  const reply = handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: false });
  await utimes(reply.replace(/reply$/, 'json'), 1_700_000_000, 1_700_000_000);
  const asked: boolean[] = [];
  const inbox = new HandOverInbox(dataFolder, quietLogger, async ({ ask }) => {
    asked.push(ask);
    return null;
  });
  await inbox.close();
  expect(asked).toEqual([true]);
});

it('leaves nothing for the next window that was withdrawn', async () => {
  const dataFolder = await testFolder();
  withdraw(handOverRecordings(dataFolder, { paths: ['/talk.wav'], links: [], ask: false }));
  expect(await readdir(join(dataFolder, 'hand-over'))).toEqual([]);
});
