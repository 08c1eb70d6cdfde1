import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { speechlessWave } from '../support/quick-speech.ts';
import { Api } from './support/api.ts';
import { startChild, type ServiceChild } from './support/start-child.ts';

const mebibyte = 1024 ** 2;

let service: TestService | null = null;
let child: ServiceChild | null = null;
afterEach(async () => {
  await service?.stop();
  await child?.kill();
  service = null;
  child = null;
});

test('fifty jobs at once, two hundred clients that poll: nothing is lost', async () => {
  service = await startOnDevice({ credits: 1000, limits: { partBytes: 100_000 } });
  const api = new Api(service);
  const wave = speechlessWave(20);
  const first = await api.submit('first.wav', wave);
  const over = new AbortController();
  const pollers = Array.from({ length: 200 }, async () => {
    let answers = 0;
    while (!over.signal.aborted) {
      const reply = await api.status(first);
      if (reply.status !== 200) throw new Error(`${reply.status}`);
      answers++;
      await sleep(500);
    }
    return answers;
  });
  const ids = await Promise.all(Array.from({ length: 49 }, (_, i) => api.submit(`${i}.wav`, wave)));
  const jobs = await Promise.all([first, ...ids].map((id) => api.until(id, 'completed')));
  over.abort();
  expect(jobs.every(({ credits_charged }) => credits_charged === 1)).toBe(true);
  expect(await api.balance()).toBe(950);
  expect((await Promise.all(pollers)).every((answers) => answers > 0)).toBe(true);
  expect(service.complaints).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('memory does not grow with the file', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
  child = await startChild({ dataFolder, key: 'the-key-of-this-test', partBytes: 8 * mebibyte });
  const { pid } = child;
  /** The most memory that the service ever had, in MiB. */
  const peak = async (): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const api = new Api(child);
  const part = Buffer.alloc(8 * mebibyte);
  const { id, upload } = await api.session('long.wav', 40 * part.length);
  for (let n = 1; n <= 16; n++) expect((await api.put(upload, n, part)).status).toBe(200);
  const early = await peak();
  for (let n = 17; n <= 40; n++) expect((await api.put(upload, n, part)).status).toBe(200);
  expect((await peak()) - early).toBeLessThan(48);
  await api.delete(id);
  await child.kill();
  await rm(dataFolder, { recursive: true });
});
