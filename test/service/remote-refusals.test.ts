import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../electron/core/system.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { codeOf } from './support/api.ts';
import { useLinks, type Handler, type Links } from './support/link-service.ts';

const current = useLinks();
let links: Links;
beforeEach(() => {
  links = current();
});

const wave = silentWav(3);
const sendWhole: Handler = (_request, response) => response.end(wave);

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
    links.dns.set('inside.example', () => ['192.168.1.1']);
    links.dns.set('both.example', () => ['93.184.216.34', '127.0.0.2']);
    links.handler = (_request, response) => response.writeHead(302, { location }).end();
    await links.start();
    expect(await links.failureOf(links.to('/loop'))).toBe(code);
  });

  test.each([1, 2])(
    'because its name leads elsewhere a moment after it was checked (look-up %i)',
    async (turn) => {
      let lookups = 0;
      links.dns.set('rebind.example', () => [++lookups > turn ? '127.0.0.2' : '127.0.0.1']);
      links.handler = sendWhole;
      await links.start();
      expect(await links.failureOf(links.to('/a.wav', 'rebind.example'))).toBe('remote_host_blocked');
      expect(links.requests).toEqual([]);
    },
  );

  test.each([
    ['nowhere.example', 422, 'remote_host_unresolved'],
    ['empty.example', 422, 'remote_host_unresolved'],
    ['later.example', 502, 'remote_dns_failed'],
    ['inside.example', 400, 'remote_host_blocked'],
  ])('is rejected immediately: %s', async (host, status, code) => {
    links.dns.set('empty.example', () => []);
    links.dns.set('inside.example', () => ['93.184.216.34', '10.1.2.3']);
    links.dns.set('later.example', () => {
      throw Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });
    });
    await links.start();
    const reply = await links.api.create({ url: `https://${host}/a.wav` });
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
  });
});

describe('a link that cannot be used', () => {
  test.each<[string, string, Handler]>([
    ['not found', 'invalid_remote_url', (_request, response) => response.writeHead(404).end()],
    ['a login', 'invalid_remote_url', (_request, response) => response.writeHead(403).end()],
    [
      'a web page',
      'unsupported_file',
      (_request, response) => response.setHeader('content-type', 'text/html').end('<p>'),
    ],
    ['text called .wav', 'invalid_file_signature', (_request, response) => response.end('text')],
    ['an empty file', 'unsupported_file', (_request, response) => response.end()],
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
    ['a server that always disconnects', 'request_failed', (_request, response) => response.destroy()],
  ])('%s: %s', async (_what, code, respond) => {
    links.handler = respond;
    await links.start({ limits: { maxFileBytes: 500_000 } });
    expect(await links.failureOf(links.to('/a.wav'))).toBe(code);
  });

  test('an untrusted certificate', async () => {
    links.dns.set('other.example', () => ['127.0.0.1']);
    links.handler = sendWhole;
    await links.start();
    expect(await links.failureOf(links.to('/a.wav', 'other.example'))).toBe('request_failed');
    expect(links.requests).toEqual([]);
  });

  test('a download that takes too long', async () => {
    links.handler = (_request, response) => void response.write(wave.subarray(0, 1000));
    await links.start({ clock: systemClock, limits: { remoteTotalMs: 200 } });
    expect(await links.failureOf(links.to('/a.wav'))).toBe('request_failed');
  });
});
