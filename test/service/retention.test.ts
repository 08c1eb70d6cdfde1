import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';
import { Api, codeOf } from './support/api.ts';
import { jobSchema, listSchema, type WireUpload } from './support/document.ts';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

let dataFolder: string;
let clock: ManualClock;
let service: TestService;
let api: Api;

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startOnDevice({ dataFolder, clock, ...options });
  api = new Api(service);
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
  clock = new ManualClock();
});
afterEach(async () => {
  await service.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

const mediaFiles = (): Promise<string[]> => readdir(join(dataFolder, 'media'));
const listed = async (): Promise<string[]> => listSchema.parse((await api.list()).body).map(({ id }) => id);

async function completedJob(): Promise<string> {
  const id = await api.submit('a.wav', silentWav(1));
  await api.until(id, 'completed');
  return id;
}

test('records are kept for 30 days, audio no longer than its record', async () => {
  await start();
  const id = await completedJob();
  clock.advance(29 * day);
  expect(await listed()).toEqual([id]);
  expect(await mediaFiles()).toEqual([id]);
  expect((await api.status(id)).status).toBe(200);

  clock.advance(1 * day);
  expect((await api.status(id)).status).toBe(404);
  expect(await listed()).toEqual([]);
  await expect.poll(mediaFiles).toEqual([]);
});

test('audio is kept for 60 days when records are kept longer', async () => {
  await start({ limits: { recordRetentionMs: 365 * day } });
  const id = await completedJob();
  clock.advance(59 * day);
  expect(await mediaFiles()).toEqual([id]);
  clock.advance(1 * day);
  await expect.poll(mediaFiles).toEqual([]);
  expect((await api.job(id)).transcript?.text).toContain('fox');
});

test('an active job is never deleted', async () => {
  await start({ limits: { uploadSessionMs: 400 * day } });
  const { id, upload } = await api.session('a.wav', 100);
  await api.put(upload, 1, Buffer.alloc(100));
  clock.advance(100 * day);
  expect(await listed()).toEqual([id]);
  expect(await mediaFiles()).toEqual([id]);
});

test('an abandoned upload fails, and its bytes are removed', async () => {
  await start();
  const { id, upload } = await api.session('a.wav', 100);
  await api.put(upload, 1, Buffer.alloc(100));
  clock.advance(1 * day);
  expect(await api.job(id)).toMatchObject({ status: 'failed', error: { code: 'upload_expired' } });
  await expect.poll(mediaFiles).toEqual([]);
});

test('an upload no longer counts from the moment it expires', async () => {
  const limits = { maxActiveJobs: 2, uploadSessionMs: 90 * minute };
  await start({ limits, credits: 2 });
  const { id, upload } = await api.session('a.wav', 100);
  await api.put(upload, 1, Buffer.alloc(100));
  const { id: other } = await api.session('b.wav', 100);

  clock.advance(90 * minute - 1);
  expect(codeOf(await api.create({ file_name: 'c.wav', file_size: 100 }))).toBe('active_job_limit');
  expect((await api.job(id)).status).toBe('uploading');
  clock.advance(1);
  // They no longer count as active jobs or hold back credits.
  await api.session('c.wav', 100);
  await api.session('d.wav', 100);
  for (const expired of [id, other]) {
    expect(await api.job(expired)).toMatchObject({ status: 'failed', error: { code: 'upload_expired' } });
  }
  await expect.poll(mediaFiles).toEqual([]);
});

test('the first request after expiry reports upload_expired', async () => {
  await start({ limits: { uploadSessionMs: 90 * minute } });
  const requests = [
    async (id: string) => (await api.job(id)).error?.['code'],
    async (id: string) => codeOf(await api.complete(id)),
    async (_id: string, upload: WireUpload) => codeOf(await api.put(upload, 1, Buffer.alloc(100))),
    async (id: string) => {
      const record = listSchema.parse((await api.list()).body).find((job) => job.id === id);
      return jobSchema.shape.data.parse(record).error?.['code'];
    },
  ];
  for (const request of requests) {
    const { id, upload } = await api.session('a.wav', 100);
    await api.put(upload, 1, Buffer.alloc(100));
    clock.advance(90 * minute);
    expect(await request(id, upload)).toBe('upload_expired');
    await expect.poll(mediaFiles).toEqual([]);
  }
});

test('what expired while the service was off is removed at the start', async () => {
  await start();
  const completed = await completedJob();
  const { id: uploading } = await api.session('a.wav', 100);
  await service.stop();
  await writeFile(join(dataFolder, 'media', randomUUID()), 'left behind');
  clock.advance(31 * day);
  await start();
  expect(await mediaFiles()).toEqual([]);
  expect((await api.status(completed)).status).toBe(404);
  expect((await api.job(uploading)).status).toBe('failed');
});

test('an idempotency key is deleted with its job', async () => {
  await start();
  const created = await api.create({ file_name: 'a.wav', file_size: 5 }, 'key');
  await api.delete((created.body as { data: { id: string } }).data.id);
  expect((await api.create({ file_name: 'a.wav', file_size: 5 }, 'key')).status).toBe(200);
  clock.advance(30 * day);
  expect((await api.create({ file_name: 'a.wav', file_size: 5 }, 'key')).status).toBe(201);
});

test('files that no job can have are kept, as the user may have chosen a folder with files', async () => {
  const media = join(dataFolder, 'media');
  await mkdir(join(media, '2024'), { recursive: true });
  await writeFile(join(media, 'interview.wav'), '');
  await writeFile(join(media, '2024', 'episode.mp3'), '');
  await start();
  expect((await mediaFiles()).toSorted()).toEqual(['2024', 'interview.wav']);
  expect(await readdir(join(media, '2024'))).toEqual(['episode.mp3']);
});

test('a data folder with the database of another program is refused, and nothing is changed', async () => {
  await start();
  const path = join(await testFolder(), 'service.db');
  const database = new Database(path);
  database.exec(
    'CREATE TABLE customers (id INTEGER); CREATE TABLE jobs (id INTEGER); PRAGMA user_version = 3',
  );
  database.close();
  const before = await readFile(path);
  await expect(startOnDevice({ dataFolder: dirname(path) })).rejects.toThrow(
    `${path} belongs to another program. Choose another data folder.`,
  );
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(dirname(path))).toEqual(['service.db']);
});
