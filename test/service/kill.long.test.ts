import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sentencesOf, silentWav } from '../support/speech/quick-speech.ts';
import { Api, jobsPath, partOf, readCreated } from './support/api.ts';
import { listSchema, type WireUpload } from './support/document.ts';
import { inPieces, Links } from './support/link-service.ts';
import { childCredits, startChild, type ChildOptions, type ServiceChild } from './support/start-child.ts';

/** How often the last test kills the service. */
const kills = Number(process.env['LONGHAND_KILLS'] ?? 12);

const partBytes = 64 * 1024;

/** Slow enough that a minute of audio stays in progress during the test. */
const slowMsPerSecond = 1000;

let dataFolder: string;
let child: ServiceChild;
let api: Api;
let links: Links;

async function start(
  msPerSecond = 0,
  more: Pick<ChildOptions, 'ca' | 'interruption' | 'maxCrashes' | 'sentences'> = {},
): Promise<void> {
  const options = { dataFolder, key: 'the-key-of-this-test', partBytes, msPerSecond };
  child = await startChild({ ...options, ...more });
  api = new Api(child);
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
  links = new Links();
  await links.open();
});
afterEach(async () => {
  await child.kill();
  await links.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const partialSchema = z.object({
  data: z.object({ partial_transcript: z.object({ segments: z.array(z.unknown()) }).optional() }),
});

/** Returns the segments so far of a job in progress. */
async function transcribedOf(id: string): Promise<readonly unknown[]> {
  const { body } = await api.send('GET', `${jobsPath}/${id}?partial=1`);
  return partialSchema.parse(body).data.partial_transcript?.segments ?? [];
}

/** Returns the session with the current address of the service. */
const atCurrentAddress = (id: string, upload: WireUpload): WireUpload => ({
  ...upload,
  part_url: `${api.target.baseUrl}/api/v1/transcriptions/${id}/upload`,
});

test('killed during an upload: acknowledged parts are kept, and only the rest is sent', async () => {
  await start();
  const wave = silentWav(60);
  const { id, upload } = await api.session('a.wav', wave.length);
  const acknowledged = new Set<number>();
  let session = upload;
  let next = 1;
  for (let round = 0; round < 4; round++) {
    const killing = sleep(20 + 25 * round).then(() => child.kill());
    while (next <= upload.part_count) {
      const reply = await api.put(session, next, partOf(wave, upload, next)).catch(() => null);
      if (reply === null) break;
      expect(reply.status).toBe(200);
      acknowledged.add(next++);
    }
    await killing;
    await start();
    session = atCurrentAddress(id, upload);
  }
  const completion = JSON.stringify((await api.complete(id)).body);
  const firstMissing = Number(/arrived yet: (\d+)/.exec(completion)?.[1] ?? upload.part_count + 1);
  // One more may be on the disk, if the service was killed between writing it and responding.
  expect([acknowledged.size + 1, acknowledged.size + 2]).toContain(firstMissing);
  for (; next <= upload.part_count; next++) await api.put(session, next, partOf(wave, upload, next));
  expect([200, 202]).toContain((await api.complete(id)).status);
  await api.until(id, 'completed');
  expect((await readFile(join(dataFolder, 'media', id))).equals(wave)).toBe(true);
});

test('killed during a download: recorded bytes are not requested again', async () => {
  const wave = silentWav(60);
  const sent = Promise.withResolvers<void>();
  const first = partBytes + 10_000;
  const second = first + 1000;
  links.handler = (_request, response) => {
    response.writeHead(200, { etag: '"v1"', 'content-length': wave.length });
    response.write(wave.subarray(0, first));
    // The second chunk is not written before the first one is recorded.
    const onFirst = (): void => {
      response.write(wave.subarray(first, second));
      links.onceStored(second, sent.resolve, dataFolder);
    };
    links.onceStored(first, onFirst, dataFolder);
  };
  await start(0, { ca: links.ca });
  const { id } = readCreated(await api.create({ url: links.to('/a.wav') }));
  await sent.promise;
  await child.kill();

  links.handler = inPieces(wave, '"v1"', wave.length, 0);
  await start(0, { ca: links.ca });
  await api.until(id, 'completed');
  const [, from] = /^\/a\.wav bytes=(\d+)- "v1"$/.exec(links.requests[1] ?? '') ?? [];
  expect(Number(from)).toBeGreaterThanOrEqual(partBytes);
  expect(Number(from)).toBeLessThanOrEqual(first);
  expect((await readFile(join(dataFolder, 'media', id))).equals(wave)).toBe(true);
  expect(await readdir(join(dataFolder, 'media'))).toEqual([id]);
});

test('killed during processing: the work is repeated, the charge is not', async () => {
  await start(slowMsPerSecond);
  const id = await api.submit('a.wav', silentWav(61));
  await expect.poll(async () => (await api.job(id)).progress).toBeGreaterThan(1);
  await child.kill();
  await start();
  expect(await api.until(id, 'completed')).toMatchObject({ credits_charged: 2, progress: 100 });
  expect(await api.balance()).toBe(childCredits - 2);
});

test('killed at every window: each window is transcribed once, and no progress counts as a crash', async () => {
  const sentences = 8;
  const options = { sentences };
  await start(slowMsPerSecond / 4, options);
  const id = await api.submit('a.wav', silentWav(sentences));
  const all = sentencesOf(sentences);
  const transcribed = (): Promise<readonly unknown[]> => transcribedOf(id);
  let killCount = 0;
  for (let done = 0; done < sentences - 1; killCount++) {
    await expect.poll(async () => (await transcribed()).length).toBeGreaterThan(done);
    await child.kill();
    await start(slowMsPerSecond / 4, options);
    const keptTranscripts = await transcribed();
    expect(keptTranscripts).toStrictEqual(all.slice(0, keptTranscripts.length));
    expect(keptTranscripts.length).toBeGreaterThan(done);
    done = keptTranscripts.length;
  }
  expect(killCount).toBeGreaterThan(2);
  expect(await api.until(id, 'completed')).toMatchObject({
    transcript: { segments: all },
    credits_charged: 1,
  });
});

test('killed repeatedly by one recording: it fails with a reason, and the others complete', async () => {
  await start(slowMsPerSecond);
  const cause = await api.submit('a.wav', silentWav(61));
  const bystander = await api.submit('b.wav', silentWav(1));
  // With both in progress, neither would be blamed.
  await api.until(bystander, 'queued');
  for (let kill = 1; kill <= 2; kill++) {
    await expect.poll(async () => (await api.job(cause)).progress).toBeGreaterThan(1);
    await child.kill();
    await start(slowMsPerSecond);
  }
  expect(await api.job(cause)).toMatchObject({
    status: 'failed',
    credits_charged: 0,
    error: { code: 'provider_unavailable', message: expect.stringContaining('ended repeatedly') },
  });
  await api.until(bystander, 'completed');
  expect(await api.balance()).toBe(childCredits - 1);
  expect(await readdir(join(dataFolder, 'media'))).toEqual([bystander]);
});

test('killed repeatedly with the whole program: the recording keeps what is done of it, and completes', async () => {
  const sentences = 8;
  const options = { sentences, interruption: 'program-end' } as const;
  await start(slowMsPerSecond / 4, options);
  const id = await api.submit('a.wav', silentWav(sentences));
  await expect.poll(async () => (await transcribedOf(id)).length).toBeGreaterThan(1);
  await child.kill();
  // These end before another window is done; a third one would be the fourth end of the program.
  for (let kill = 1; kill <= 2; kill++) {
    await start(60 * slowMsPerSecond, options);
    await api.until(id, 'processing');
    await child.kill();
  }
  await start(0, options);
  expect(await api.until(id, 'completed')).toMatchObject({
    transcript: { segments: sentencesOf(sentences) },
    credits_charged: 1,
  });
});

test(
  `killed ${kills} times at random: every accepted job ends in its right state with its right charge`,
  { timeout: 120_000 + kills * 30_000 },
  async () => {
    const jobs = new Map<string, { readonly seconds: number; deleted: boolean }>();
    /** Submits one recording, as a file or a link, until it is accepted and processed; deletes some of them. */
    const submitUntilProcessed = async (
      name: string,
      seconds: number,
      isDeleted: boolean,
      url?: string,
    ): Promise<void> => {
      const wave = silentWav(seconds);
      for (;;) {
        try {
          const request = url === undefined ? { file_name: name, file_size: wave.length } : { url };
          const created = await api.create(request, name);
          const { id, upload } = readCreated(created);
          jobs.set(id, { seconds, deleted: isDeleted });
          if (upload !== undefined) {
            await api.putAll(atCurrentAddress(id, upload), wave);
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

    // The kills end the service here, not the recordings, so none of them may be blamed.
    const blameless = { maxCrashes: 1_000_000, ca: links.ca };
    links.handler = inPieces(silentWav(61), '"v1"', 32 * 1024, 5);
    await start(1, blameless);
    const submissions: Promise<void>[] = [];
    for (let i = 0; i < kills; i++) {
      submissions.push(
        submitUntilProcessed(`${i}-a.wav`, 1 + (i % 3) * 60, false),
        submitUntilProcessed(`${i}-b.wav`, 2, i % 2 === 0),
        submitUntilProcessed(`${i}-c.wav`, 61, i % 4 === 0, links.to(`/${i}-c.wav`)),
      );
      await sleep(Math.random() * 250);
      await child.kill();
      await start(1, blameless);
    }
    await Promise.all(submissions);

    let charged = 0;
    for (const [id, { seconds, deleted }] of jobs) {
      const job = await api.until(id, 'completed', 'deleted');
      expect(job.status).toBe(deleted ? 'deleted' : 'completed');
      // A job that completed before its deletion is not refunded.
      const price = Math.ceil(seconds / 60);
      expect(deleted ? [0, price] : [price]).toContain(job.credits_charged);
      charged += job.credits_charged;
    }
    expect(jobs.size).toBe(3 * kills);
    expect(listSchema.parse((await api.list()).body)).toHaveLength(Math.min(100, 3 * kills));
    expect(await api.balance()).toBe(childCredits - charged);

    await child.kill();
    await start();
    const remainingIds = [...jobs].filter(([, { deleted }]) => !deleted).map(([id]) => id);
    expect((await readdir(join(dataFolder, 'media'))).sort()).toEqual(remainingIds.sort());
  },
);
