import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiErrorCodes } from '../../electron/contract/problem.ts';
import { statusOfCode } from '../../electron/on-device/http/error-answer.ts';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';
import { errorSchema } from './support/document.ts';

/** How many requests of all shapes are tried. */
const fuzzed = Number(process.env['LONGHAND_FUZZ'] ?? 4000);

let service: TestService;
let api: Api;
let sessionId: string;

beforeAll(async () => {
  // Neither the speed of this suite nor the room on this disk is what is tried here.
  service = await startOnDevice({
    limits: { partBytes: 1000, requestsPerMinute: Infinity },
    freeBytes: async () => Infinity,
  });
  api = new Api(service);
  sessionId = (await api.session('a.wav', 2500)).id;
});
afterAll(async () => service.stop());

/** Writes bytes to the service and reads whatever comes back until the connection ends. */
async function raw(bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.end(bytes);
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}

describe('who may ask', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'a page that resolved %s to this computer is turned away',
    async (host) => {
      const reply = await api.send('GET', jobsPath, { headers: { host } });
      expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    },
  );

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
    const answer = await raw(
      `PUT ${jobsPath}/${sessionId}/upload?part_number=1 HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${service.key}\r\nContent-Length: 999999999999\r\n\r\nsome bytes`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('part_size_mismatch');
  });
});

describe('hostile requests', () => {
  const id = fc.oneof(
    fc.constantFrom('ID', '..', '%2e%2e', '%00', '', '0', '\'"', 'a'.repeat(200)),
    fc.uuid(),
    fc.string({ maxLength: 30 }).map(encodeURIComponent),
  );
  const path = fc.oneof(
    fc.constantFrom(
      '/',
      '/api',
      '/api/v1',
      jobsPath,
      `${jobsPath}/`,
      '//',
      '/openapi.json',
      '/%zz',
      '/api/v2/transcriptions',
    ),
    id.map((one) => `${jobsPath}/${one}`),
    id.map((one) => `${jobsPath}/${one}/complete`),
    fc
      .tuple(
        id,
        fc.oneof(
          fc.integer().map(String),
          fc.constantFrom('1', '2', '3', '1e1', 'NaN'),
          fc.string({ maxLength: 9 }),
        ),
      )
      .map(([one, part]) => `${jobsPath}/${one}/upload?part_number=${encodeURIComponent(part)}`),
    fc.webPath().map((one) => `/${one}`),
  );
  const field = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('a.wav', 5, -1, 'https://127.0.0.1/', 'auto', 'fast', true),
  );
  const createBody = fc.record(
    {
      url: field,
      file_name: field,
      file_size: field,
      mime_type: field,
      language: field,
      accuracy_mode: field,
      translate_to_english: field,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    { weight: 3, arbitrary: createBody.map((value) => JSON.stringify(value)) },
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('', '{', '{"__proto__":{"x":1}}', '[[[[', '"', 'null'),
    fc.uint8Array({ minLength: 1000, maxLength: 1000 }),
  );
  const headers = fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json; charset=latin1',
        '*/*',
        ';;',
        'a',
      ),
      'idempotency-key': fc.oneof(fc.constantFrom('k', 'a b', ''), fc.stringMatching(/^[\x20-\x7e]{0,140}$/)),
      'x-other': fc.stringMatching(/^[\x20-\x7e]{0,60}$/),
    },
    { requiredKeys: [] },
  );
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
    path,
    headers,
    body,
    hasBody: fc.boolean(),
    hasKey: fc.boolean().map((yes) => yes || Math.random() < 0.8),
  });

  test(
    `of any shape (${fuzzed}) get an answer of the API, and never a fault of the service`,
    { timeout: 120_000 + fuzzed * 20 },
    async () => {
      const answered = fc.asyncProperty(
        fc.array(request, { minLength: 16, maxLength: 16 }),
        async (requests) => {
          const replies = await Promise.all(
            requests.map(async ({ method, path, headers, body, hasBody, hasKey }) =>
              api.send(method, path.replaceAll('ID', sessionId), {
                headers,
                body: hasBody && method !== 'HEAD' ? body : null,
                ...(!hasKey && { key: null }),
              }),
            ),
          );
          expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
          for (const [i, reply] of replies.entries()) {
            const isError = reply.status >= 400 && requests[i]?.method !== 'HEAD';
            const code = isError ? errorSchema.parse(reply.body).error.code : null;
            expect(code === null || apiErrorCodes.some((known) => known === code)).toBe(true);
          }
          // Fuzzing creates jobs; the limit of active ones must not hide the rest of the service.
          const list = (await api.list()).body as { data: { id: string; status: string }[] };
          const spare = list.data.filter(
            ({ id, status }) => id !== sessionId && !/deleted|failed/.test(status),
          );
          await Promise.all(spare.map(async ({ id }) => api.delete(id)));
        },
      );
      await fc.assert(answered, { numRuns: fuzzed / 16, endOnFailure: true });
      expect((await api.list()).status).toBe(200);
      expect(service.complaints.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  test('that are no HTTP at all end, and the service goes on', async () => {
    const start = fc.constantFrom(
      '',
      'GET / HTTP/1.1\r\n',
      `PUT ${jobsPath}/x/upload?part_number=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n`,
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    );
    const garbage = fc.tuple(start, fc.uint8Array({ maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(garbage, async ([text, bytes]) => {
        const answer = await raw(Buffer.concat([Buffer.from(text), bytes]));
        expect(answer).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
      }),
      { numRuns: 500 },
    );
    expect((await api.list()).status).toBe(200);
  });

  test('leave no file behind that belongs to nobody', async () => {
    const { data } = (await api.list()).body as { data: { id: string }[] };
    const active = new Set(data.map(({ id }) => id));
    await expect
      .poll(async () =>
        (await readdir(join(service.dataFolder, 'media'))).filter((name) => !active.has(name)),
      )
      .toEqual([]);
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
    expect(named.length).toBeGreaterThan(30);
    for (const { status, code } of named) {
      expect(statusOfCode[apiErrorCodes.find((known) => known === code) ?? 'request_failed']).toBe(status);
    }
  });

  test('is shown to nobody without a key', async () => {
    expect((await api.send('GET', '/openapi.json', { key: null })).status).toBe(401);
  });
});
