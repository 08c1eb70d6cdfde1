import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HandOverInbox, handOverRecordings } from '../../../../electron/shell/start/hand-over.ts';
import { quietLogger } from '../../../support/core.ts';
import { testFolder } from '../../../support/test-folder.ts';

it('adds what was left while its folder was missing, and can be closed', async () => {
  const dataFolder = await testFolder();
  const taken: string[] = [];
  const inbox = new HandOverInbox(dataFolder, quietLogger, async ({ paths }) => void taken.push(...paths));
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
