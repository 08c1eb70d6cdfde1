import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../electron/core/ports.ts';
import { isForbiddenAddress } from '../../electron/on-device/remote/address-rules.ts';
import { systemClock } from '../../electron/core/system.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/on-device.ts';
import { speechlessWave } from '../support/quick-speech.ts';
import { Api, codeOf } from './support/api.ts';
import { selfSigned } from './support/certificate.ts';

const { cert, key } = selfSigned(['media.example', 'rebind.example']);

/** Waits of up to a minute are over at once, so that a test of many attempts is quick; longer ones are real. */
const hastyClock: Clock = {
  now: () => systemClock.now(),
  schedule: (ms, callback) => systemClock.schedule(ms <= 60_000 ? 1 : ms, callback),
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let port: number;
let handler: Handler;
/** What the server was asked for: path, and the range and its condition if any. */
let asked: string[];
let service: TestService;
let api: Api;
/** The addresses of the hosts, each time they are looked up. */
let dns: Map<string, () => string[]>;

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startOnDevice({
    clock: hastyClock,
    network: {
      async resolve(hostname) {
        const addresses = dns.get(hostname)?.();
        if (addresses === undefined) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
        return addresses.map((address) => ({ address, family: 4 }));
      },
      // The test's own server is the only thing on this computer that may be reached.
      isForbidden: (address) => address !== '127.0.0.1' && isForbiddenAddress(address),
      ca: cert,
    },
    ...options,
  });
  api = new Api(service);
}

