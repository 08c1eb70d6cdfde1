import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
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

describe('access', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'a page that resolved %s to this computer is turned away',
    async (host) => {
      const reply = await api.send('GET', jobsPath, { headers: { host } });
      expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    },
  );

  test('a request without a Host is rejected with a message', async () => {
    const response = await sendRaw(
      service.baseUrl,
      `GET ${jobsPath} HTTP/1.1\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 .*"invalid_json"/s);
  });

  test('an unknown Expect header does not bypass the key', async () => {
    const send = async (key: string): Promise<string> =>
      sendRaw(
        service.baseUrl,
        `GET ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
          'Expect: miracles\r\nConnection: close\r\n\r\n',
      );
    expect(await send(service.key)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('wrong')).toMatch(/^HTTP\/1\.1 401 .*"invalid_api_key"/s);
  });

  test('addresses in responses have the requested host', async () => {
    const { port } = new URL(service.baseUrl);
    const reply = await api.send('POST', jobsPath, {
      headers: { host: `localhost:${port}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file_name: 'a.wav', file_size: 5 }),
    });
    expect(reply.header('location')).toMatch(new RegExp(`^http://localhost:${port}/api/v1/transcriptions/`));
  });

  test('pages of other origins cannot read responses', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    const preflight = await api.send('OPTIONS', jobsPath, { key: null, headers });
    const simple = await api.send('GET', jobsPath, { headers });
    expect(preflight.status).toBe(401);
    for (const reply of [preflight, simple]) {
      expect(reply.header('access-control-allow-origin')).toBeUndefined();
    }
  });
});

test('the key is not stored in the data folder (API part 1.7)', async () => {
  const wave = silentWav(1);
  await api.until(await api.submit('key.wav', wave), 'completed');
  const files = await readdir(service.dataFolder, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name)));
  expect(contents.length).toBeGreaterThan(1);
  for (const content of await Promise.all(contents)) expect(content.includes(service.key)).toBe(false);
});

describe('size limits', () => {
  test('of a JSON body', async () => {
    const reply = await api.create({ file_name: 'a.wav', file_size: 5, more: 'x'.repeat(70_000) });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_json']);
  });

  test('of headers', async () => {
    const reply = await api.send('GET', jobsPath, { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(reply.status).toBe(431);
    expect(errorSchema.parse(reply.body).error.message).not.toBe('');
  });

  test('of a part with an absurd length', async () => {
    const response = await sendRaw(
      service.baseUrl,
      `PUT ${jobsPath}/${sessionId}/upload?part_number=1 HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${service.key}\r\nContent-Length: 999999999999\r\n\r\nsome bytes`,
    );
    expect(response).toMatch(/^HTTP\/1.1 400/);
    expect(response).toMatch(/connection: close/i);
    expect(response).toContain('part_size_mismatch');
  });
});

describe('time limits', () => {
  let hasty: TestService;
  beforeAll(async () => {
    hasty = await startOnDevice({
      limits: { partBytes: 1000, headersMs: 300, requestMs: 600, idleTimeoutMs: 2000 },
    });
  });
  afterAll(async () => hasty.stop());

  /** Sends the beginning of a request, then a space now and then; returns what arrives until the connection ends. */
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

  test('endless headers get 408', async () => {
    expect(await trickle(`${head(5)}X-Slow:`)).toMatch(/^HTTP\/1.1 408 .*invalid_json/s);
  });

  test('an endless body gets 408', async () => {
    expect(await trickle(`${head(50_000)}\r\n{`)).toMatch(/^HTTP\/1.1 408 .*invalid_json/s);
  });
});

/** A request for the list of jobs. */
const listRequest = (key: string): string =>
  `GET ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

describe('connection limit', () => {
  let narrow: TestService;
  beforeAll(async () => {
    narrow = await startOnDevice({ limits: { maxConnections: 3 } });
  });
  afterAll(async () => narrow.stop());

  test('closes a connection beyond the limit and serves the others', async () => {
    const { port, hostname } = new URL(narrow.baseUrl);
    const open: Socket[] = [];
    for (let count = 0; count < 3; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(listRequest(narrow.key));
      await once(socket, 'data');
      open.push(socket);
    }
    const refused = connect(Number(port), hostname);
    expect(await readToEnd(refused)).toBe('');
    const [first] = open;
    first?.write(listRequest(narrow.key));
    const [response] = first === undefined ? [] : await once(first, 'data');
    expect(String(response)).toMatch(/^HTTP\/1.1 200/);
    for (const socket of open) socket.destroy();
  });
});

describe('connections without the key', () => {
  let narrow: TestService;
  beforeAll(async () => {
    narrow = await startOnDevice({ limits: { maxConnections: 40 } });
  });
  afterAll(async () => narrow.stop());

  test('do not keep out the owner of the key, whose connections stay', async () => {
    const { port, hostname } = new URL(narrow.baseUrl);
    const open = async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    const own = await open();
    own.write(listRequest(narrow.key));
    await once(own, 'data');
    const silent = await Promise.all(Array.from({ length: 100 }, open));
    own.write(listRequest(narrow.key));
    expect(String((await once(own, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
    const another = await open();
    another.write(listRequest(narrow.key));
    expect(String((await once(another, 'data'))[0])).toMatch(/^HTTP\/1.1 200/);
    for (const socket of [own, another, ...silent]) socket.destroy();
  });
});

describe('requests that name two hosts', () => {
  test.each([
    ['two Host headers', `GET ${jobsPath} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n`],
    ['a target on another host', `GET http://evil.example${jobsPath} HTTP/1.1\r\nHost: localhost\r\n`],
  ])('are rejected: %s', async (_what, head) => {
    const rest = `Authorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(service.baseUrl, head + rest)).toMatch(/^HTTP\/1.1 404/);
  });
});

test.each([
  ['without the key', jobsPath],
  ['for a path with an invalid escape', '/%zz'],
  ['for an overlong identifier', `${jobsPath}/${'x'.repeat(200)}`],
])('the body of a request %s is not read to its end', async (_what, path) => {
  const { port, hostname } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const megabyte = `100000\r\n${'x'.repeat(2 ** 20)}\r\n`;
  let sent = 0;
  while (!socket.destroyed && sent < 500) {
    sent += 1;
    if (!socket.write(megabyte)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once('drain', resolve).once('close', () => resolve());
      await promise;
    }
  }
  // Some is in the buffers of the system.
  expect(sent).toBeLessThan(100);
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

  test('lists each code under its status (API part 7)', async () => {
    const named = Object.values(await read())
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`/g)].map(([, code]) => ({ status: Number(status), code })),
      );
    expect(new Set(named.map(({ code }) => code))).toEqual(new Set(Object.keys(statusOfCode)));
    // A malformed request has its own status.
    const broken = new Set([408, 431]);
    for (const { status, code } of named.filter((one) => !broken.has(one.status))) {
      expect(Object.entries(statusOfCode)).toContainEqual([code, status]);
    }
  });

  test('requires the key', async () => {
    expect((await api.send('GET', '/openapi.json', { key: null })).status).toBe(401);
  });
});
