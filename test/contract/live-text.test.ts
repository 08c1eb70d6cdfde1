import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceAddress } from '../../electron/contract/service.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { add, memorySecrets, openCore, rowsOf, waitUntilSettled } from '../support/core.ts';
import { startCountingProxy, type CountingProxy } from '../support/servers/counting-proxy.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { sentencesOf, silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

let folder: TemporaryFolder;
let engine: SteppedEngine;
let service: TestService;
let proxy: CountingProxy;
let longhand: Longhand;

const sentences = sentencesOf(4);

beforeEach(async () => {
  folder = await temporaryFolder();
  engine = new SteppedEngine({ language: 'en', segments: sentences });
  service = await startOnDevice({ dataFolder: join(folder.path, 'service'), engine });
  proxy = await startCountingProxy(service.baseUrl, 0);
});

afterEach(async () => {
  engine.allow(Infinity);
  await longhand.close();
  await proxy.close();
  await service.stop();
  await folder.remove();
});

async function startOn(address: ServiceAddress): Promise<void> {
  const path = join(folder.path, 'talk.wav');
  await writeFile(path, silentWav(sentences.length));
  longhand = openCore(join(folder.path, 'data'), {
    secrets: memorySecrets({ [proxy.baseUrl]: service.key }),
  });
  longhand.services.openOnDevice(proxy.baseUrl, service.key);
  longhand.start();
  await add(longhand, [path], address);
}

it('is followed by the queue until the transcript is saved', async () => {
  await startOn('on-device');
  engine.allow(2);
  await expect
    .poll(() => rowsOf(longhand)[0]?.state)
    .toMatchObject({ kind: 'transcribing', latestText: 'Sentence 1. Sentence 2.' });
  expect(longhand.queue.live(1, 1)).toMatchObject({
    kind: 'transcribing',
    from: 1,
    segments: [sentences[1]],
  });
  expect(longhand.queue.live(1, 9)).toMatchObject({ from: 0, segments: sentences.slice(0, 2) });
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
  expect(longhand.queue.live(1, 0)).toEqual({ kind: 'done', transcriptId: 1 });
  expect(longhand.queue.live(2, 0)).toEqual({ kind: 'stopped' });
});

it('is not requested from an account, whose service may not know it', async () => {
  await startOn(proxy.baseUrl);
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
  const polls = proxy.passed.filter(({ method }) => method === 'GET');
  expect(polls.length).toBeGreaterThan(0);
  expect(polls.filter(({ url }) => url.includes('?'))).toEqual([]);
});
