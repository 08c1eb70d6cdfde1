import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { Api, codeOf, readCreated, type Reply } from './support/api.ts';
import { listSchema } from './support/document.ts';

const file = { file_name: 'a.wav', file_size: 1000 };
const link = { url: 'https://media.example/a.mp3' };

let dataFolder: string;
let service: TestService;
let api: Api;
/** Resolves the pending host lookups. */
let answerDns: () => void;
/** Resolves when the first request waits for its host lookup and holds its key, since concurrent requests have no order. */
let dnsAsked: Promise<void>;

async function start(): Promise<void> {
  const dns = Promise.withResolvers<void>();
  answerDns = dns.resolve;
  const asked = Promise.withResolvers<void>();
  dnsAsked = asked.promise;
  service = await startOnDevice({
    dataFolder,
    network: {
      resolve: async () => {
        asked.resolve();
        await dns.promise;
        return [{ address: '8.8.8.8', family: 4 }];
      },
      isForbidden: () => false,
    },
  });
  api = new Api(service);
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
  await start();
});
afterEach(async () => {
  answerDns();
  await service.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

const idOf = (reply: Reply): string => readCreated(reply).id;
const jobCount = async (): Promise<number> => listSchema.parse((await api.list()).body).length;

test('of fifty concurrent requests with one key, one creates the job and the others get it', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => api.create(file, 'race')));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(49);
  expect(new Set(replies.map(idOf)).size).toBe(1);
  expect(await jobCount()).toBe(1);
});

test('of concurrent requests with different parameters, one wins and the others conflict', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => api.create({ ...file, file_size: 1000 + i }, 'race')),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter((reply) => codeOf(reply) === 'idempotency_conflict')).toHaveLength(19);
  expect(await jobCount()).toBe(1);
});

test('while the first request is being stored, a second one is asked to wait', async () => {
  const first = api.create(link, 'slow');
  await dnsAsked;
  const second = await api.create(link, 'slow');
  expect(second.status).toBe(409);
  expect(codeOf(second)).toBe('idempotency_pending');
  expect(Number(second.header('retry-after'))).toBeGreaterThan(0);

  answerDns();
  const created = await first;
  expect(created.status).toBe(202);
  const third = await api.create(link, 'slow');
  expect(third.status).toBe(200);
  expect(third.header('idempotency-replayed')).toBe('true');
  expect(third.header('location')).toBe(created.header('location'));
  expect(idOf(third)).toBe(idOf(created));
});

test('a rejected request does not use up its key', async () => {
  expect((await api.create({ ...file, file_name: 'a.pdf' }, 'again')).status).toBe(415);
  expect((await api.create(file, 'again')).status).toBe(201);
});

test('keys survive a restart and a change of the API key', async () => {
  const first = await api.create(file, 'kept');
  await service.stop();
  await start();
  const replay = await api.create(file, 'kept');
  expect(replay.status).toBe(200);
  expect(idOf(replay)).toBe(idOf(first));
  expect(readCreated(replay).upload?.part_url).toContain(service.baseUrl);
  expect(codeOf(await api.create({ ...file, language: 'fr' }, 'kept'))).toBe('idempotency_conflict');
});

test('a request that a shutdown interrupts creates nothing', async () => {
  const interrupted = api.create(link, 'interrupted').catch((error: unknown) => error);
  await dnsAsked;
  expect((await api.create(link, 'interrupted')).status).toBe(409);
  await service.stop();
  await interrupted;
  answerDns();
  await start();
  answerDns();
  expect(await jobCount()).toBe(0);
  expect((await api.create(link, 'interrupted')).status).toBe(202);
});

test('the key of a deleted job still returns it', async () => {
  const id = idOf(await api.create(file, 'gone'));
  await api.delete(id);
  const replay = await api.create(file, 'gone');
  expect(replay.status).toBe(200);
  expect(replay.body).toMatchObject({ data: { id, status: 'deleted' } });
  expect(readCreated(replay).upload).toBeUndefined();
});
