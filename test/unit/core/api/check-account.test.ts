import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseBaseUrl } from '../../../../electron/core/api/base-url.ts';
import { checkAccount } from '../../../../electron/core/api/check-account.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { selfSigned } from '../../../service/support/certificate.ts';

/** A server with given responses. Returns its address and the requests that it received. */
async function server(answer: RequestListener) {
  const keys: (string | undefined)[] = [];
  const running = createServer((request, response) => {
    keys.push(request.headers.authorization);
    answer(request, response);
  });
  await once(running.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    running.closeAllConnections();
    running.close();
  });
  return { address: `http://127.0.0.1:${(running.address() as AddressInfo).port}`, keys };
}

const never = new AbortController().signal;
const json = { 'content-type': 'application/json' };
const refusal = (code: string): string => JSON.stringify({ error: { code, message: code } });

/** The code with which an account is rejected; `null` if it is accepted. */
const refusedAs = (address: string, key = 'key', signal = never): Promise<string | null> =>
  checkAccount(address, key, systemClock, signal).then(
    () => null,
    (error: unknown) => (error as { problem: { code: string } }).problem.code,
  );

it('an address whose certificate is not trusted gets no key and is named as such', async () => {
  let requests = 0;
  const running = createSecureServer(selfSigned(['127.0.0.1']), () => {
    requests += 1;
  });
  await once(running.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void running.close());
  const { port } = running.address() as AddressInfo;
  expect(await refusedAs(`https://127.0.0.1:${port}`)).toBe('certificate_untrusted');
  expect(requests).toBe(0);
});

describe('an account is checked with one request', () => {
  it.each<readonly [string, string, RequestListener]>([
    [
      'a refused key',
      'invalid_api_key',
      (_, response) => response.writeHead(401, json).end(refusal('invalid_api_key')),
    ],
    ['a refusal without words', 'invalid_api_key', (_, response) => response.writeHead(401).end()],
    ['a refusal as forbidden', 'invalid_api_key', (_, response) => response.writeHead(403).end()],
    ['another site', 'wrong_address', (_, response) => response.writeHead(404).end('<h1>Not found</h1>')],
    ['a breakdown', 'service_unavailable', (_, response) => response.writeHead(503).end()],
    [
      'a captive portal',
      'offline',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
    ],
    [
      'a captive portal that redirects',
      'wrong_address',
      (_, response) => response.writeHead(302, { location: 'https://portal.example/' }).end(),
    ],
  ])('that is answered by %s: %s', async (_name, code, answer) => {
    const { address, keys } = await server(answer);
    expect(await refusedAs(address)).toBe(code);
    expect(keys).toEqual(['Bearer key']);
  });

  it('without a server', async () => {
    const { address } = await server(() => undefined);
    const unused = address.replace(/\d+$/, '9');
    expect(await refusedAs(unused)).toBe('offline');
  });

  it('that never gets a response', async () => {
    const { address } = await server(() => undefined);
    expect(await refusedAs(address, 'key', AbortSignal.timeout(50))).toBe('offline');
  });

  it('can be cancelled while a large response is parsed', async () => {
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const body = `{"data":[${'{},'.repeat(2_500_000)}{}]}`;
    const { address } = await server((_, response) =>
      response.writeHead(200, json).end(body, () => setTimeout(() => abort.abort(reason), 50)),
    );
    await expect(checkAccount(address, 'key', systemClock, abort.signal)).rejects.toBe(reason);
  });

  it.each(['two words', 'broken\nin two', 'ключ', 'dots…', ''])(
    'but a key that no header can contain is rejected without one: %j',
    async (key) => {
      const { address, keys } = await server((_, response) => response.end());
      expect(await refusedAs(address, key)).toBe('invalid_api_key');
      expect(keys).toEqual([]);
    },
  );
});

describe('an address', () => {
  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['  https://api.example.com/eu//\n', 'https://api.example.com/eu'],
    ['\u00A0https://api.example.com\u00A0', 'https://api.example.com'],
    ['HTTPS://API.Example.com:443', 'https://api.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://127.255.0.10', 'http://127.255.0.10'],
    ['http://[::1]:8080/a/b', 'http://[::1]:8080/a/b'],
    ['https://api.example.com/a//b/?key=1#x', 'https://api.example.com/a//b'],
  ])('%j becomes %s', (text, address) => {
    expect(parseBaseUrl(text)).toBe(address);
  });

  it.each([
    'api.example.com',
    'http://api.example.com',
    'ftp://api.example.com',
    '',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://example.localhost',
    'ftp://localhost',
  ])('%j must start with https', (text) => {
    expect(() => parseBaseUrl(text)).toThrow('address_not_https');
  });

  it.each(['https://ann@api.example.com', 'https://:pw@api.example.com', 'https://ann:pw@api.example.com'])(
    '%s is rejected',
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow('wrong_address');
    },
  );

  it('is named by the problem, with a reason for the log', () => {
    expect(['api', 'ftp://api', 'https://ann@api'].map(problemOf)).toEqual([
      { code: 'address_not_https', params: { address: 'api' }, detail: expect.stringContaining('https://') },
      { code: 'address_not_https', params: { address: 'ftp://api' }, detail: expect.stringContaining('key') },
      {
        code: 'wrong_address',
        params: { address: 'https://ann@api' },
        detail: expect.stringContaining('name'),
      },
    ]);
  });
});

function problemOf(text: string): unknown {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    return (error as { problem: unknown }).problem;
  }
}
