import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { speechlessWave } from '../support/speech/quick-speech.ts';
import { Api, partOf, readCreated } from './support/api.ts';
import { listSchema, type WireUpload } from './support/document.ts';
import { childCredits, startChild, type ServiceChild } from './support/start-child.ts';

/** How often the service is killed in the long run of this suite. */
const kills = Number(process.env['LONGHAND_KILLS'] ?? 12);

let dataFolder: string;
let child: ServiceChild;
let api: Api;

async function start(msPerSecond = 0, more: { readonly maxCrashes?: number } = {}): Promise<void> {
  const options = { dataFolder, key: 'the-key-of-this-test', partBytes: 64 * 1024, msPerSecond };
  child = await startChild({ ...options, ...more });
  api = new Api(child);
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
});
afterEach(async () => {
  await child.kill();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The session at the address where the service is now. */
const moved = (id: string, upload: WireUpload): WireUpload => ({
  ...upload,
  part_url: `${api.target.baseUrl}/api/v1/transcriptions/${id}/upload`,
});

test('killed in mid-upload: what was answered is there, and only the rest is sent', async () => {
  await start();
  const wave = speechlessWave(60);
  const { id, upload } = await api.session('a.wav', wave.length);
  const answered = new Set<number>();
  let session = upload;
  let next = 1;
  for (let round = 0; round < 4; round++) {
    const dead = sleep(20 + 25 * round).then(() => child.kill());
    while (next <= upload.part_count) {
      const reply = await api.put(session, next, partOf(wave, upload, next)).catch(() => null);
      if (reply === null) break;
      expect(reply.status).toBe(200);
      answered.add(next++);
    }
    await dead;
    await start();
    session = moved(id, upload);
  }
  const told = JSON.stringify((await api.complete(id)).body);
  const firstMissing = Number(/come yet: (\d+)/.exec(told)?.[1] ?? upload.part_count + 1);
  // One more may be on the disk: the service was killed between writing it and answering.
  expect([answered.size + 1, answered.size + 2]).toContain(firstMissing);
  for (; next <= upload.part_count; next++) await api.put(session, next, partOf(wave, upload, next));
  expect([200, 202]).toContain((await api.complete(id)).status);
  await api.until(id, 'completed');
  expect((await readFile(join(dataFolder, 'media', id))).equals(wave)).toBe(true);
});

test('killed in mid-work: the work is done anew, the charge is not', async () => {
  await start(20);
  const id = await api.submit('a.wav', speechlessWave(61));
  await expect.poll(async () => (await api.job(id)).progress).toBeGreaterThan(5);
  await child.kill();
  await start();
  expect(await api.until(id, 'completed')).toMatchObject({ credits_charged: 2, progress: 100 });
  expect(await api.balance()).toBe(childCredits - 2);
});

test('killed again and again by one recording: it is given up with a reason, and the others are done', async () => {
  await start(20);
  const cause = await api.submit('a.wav', speechlessWave(61));
  const bystander = await api.submit('b.wav', speechlessWave(1));
  for (let kill = 1; kill <= 2; kill++) {
    await expect.poll(async () => (await api.job(cause)).progress).toBeGreaterThan(1);
    await child.kill();
    await start(20);
  }
  expect(await api.job(cause)).toMatchObject({
    status: 'failed',
    credits_charged: 0,
    error: { code: 'provider_unavailable', message: expect.stringContaining('broke down 2 times') },
  });
  await api.until(bystander, 'completed');
  expect(await api.balance()).toBe(childCredits - 1);
  expect(await readdir(join(dataFolder, 'media'))).toEqual([bystander]);
});

test(
  `killed ${kills} times at random: every accepted job ends in its right state with its right charge`,
  { timeout: 120_000 + kills * 30_000 },
  async () => {
    const jobs = new Map<string, { readonly seconds: number; deleted: boolean }>();
    /** Creates, sends, completes and sometimes deletes one recording, again and again until it is through. */
    const drive = async (name: string, seconds: number, isDeleted: boolean): Promise<void> => {
      const wave = speechlessWave(seconds);
      for (;;) {
        try {
          const created = await api.create({ file_name: name, file_size: wave.length }, name);
          const { id, upload } = readCreated(created);
          jobs.set(id, { seconds, deleted: isDeleted });
          if (upload !== undefined) {
            await api.putAll(moved(id, upload), wave);
            const { status } = await api.complete(id);
            if (status !== 202 && status !== 200) throw new Error(`complete: ${status}`);
          }
          if (isDeleted) await api.delete(id);
          return;
        } catch {
          await sleep(20);
        }
      }
    };

    // It is the killing that ends the service here, not the recordings: none of them is to be blamed.
    const blameless = { maxCrashes: 1_000_000 };
    await start(1, blameless);
    const driving: Promise<void>[] = [];
    for (let i = 0; i < kills; i++) {
      driving.push(drive(`${i}-a.wav`, 1 + (i % 3) * 60, false), drive(`${i}-b.wav`, 2, i % 2 === 0));
      await sleep(Math.random() * 250);
      await child.kill();
      await start(1, blameless);
    }
    await Promise.all(driving);

    let charged = 0;
    for (const [id, { seconds, deleted }] of jobs) {
      const job = await api.until(id, 'completed', 'deleted');
      expect(job.status).toBe(deleted ? 'deleted' : 'completed');
      // A job that was done before its deletion stays paid.
      const price = Math.ceil(seconds / 60);
      expect(deleted ? [0, price] : [price]).toContain(job.credits_charged);
      charged += job.credits_charged;
    }
    expect(jobs.size).toBe(2 * kills);
    expect(listSchema.parse((await api.list()).body)).toHaveLength(Math.min(100, 2 * kills));
    expect(await api.balance()).toBe(childCredits - charged);

    await child.kill();
    await start();
    const kept = [...jobs].filter(([, { deleted }]) => !deleted).map(([id]) => id);
    expect((await readdir(join(dataFolder, 'media'))).sort()).toEqual(kept.sort());
  },
);
