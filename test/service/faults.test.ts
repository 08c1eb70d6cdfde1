import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf } from './support/api.ts';

/** Internal errors: each gets a response with a message, is logged, and loses nothing (API part 7). */

let service: TestService;
let api: Api;
afterEach(async () => service.stop());

test('an unreadable disk: request_failed, and the idempotency key is not used up', async () => {
  let isBroken = true;
  service = await startOnDevice({
    async freeBytes() {
      if (isBroken) throw new Error('the disk went away');
      return Infinity;
    },
  });
  api = new Api(service);
  const reply = await api.create({ file_name: 'a.wav', file_size: 100 }, 'key');
  expect([reply.status, codeOf(reply)]).toEqual([500, 'request_failed']);
  // Internal details go to the log, not to the client.
  expect(JSON.stringify(reply.body)).not.toContain('the disk went away');
  expect(service.complaints).toMatchObject([{ level: 'error', message: 'A request failed.' }]);
  isBroken = false;
  expect((await api.create({ file_name: 'a.wav', file_size: 100 }, 'key')).status).toBe(201);
});

test('media that cannot be read or written: upload_failed and complete_failed', async () => {
  service = await startOnDevice();
  api = new Api(service);
  const wave = silentWav(1);
  const { id, upload } = await api.session('a.wav', wave.length);
  await api.putAll(upload, wave);
  const path = join(service.dataFolder, 'media', id);
  await rename(path, `${path}.aside`);
  await mkdir(path);
  const completed = await api.complete(id);
  expect([completed.status, codeOf(completed)]).toEqual([500, 'complete_failed']);
  const sent = await api.put(upload, 1, wave);
  expect([sent.status, codeOf(sent)]).toEqual([500, 'upload_failed']);
  await rmdir(path);
  await rename(`${path}.aside`, path);
  await api.putAll(upload, wave);
  expect((await api.complete(id)).status).toBe(202);
});
