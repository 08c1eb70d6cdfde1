import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import { quickEngine, silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { Api, codeOf, readCreated } from './support/api.ts';

let service: TestService;
let api: Api;

async function start(options: TestServiceOptions): Promise<void> {
  service = await startOnDevice(options);
  api = new Api(service);
}

afterEach(async () => service.stop());

test('a job is charged its minutes once, when it is queued', async () => {
  const engine = new SteppedEngine();
  await start({ credits: 10, engine });
  const id = await api.submit('a.wav', silentWav(61));
  const queued = await api.until(id, 'queued', 'processing');
  expect(queued).toMatchObject({ duration_seconds: 61, billed_minutes: 2, credits_charged: 2 });
  expect(await api.balance()).toBe(8);
  engine.allow(Infinity);
  expect(await api.until(id, 'completed')).toMatchObject({ billed_minutes: 2, credits_charged: 2 });
  expect(await api.balance()).toBe(8);
});

test('a cancelled job is refunded', async () => {
  await start({ credits: 10, engine: new SteppedEngine() });
  const id = await api.submit('a.wav', silentWav(61));
  await api.until(id, 'processing');
  expect(await api.balance()).toBe(8);
  await api.delete(id);
  expect(await api.balance()).toBe(10);
  expect(await api.job(id)).toMatchObject({ status: 'deleted', credits_charged: 0, billed_minutes: 2 });
  await api.delete(id);
  expect(await api.balance()).toBe(10);
});

test('a failed job is refunded once, even when it is then deleted', async () => {
  const clock = new ManualClock();
  const engine = quickEngine({ segments: [], error: new Error('out of memory') });
  await start({ credits: 10, engine, clock });
  const id = await api.submit('a.wav', silentWav(61));
  while ((await api.job(id)).status !== 'failed') {
    if (!service.isBusy()) clock.advance(60_000);
  }
  const job = await api.until(id, 'failed');
  expect(job).toMatchObject({ credits_charged: 0, error: { code: 'request_failed' } });
  expect(job.error?.message).toContain('out of memory');
  expect(await api.balance()).toBe(10);
  await api.delete(id);
  expect(await api.balance()).toBe(10);
});

test('deleting a completed job refunds nothing', async () => {
  await start({ credits: 10 });
  const id = await api.submit('a.wav', silentWav(1));
  await api.until(id, 'completed');
  await api.delete(id);
  expect(await api.balance()).toBe(9);
});

test('a recording that costs more than the balance fails with both numbers and costs nothing', async () => {
  await start({ credits: 2 });
  const id = await api.submit('a.wav', silentWav(150));
  const job = await api.until(id, 'failed');
  expect(job).toMatchObject({
    credits_charged: 0,
    billed_minutes: 3,
    error: { code: 'insufficient_credits' },
  });
  expect(job.error?.message).toMatch(/needs 3 credits.*has 2/);
  expect(await api.balance()).toBe(2);
});

test('without credits no job is created, and the idempotency key is not used up', async () => {
  await start({ credits: 0 });
  const reply = await api.create({ file_name: 'a.wav', file_size: 5 }, 'later');
  expect(reply.status).toBe(402);
  expect(codeOf(reply)).toBe('insufficient_credits');
});

test('each uncharged job holds back one credit', async () => {
  await start({ credits: 2 });
  const first = await api.session('a.wav', 5);
  await api.session('b.wav', 5);
  expect((await api.create({ file_name: 'c.wav', file_size: 5 })).status).toBe(402);
  await api.delete(first.id);
  expect((await api.create({ file_name: 'c.wav', file_size: 5 })).status).toBe(201);
});

test('of two concurrent jobs that exceed the balance together, one fails', async () => {
  const engine = new SteppedEngine();
  await start({ credits: 3, engine });
  const ids = await Promise.all([api.submit('a.wav', silentWav(90)), api.submit('b.wav', silentWav(90))]);
  const statuses = await Promise.all(
    ids.map(async (id) => (await api.until(id, 'queued', 'processing', 'failed')).status),
  );
  expect(statuses.filter((status) => status === 'failed')).toHaveLength(1);
  expect(await api.balance()).toBe(1);
  engine.allow(Infinity);
});

test('an account without a limit always shows the same balance', async () => {
  await start({ credits: null });
  const id = await api.submit('a.wav', silentWav(61));
  expect(await api.until(id, 'completed')).toMatchObject({ credits_charged: 2 });
  expect(await api.balance()).toBe(1_000_000);
});

test('at most fifty jobs are active, and the end of one allows another', async () => {
  await start({ credits: null });
  const sessions = await Promise.all(
    Array.from({ length: 60 }, () => api.create({ file_name: 'a.wav', file_size: 5 })),
  );
  expect(sessions.filter(({ status }) => status === 201)).toHaveLength(50);
  const refused = sessions.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(refused.every((reply) => codeOf(reply) === 'active_job_limit')).toBe(true);
  expect(Number(refused[0]?.header('retry-after'))).toBeGreaterThan(0);

  const first = sessions.find(({ status }) => status === 201);
  if (first === undefined) throw new Error('no session');
  await api.delete(readCreated(first).id);
  expect((await api.create({ file_name: 'a.wav', file_size: 5 })).status).toBe(201);
});