beforeEach(async () => {
  asked = [];
  dns = new Map([['media.example', () => ['127.0.0.1']]]);
  server = createServer({ key, cert }, (request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    asked.push([request.url, range, ifRange].filter(Boolean).join(' '));
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await service.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const wave = speechlessWave(3);
const link = (path: string, host = 'media.example'): string => `https://${host}:${port}${path}`;
const mediaFiles = (): Promise<string[]> => readdir(join(service.dataFolder, 'media'));
const whole: Handler = (_request, response) => response.end(wave);

/** Submits a link, which has to be accepted. */
async function submit(url: string): Promise<string> {
  const reply = await api.create({ url });
  expect(reply.status).toBe(202);
  expect(Number(reply.header('retry-after'))).toBeGreaterThan(0);
  const id = reply.header('location')?.split('/').at(-1) ?? '';
  expect(reply.body).toMatchObject({ data: { id, status: expect.stringMatching(/accepted|uploading/) } });
  return id;
}

/** Submits a link whose job fails, and gives the code. */
async function failureOf(url: string): Promise<string> {
  const id = await submit(url);
  const job = await api.until(id, 'failed');
  expect(job.error?.message).toMatch(/^[A-Z].*\.$/);
  expect(job.credits_charged).toBe(0);
  await expect.poll(mediaFiles).toEqual([]);
  return String(job.error?.['code']);
}

/** Breaks nothing before the service has stored what it was sent: what is still under way goes down with a connection. */
async function onceStored(bytes: number, then: () => void): Promise<void> {
  const folder = join(service.dataFolder, 'media');
  const stored = async (): Promise<number> => {
    const [name] = await readdir(folder).catch(() => []);
    return name === undefined ? 0 : (await stat(join(folder, name))).size;
  };
  await expect.poll(stored).toBe(bytes);
  then();
}

describe('a link', () => {
  test('is fetched, transcribed and charged like a file', async () => {
    handler = whole;
    await start({ credits: 5 });
    const id = await submit(link('/season%201/episode.wav?token=abc'));
    const job = await api.until(id, 'completed');
    expect(job).toMatchObject({ file_name: 'episode.wav', duration_seconds: 3, credits_charged: 1 });
    expect(job.transcript?.text).toContain('quick brown fox');
    expect(asked).toEqual(['/season%201/episode.wav?token=abc']);
    expect((await readFile(join(service.dataFolder, 'media', id))).equals(wave)).toBe(true);
    expect(await api.balance()).toBe(4);
  });

  test('has no upload session', async () => {
    handler = () => undefined;
    await start();
    const id = await submit(link('/a.wav'));
    const put = await api.send('PUT', `/api/v1/transcriptions/${id}/upload?part_number=1`, { body: 'x' });
    expect(codeOf(put)).toBe('upload_session_missing');
    expect(codeOf(await api.complete(id))).toBe('upload_session_missing');
  });

  test('is followed through redirects', async () => {
    handler = (request, response) => {
      if (request.url === '/c.wav') response.end(wave);
      else response.writeHead(302, { location: request.url === '/a' ? '/b?x=1' : link('/c.wav') }).end();
    };
    await start();
    await api.until(await submit(link('/a')), 'completed');
    expect(asked).toEqual(['/a', '/b?x=1', '/c.wav']);
  });

  test('goes on where a connection broke, if the file is still the same', async () => {
    const cut = 50_000;
    handler = (request, response) => {
      const [, from] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      if (from === undefined) {
        response.writeHead(200, { etag: '"v1"', 'content-length': wave.length });
        response.write(wave.subarray(0, cut), () => void onceStored(cut, () => response.destroy()));
      } else {
        response.writeHead(206, { 'content-range': `bytes ${from}-${wave.length - 1}/${wave.length}` });
        response.end(wave.subarray(Number(from)));
      }
    };
    await start();
    const id = await submit(link('/a.wav'));
    await api.until(id, 'completed');
    expect(asked).toEqual(['/a.wav', `/a.wav bytes=${cut}- "v1"`]);
    expect((await readFile(join(service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('goes on however often it breaks, as long as it gets further', async () => {
    const step = 10_000;
    handler = (request, response) => {
      const [, from = 0] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const range = `bytes ${start}-${wave.length - 1}/${wave.length}`;
      response.writeHead(start === 0 ? 200 : 206, {
        etag: '"v1"',
        ...(start > 0 && { 'content-range': range }),
      });
      const end = start + step;
      if (end >= wave.length) response.end(wave.subarray(start));
      else response.write(wave.subarray(start, end), () => void onceStored(end, () => response.destroy()));
    };
    await start();
    const id = await submit(link('/a.wav'));
    await api.until(id, 'completed');
    expect(asked).toHaveLength(Math.ceil(wave.length / step));
    expect((await readFile(join(service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('is put together of the pieces that a server gives', async () => {
    const step = 30_000;
    handler = (request, response) => {
      const [, from = 0] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const piece = wave.subarray(start, start + step);
      const range = `bytes ${start}-${start + piece.length - 1}/${wave.length}`;
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).end(piece);
    };
    await start();
    const id = await submit(link('/a.wav'));
    await api.until(id, 'completed');
    expect((await readFile(join(service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('begins anew when the server has no such rest', async () => {
    handler = (request, response) => {
      if (asked.length === 1) {
        response.writeHead(200, { etag: '"v1"' });
        response.write(wave, () => void onceStored(wave.length, () => response.destroy()));
      } else if (request.headers.range !== undefined) response.writeHead(416).end();
      else whole(request, response);
    };
    await start();
    const id = await submit(link('/a.wav'));
    await api.until(id, 'completed');
    expect(asked).toEqual(['/a.wav', `/a.wav bytes=${wave.length}- "v1"`, '/a.wav']);
  });

  test('begins anew when the file has changed meanwhile', async () => {
    handler = (request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 2 * wave.length });
        const other = Buffer.alloc(wave.length + 5000, 'x');
        response.write(other, () => void onceStored(other.length, () => response.destroy()));
      } else response.writeHead(200, { etag: '"v2"' }).end(wave);
    };
    await start();
    const id = await submit(link('/a.wav'));
    await api.until(id, 'completed');
    expect((await readFile(join(service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('survives a server that is busy for a while', async () => {
    handler = (request, response) => {
      if (asked.length < 4) response.writeHead(503).end();
      else whole(request, response);
    };
    await start();
    await api.until(await submit(link('/a.wav')), 'completed');
    expect(asked).toHaveLength(4);
  });

  test('is called off with its job', async () => {
    const closed = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.write(wave.subarray(0, 1000));
      response.on('close', () => closed.resolve());
    };
    await start();
    const id = await submit(link('/a.wav'));
    await expect.poll(() => asked.length).toBe(1);
    await api.delete(id);
    await closed.promise;
    await expect.poll(mediaFiles).toEqual([]);
  });

  test('is fetched again after a restart', async () => {
    handler = (_request, response) => void response.write(wave.subarray(0, 1000));
    await start();
    const id = await submit(link('/a.wav'));
    await expect.poll(() => asked.length).toBe(1);
    const first = service;
    await first.halt();
    handler = whole;
    await start({ dataFolder: first.dataFolder });
    await api.until(id, 'completed');
    await service.stop();
    await first.stop();
  });
});

describe('a link that must not be followed', () => {
  test.each([
    ['http://media.example/a.wav', 'insecure_remote_url'],
    ['https://10.0.0.1/a.wav', 'remote_host_blocked'],
    ['https://[fd00::1]/a.wav', 'remote_host_blocked'],
    ['https://inside.example/a.wav', 'remote_host_blocked'],
    ['https://both.example/a.wav', 'remote_host_blocked'],
    ['//inside.example/a.wav', 'remote_host_blocked'],
    ['https://user:word@media.example/', 'invalid_remote_url'],
    ['https://nowhere.example/', 'remote_host_unresolved'],
    ['file:///etc/passwd', 'insecure_remote_url'],
    ['/loop', 'invalid_remote_url'],
  ])('by a redirect to %s: %s', async (location, code) => {
    dns.set('inside.example', () => ['192.168.1.1']);
    dns.set('both.example', () => ['93.184.216.34', '127.0.0.2']);
    handler = (_request, response) => response.writeHead(302, { location }).end();
    await start();
    expect(await failureOf(link('/loop'))).toBe(code);
  });

  test.each([1, 2])(
    'because its name leads elsewhere a moment after it was checked (look-up %i)',
    async (turn) => {
      let lookups = 0;
      dns.set('rebind.example', () => [++lookups > turn ? '127.0.0.2' : '127.0.0.1']);
      handler = whole;
      await start();
      expect(await failureOf(link('/a.wav', 'rebind.example'))).toBe('remote_host_blocked');
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ['nowhere.example', 422, 'remote_host_unresolved'],
    ['empty.example', 422, 'remote_host_unresolved'],
    ['later.example', 502, 'remote_dns_failed'],
    ['inside.example', 400, 'remote_host_blocked'],
  ])('is refused at once: %s', async (host, status, code) => {
    dns.set('empty.example', () => []);
    dns.set('inside.example', () => ['93.184.216.34', '10.1.2.3']);
    dns.set('later.example', () => {
      throw Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });
    });
    await start();
    const reply = await api.create({ url: `https://${host}/a.wav` });
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
  });
});

describe('a link that cannot be used', () => {
  test.each<[string, string, Handler]>([
    ['nothing there', 'invalid_remote_url', (_request, response) => response.writeHead(404).end()],
    ['a login', 'invalid_remote_url', (_request, response) => response.writeHead(403).end()],
    [
      'a web page',
      'unsupported_file',
      (_request, response) => response.setHeader('content-type', 'text/html').end('<p>'),
    ],
    ['text called .wav', 'invalid_file_signature', (_request, response) => response.end('text')],
    ['nothing in it', 'unsupported_file', (_request, response) => response.end()],
    [
      'a size that is too large',
      'file_too_large',
      (_request, response) => response.setHeader('content-length', 1e6).write('x'),
    ],
    [
      'bytes without end',
      'file_too_large',
      (_request, response) => {
        const write = (): void =>
          void response.write(Buffer.alloc(50_000), () => response.destroyed || write());
        write();
      },
    ],
    ['a server that always fails', 'request_failed', (_request, response) => response.writeHead(500).end()],
    ['a server that always breaks off', 'request_failed', (_request, response) => response.destroy()],
  ])('%s: %s', async (_what, code, answer) => {
    handler = answer;
    await start({ limits: { maxFileBytes: 500_000 } });
    expect(await failureOf(link('/a.wav'))).toBe(code);
  });

  test('a certificate of somebody else', async () => {
    dns.set('other.example', () => ['127.0.0.1']);
    handler = whole;
    await start();
    expect(await failureOf(link('/a.wav', 'other.example'))).toBe('request_failed');
    expect(asked).toEqual([]);
  });

  test('a download that takes too long', async () => {
    handler = (_request, response) => void response.write(wave.subarray(0, 1000));
    await start({ clock: systemClock, limits: { remoteTotalMs: 200 } });
    expect(await failureOf(link('/a.wav'))).toBe('request_failed');
  });
});
