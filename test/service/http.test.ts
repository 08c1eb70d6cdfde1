import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { speechlessWave } from '../support/speech/quick-speech.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';
import { errorSchema, statusOfCode } from './support/document.ts';
import { readToEnd, sendRaw } from './support/send-raw.ts';

let service: TestService;
let api: Api;
let sessionId: string;

beforeAll(async () => {
  service = await startOnDevice({ limits: { partBytes: 1000 } });
  api = new Api(service);
  sessionId = (await api.session('a.wav', 2500)).id;
});
afterAll(async () => service.stop());

describe('who may ask', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'a page that resolved %s to this computer is turned away',
    async (host) => {
      const reply = await api.send('GET', jobsPath, { headers: { host } });
      expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    },
  );

  test('a request that does not say whom it is for is refused, with words', async () => {
    const answer = await sendRaw(
      service.baseUrl,
      `GET ${jobsPath} HTTP/1.1\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"invalid_json"/s);
  });

  test('an expectation that nobody knows lets nobody past the key', async () => {
    const ask = async (key: string): Promise<string> =>
      sendRaw(
        service.baseUrl,
        `GET ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
          'Expect: miracles\r\nConnection: close\r\n\r\n',
      );
    expect(await ask(service.key)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('wrong')).toMatch(/^HTTP\/1\.1 401 .*"invalid_api_key"/s);
  });

  test('the addresses in answers are of the name that was asked', async () => {
    const { port } = new URL(service.baseUrl);
    const reply = await api.send('POST', jobsPath, {
      headers: { host: `localhost:${port}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file_name: 'a.wav', file_size: 5 }),
    });
    expect(reply.header('location')).toMatch(new RegExp(`^http://localhost:${port}/api/v1/transcriptions/`));
  });

  test('pages of other origins get no leave to read', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    const preflight = await api.send('OPTIONS', jobsPath, { key: null, headers });
    const simple = await api.send('GET', jobsPath, { headers });
    expect(preflight.status).toBe(401);
    for (const reply of [preflight, simple]) {
      expect(reply.header('access-control-allow-origin')).toBeUndefined();
    }
  });
});

test('the key is found nowhere in the data folder (API part 1.7)', async () => {
  const wave = speechlessWave(1);
  await api.until(await api.submit('key.wav', wave), 'completed');
  const files = await readdir(service.dataFolder, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name)));
  expect(contents.length).toBeGreaterThan(1);
  for (const content of await Promise.all(contents)) expect(content.includes(service.key)).toBe(false);
});

describe('bounds', () => {
  test('of a JSON body', async () => {
    const reply = await api.create({ file_name: 'a.wav', file_size: 5, more: 'x'.repeat(70_000) });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_json']);
  });

  test('of headers', async () => {
    const reply = await api.send('GET', jobsPath, { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(reply.status).toBe(431);
    expect(errorSchema.parse(reply.body).error.message).not.toBe('');
  });

  test('of a part that claims to be endless', async () => {
    const answer = await sendRaw(
      service.baseUrl,
      `PUT ${jobsPath}/${sessionId}/upload?part_number=1 HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${service.key}\r\nContent-Length: 999999999999\r\n\r\nsome bytes`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('part_size_mismatch');
  });
});

describe('bounds of time', () => {
  let hasty: TestService;
  beforeAll(async () => {
    hasty = await startOnDevice({
      limits: { partBytes: 1000, headersMs: 300, requestMs: 600, stillMs: 2000 },
    });
  });
  afterAll(async () => hasty.stop());

  /** Sends the beginning of a request, and a space now and then; gives what comes back until the connection ends. */
  const trickle = async (beginning: string): Promise<string> => {
    const { port, hostname } = new URL(hasty.baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(beginning);
    const trickling = setInterval(() => socket.write(' '), 50);
    try {
      return await readToEnd(socket);
    } finally {
      clearInterval(trickling);
      socket.destroy();
    }
  };
  const head = (length: number): string =>
    `POST ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hasty.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;

  test('headers that do not come to an end are answered with 408', async () => {
    expect(await trickle(`${head(5)}X-Slow:`)).toMatch(/^HTTP\/1.1 408 .*invalid_json/s);
  });

  test('a body that does not come to an end is answered with 408', async () => {
    expect(await trickle(`${head(50_000)}\r\n{`)).toMatch(/^HTTP\/1.1 408 .*invalid_json/s);
  });
});

describe('bounds of number', () => {
  let narrow: TestService;
  beforeAll(async () => {
    narrow = await startOnDevice({ limits: { maxConnections: 3 } });
  });
  afterAll(async () => narrow.stop());

  test('one connection too many is closed, and the others are served', async () => {
    const { port, hostname } = new URL(narrow.baseUrl);
    const open = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const refused = connect(Number(port), hostname);
    expect(await readToEnd(refused)).toBe('');
    const [first] = open;
    first?.write(
      `GET ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${narrow.key}\r\n\r\n`,
    );
    const [answer] = first === undefined ? [] : await once(first, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200/);
    for (const socket of open) socket.destroy();
  });
});

describe('/openapi.json', () => {
  interface Operation {
    readonly summary: string;
    readonly responses: Record<string, { description: string }>;
  }
  const read = async (): Promise<Record<string, Record<string, Operation>>> =>
    ((await api.send('GET', '/openapi.json')).body as { paths: Record<string, Record<string, Operation>> })
      .paths;

  test('describes the operations with their success codes (API part 4)', async () => {
    const operations = Object.entries(await read()).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => {
        const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
        return `${method} ${path} ${successes.join(' ')}`;
      }),
    );
    expect(operations.sort()).toEqual([
      'delete /api/v1/transcriptions/{id} 200',
      'get /api/v1/transcriptions 200',
      'get /api/v1/transcriptions/{id} 200',
      'get /openapi.json 200',
      'post /api/v1/transcriptions 200 201 202',
      'post /api/v1/transcriptions/{id}/complete 200 202',
      'put /api/v1/transcriptions/{id}/upload 200',
    ]);
  });

  test('names each code under its own status (API part 7)', async () => {
    const named = Object.values(await read())
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`/g)].map(([, code]) => ({ status: Number(status), code })),
      );
    expect(new Set(named.map(({ code }) => code))).toEqual(new Set(Object.keys(statusOfCode)));
    // A request that cannot be read at all has a status of its own.
    const broken = new Set([408, 431]);
    for (const { status, code } of named.filter((one) => !broken.has(one.status))) {
      expect(Object.entries(statusOfCode)).toContainEqual([code, status]);
    }
  });

  test('is shown to nobody without a key', async () => {
    expect((await api.send('GET', '/openapi.json', { key: null })).status).toBe(401);
  });
});
