import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api } from './support/api.ts';
import { startChild, type ServiceChild } from './support/start-child.ts';

const mebibyte = 1024 ** 2;
/** Parts of 8 MiB each: a gigabyte. */
const partCount = 128;

let service: TestService | null = null;
let child: ServiceChild | null = null;
afterEach(async () => {
  await service?.stop();
  await child?.kill();
  service = null;
  child = null;
});

test('loses nothing with fifty concurrent jobs and two hundred polling clients', async () => {
  service = await startOnDevice({ credits: 1000, limits: { partBytes: 100_000 } });
  const api = new Api(service);
  const wave = silentWav(20);
  const first = await api.submit('first.wav', wave);
  const polling = new AbortController();
  const waits: number[] = [];
  const pollers = Array.from({ length: 200 }, async () => {
    let replies = 0;
    while (!polling.signal.aborted) {
      const sentAt = performance.now();
      const reply = await api.status(first);
      waits.push(performance.now() - sentAt);
      if (reply.status !== 200) throw new Error(`${reply.status}`);
      replies++;
      await sleep(500);
    }
    return replies;
  });
  const ids = await Promise.all(Array.from({ length: 49 }, (_, i) => api.submit(`${i}.wav`, wave)));
  const jobs = await Promise.all([first, ...ids].map((id) => api.until(id, 'completed')));
  polling.abort();
  expect(jobs.every(({ credits_charged }) => credits_charged === 1)).toBe(true);
  expect(await api.balance()).toBe(950);
  expect((await Promise.all(pollers)).every((replies) => replies > 0)).toBe(true);
  expect(service.complaints).toEqual([]);
  waits.sort((a, b) => a - b);
  const percentile = (share: number): string => (waits[Math.floor(share * waits.length)] ?? 0).toFixed(0);
  console.log(
    `${waits.length} polls, answered in ${percentile(0.5)} ms (median), ${percentile(0.99)} ms (99th percentile)`,
  );
});

test.skipIf(process.platform !== 'linux')(
  'a gigabyte comes through whole, and memory does not grow with it',
  async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
    child = await startChild({ dataFolder, key: 'the-key-of-this-test', partBytes: 8 * mebibyte });
    const { pid, memory } = child;
    /** The peak memory of the service in MiB. */
    const peak = async (): Promise<number> => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };
    /** The retained memory after a garbage collection in MiB. */
    const retained = async (): Promise<number> => {
      const { heapUsed, external } = await memory();
      return (heapUsed + external) / mebibyte;
    };
    const api = new Api(child);
    const { id, upload } = await api.session('long.wav', partCount * 8 * mebibyte);
    const sent = createHash('sha256');
    const part = randomBytes(8 * mebibyte);
    let early = 0;
    let earlyRetained = 0;
    let sendingMs = 0;
    for (let n = 1; n <= partCount; n++) {
      // All parts differ, so that swapped parts would be noticed.
      part.writeUInt32LE(n);
      sent.update(part);
      const startedAt = performance.now();
      expect((await api.put(upload, n, part)).status).toBe(200);
      sendingMs += performance.now() - startedAt;
      if (n !== partCount / 4) continue;
      early = await peak();
      earlyRetained = await retained();
    }
    const late = await peak();
    console.log(
      `${partCount * 8} MiB in ${(sendingMs / 1000).toFixed(1)} s, each part on the disk before its response; ` +
        `at most ${early.toFixed(0)} MiB of memory after a quarter, ${late.toFixed(0)} MiB in the end`,
    );
    // Freed memory is returned to the system a moment later.
    await expect.poll(retained).toBeLessThan(earlyRetained + 8);
    // The time of garbage collections varies; three times as much has arrived meanwhile.
    expect(late - early).toBeLessThan((partCount * 8) / 4);
    const stored = createHash('sha256');
    for await (const chunk of createReadStream(join(dataFolder, 'media', id))) stored.update(chunk);
    expect(stored.digest('hex')).toBe(sent.digest('hex'));
    await api.delete(id);
    await child.kill();
    await rm(dataFolder, { recursive: true });
  },
);
