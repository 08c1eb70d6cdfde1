import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Decoder } from '../../electron/on-device/decode/decoder.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import { quickDecoder, silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf, type Reply } from './support/api.ts';
import { errorSchema } from './support/document.ts';

let service: TestService;
let api: Api;

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startOnDevice(options);
  api = new Api(service);
}

afterEach(async () => service.stop());

/** Asserts a response that asks the client to retry later. */
function expectLater(reply: Reply, status: number, code: string): void {
  expect([reply.status, codeOf(reply)]).toEqual([status, code]);
  expect(Number(reply.header('retry-after'))).toBeGreaterThan(0);
  expect(errorSchema.parse(reply.body).error.message).toMatch(/^[A-Z].*\.$/);
}

const file = { file_name: 'a.wav', file_size: 1000 };

describe('rate_limited', () => {
  test('says when to retry, and accepts the same client then', async () => {
    const clock = new ManualClock();
    await start({ clock, limits: { requestsPerMinute: 30 } });
    // The first of the five requests fetched the description.
    for (let n = 1; n < 5; n++) expect((await api.list()).status).toBe(200);
    const refused = await api.create(file);
    expectLater(refused, 429, 'rate_limited');
    expect(refused.header('retry-after')).toBe('2');
    clock.advance(2000);
    expect((await api.create(file)).status).toBe(201);
  });

  test('is not caused by clients without the key', async () => {
    await start({ clock: new ManualClock(), limits: { requestsPerMinute: 30 } });
    for (let n = 0; n < 5; n++) expect((await api.send('GET', '/', { key: 'guessed' })).status).toBe(401);
    expectLater(await api.send('GET', '/', { key: 'guessed' }), 429, 'rate_limited');
    expect((await api.list()).status).toBe(200);
  });
});

describe('queue_unavailable', () => {
  test('during a shutdown, except for requests that only read', async () => {
    const opening = Promise.withResolvers<void>();
    const slow: Decoder = {
      async open(path, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await opening.promise;
        return quickDecoder.open(path, signal);
      },
    };
    await start({ decoder: slow });
    const wave = silentWav(1);
    const busy = await api.submit('a.wav', wave);
    const { id, upload } = await api.session('b.wav', wave.length);
    await api.until(busy, 'inspecting');
    const stopped = service.halt();
    await sleep(0);
    expectLater(await api.create(file), 503, 'queue_unavailable');
    expectLater(await api.put(upload, 1, wave), 503, 'queue_unavailable');
    expectLater(await api.complete(id), 503, 'queue_unavailable');
    expectLater(await api.delete(id), 503, 'queue_unavailable');
    expect((await api.job(id)).status).toBe('accepted');
    opening.resolve();
    await stopped;
  });

  test('when the disk has too little space, before any byte is sent', async () => {
    await start({ freeBytes: async () => 1_000_000_000 });
    expectLater(await api.create({ ...file, file_size: 1_000_000_000 }), 503, 'queue_unavailable');
    expect((await api.create({ ...file, file_size: 900_000_000 })).status).toBe(201);
  });
});

describe('provider_unavailable', () => {
  test('when there is no model for the requested accuracy; others are accepted', async () => {
    await start({
      missingModel: async ({ accuracy }) => (accuracy === 'accurate' ? 'That model is not here.' : null),
    });
    expectLater(await api.create({ ...file, accuracy_mode: 'accurate' }), 503, 'provider_unavailable');
    expect((await api.create({ ...file, accuracy_mode: 'fast' })).status).toBe(201);
  });
});
