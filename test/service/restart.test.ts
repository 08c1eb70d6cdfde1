import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Decoder } from '../../electron/on-device/decode/decoder.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import {
  defaultScript,
  quickDecoder,
  sentencesOf,
  silentWav,
  SteppedEngine,
} from '../support/speech/quick-speech.ts';
import { Api, jobsPath, partOf } from './support/api.ts';
import { jobSchema } from './support/document.ts';
import type { RecordingDamage } from '../../electron/contract/decoder-protocol.ts';

let dataFolder: string;
let service: TestService;
let api: Api;

/** Starts the service on the test's folder with a new key and port, like each start of the program. */
async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startOnDevice({ dataFolder, credits: 100, ...options });
  api = new Api(service);
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
});
afterEach(async () => {
  await service.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

/** A decoder that never finishes opening a recording. */
const stuckDecoder: Decoder = {
  open: (_path, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

/** A decoder that counts what it could not read, and knows the sum once it has read everything. */
const damagedDecoder = (unreadableSeconds: number): Decoder => ({
  open: async (path, signal) => {
    const recording = await quickDecoder.open(path, signal);
    let damage: RecordingDamage | null = null;
    return {
      ...recording,
      async *samples() {
        yield* recording.samples();
        damage = { unreadableSeconds, omittedSeconds: 2 * unreadableSeconds };
      },
      damage: () => damage,
    };
  },
});

test('an upload continues with the missing parts', async () => {
  const wave = silentWav(1);
  const limits = { partBytes: 10_000 };
  await start({ limits });
  const { id, upload } = await api.session('a.wav', wave.length);
  for (const n of [1, 2]) await api.put(upload, n, partOf(wave, upload, n));
  const { key: oldKey } = service;
  await service.stop();

  await start({ limits });
  const partUrl = `${service.baseUrl}/api/v1/transcriptions/${id}/upload`;
  expect((await api.send('GET', '/api/v1/transcriptions', { key: oldKey })).status).toBe(401);
  for (const n of [3, 4]) await api.put({ ...upload, part_url: partUrl }, n, partOf(wave, upload, n));
  expect((await api.complete(id)).status).toBe(202);
  await api.until(id, 'completed');
  expect((await readFile(join(dataFolder, 'media', id))).equals(wave)).toBe(true);
});

test('after a crash with two recordings, one starts when the other is deleted', async () => {
  await start({ engine: new SteppedEngine() });
  const first = await api.submit('a.wav', silentWav(1));
  await api.until(first, 'processing');
  await service.halt();
  await start({ decoder: stuckDecoder });
  const second = await api.submit('b.wav', silentWav(1));
  await service.halt();
  // As after a crash while both were in progress.
  const database = new Database(join(dataFolder, 'service.db'));
  database.exec('UPDATE jobs SET suspected = 1');
  database.close();

  const opened = Promise.withResolvers<void>();
  let opens = 0;
  await start({
    decoder: {
      open: (path, signal) => {
        opened.resolve();
        return ((opens += 1) === 1 ? stuckDecoder : quickDecoder).open(path, signal);
      },
    },
  });
  await opened.promise;
  expect((await api.job(second)).status).toBe('inspecting');
  await api.delete(first);
  await api.until(second, 'completed');
});

test('after a power failure the first recording continues first, and alone until its next checkpoint', async () => {
  const script = { ...defaultScript, segments: sentencesOf(4) };
  await start({ engine: new SteppedEngine(script) });
  const first = await api.submit('a.wav', silentWav(4));
  const prepared = await api.submit('b.wav', silentWav(2));
  await api.until(prepared, 'queued');
  await api.until(first, 'processing');
  await service.halt();
  await start({ decoder: stuckDecoder });
  const later = await api.submit('c.wav', silentWav(3));
  await service.halt();
  // As after a power failure while the first one was transcribed.
  const database = new Database(join(dataFolder, 'service.db'));
  database.prepare('UPDATE jobs SET suspected = 1 WHERE id = ?').run(first);
  database.close();

  const opened: (number | null)[] = [];
  const engine = new SteppedEngine(script);
  const decoder: Decoder = {
    open: async (path, signal) => {
      const recording = await quickDecoder.open(path, signal);
      opened.push(recording.durationSeconds);
      return recording;
    },
  };
  await start({ engine, decoder });
  engine.allow(1);
  await api.until(later, 'queued');
  expect((await api.job(first)).status).toBe('processing');
  engine.allow(Infinity);
  for (const id of [first, prepared, later]) await api.until(id, 'completed');
  // The last one is inspected while the first one is transcribed.
  expect(opened).toEqual([4, 3, 2, 3]);
});

test('a damaged database is kept in a subfolder and replaced', async () => {
  await start();
  await api.until(await api.submit('a.wav', silentWav(1)), 'completed');
  await service.stop();
  await writeFile(join(dataFolder, 'service.db'), 'no database');

  await start();
  await api.until(await api.submit('b.wav', silentWav(1)), 'completed');
  const damaged = (await readdir(dataFolder)).find((name) => name.startsWith('damaged-'));
  expect(await readFile(join(dataFolder, damaged!, 'service.db'), 'utf8')).toBe('no database');
});

test('a job whose inspection was interrupted is inspected again, and charged once', async () => {
  await start({ decoder: stuckDecoder });
  const id = await api.submit('a.wav', silentWav(61));
  await api.until(id, 'inspecting');
  await service.stop();

  await start();
  expect(await api.until(id, 'completed')).toMatchObject({ credits_charged: 2 });
  expect(await api.balance()).toBe(98);
});

test('a job whose audio was being measured is measured again and charged once', async () => {
  const counting: Decoder = {
    open: async (path, signal) => ({
      ...(await quickDecoder.open(path, signal)),
      durationSeconds: Number.NaN,
      async *samples() {
        yield new Float32Array(16_000);
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    }),
  };
  await start({ decoder: counting });
  const id = await api.submit('a.wav', silentWav(61));
  await api.until(id, 'preprocessing');
  await service.stop();

  await start();
  await api.until(id, 'completed');
  expect(await api.balance()).toBe(98);
});

test('jobs in progress or in the queue complete in order and are charged once', async () => {
  const before = new SteppedEngine();
  await start({ engine: before });
  const first = await api.submit('a.wav', silentWav(61));
  const second = await api.submit('b.wav', silentWav(1));
  before.allow(30);
  await expect.poll(async () => (await api.job(first)).progress).toBeGreaterThan(40);
  await api.until(second, 'queued');
  await service.stop();
  expect(before.cancelled).toBe(1);

  const after = new SteppedEngine();
  await start({ engine: after });
  expect(await api.until(first, 'processing')).toMatchObject({ progress: 0, credits_charged: 2 });
  expect((await api.job(second)).status).toBe('queued');
  after.allow(Infinity);
  await api.until(first, 'completed');
  await api.until(second, 'completed');
  expect(await api.balance()).toBe(97);
});

test('a transcript in progress can be read, and continues after its last window', async () => {
  const script = { ...defaultScript, segments: sentencesOf(5) };
  const before = new SteppedEngine(script);
  await start({ engine: before });
  const id = await api.submit('a.wav', silentWav(5));
  before.allow(3);
  await expect.poll(() => partialOf(id)).toMatchObject({ segments: script.segments.slice(0, 3) });
  expect(await partialOf(id, 2)).toEqual({ from: 2, language: 'en', segments: script.segments.slice(2, 3) });
  expect(await api.job(id)).not.toHaveProperty('partial_transcript');
  await service.stop();

  const after = new SteppedEngine(script);
  await start({ engine: after, decoder: damagedDecoder(1.5) });
  await api.until(id, 'processing');
  expect(await partialOf(id)).toMatchObject({ segments: script.segments.slice(0, 3) });
  after.allow(2);
  expect(await api.until(id, 'completed')).toMatchObject({
    transcript: {
      segments: script.segments,
      text: 'Sentence 1. Sentence 2. Sentence 3. Sentence 4. Sentence 5.',
    },
    credits_charged: 1,
    unreadable_seconds: 1.5,
    omitted_seconds: 3,
  });
  expect(await partialOf(id)).toBeUndefined();
  // It is part of the job, and still known after a restart.
  await service.stop();
  await start();
  expect(await api.job(id)).toMatchObject({ unreadable_seconds: 1.5 });
});

async function partialOf(id: string, from?: number): Promise<unknown> {
  const query = from === undefined ? 'partial=1' : `partial=1&from=${from}`;
  const { body } = await api.send('GET', `${jobsPath}/${id}?${query}`);
  return jobSchema.parse(body).data['partial_transcript'];
}

test('results and deletions are still there', async () => {
  await start();
  const keptJob = await api.submit('a.wav', silentWav(1));
  const deleted = await api.submit('b.wav', silentWav(1));
  await api.until(keptJob, 'completed');
  await api.until(deleted, 'completed');
  await api.delete(deleted);
  const before = await api.status(keptJob);
  await service.stop();

  await start();
  expect((await api.status(keptJob)).body).toEqual(before.body);
  expect(await api.job(deleted)).toMatchObject({ status: 'deleted' });
  expect(await api.balance()).toBe(98);
});

test('a second service does not open a folder that is in use', async () => {
  await start();
  await expect(startOnDevice({ dataFolder })).rejects.toThrow(
    'Another service is working in this data folder.',
  );
  expect((await api.list()).status).toBe(200);
});

test('a service that cannot listen releases its folder', async () => {
  await start();
  const port = Number(new URL(service.baseUrl).port);
  const other = await mkdtemp(join(tmpdir(), 'longhand-service-'));
  await expect(startOnDevice({ dataFolder: other, port })).rejects.toThrow('EADDRINUSE');
  const restarted = await startOnDevice({ dataFolder: other });
  await restarted.stop();
  await rm(other, { recursive: true });
});
