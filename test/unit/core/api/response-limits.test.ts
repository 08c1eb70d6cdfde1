import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { maxJobs, maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import { BodyParser } from '../../../../electron/core/api/body-parser.ts';
import { ServiceClient } from '../../../../electron/core/api/client.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';

const never = new AbortController().signal;
const json = { 'content-type': 'application/json' };
const mebibyte = 1024 * 1024;

let baseUrl: string;
let client: ServiceClient;
let respond: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume();
  respond(response);
});

beforeEach(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const parser = new BodyParser(workerUrl('response'));
  baseUrl = `http://127.0.0.1:${port}`;
  client = new ServiceClient(baseUrl, 'key', systemClock, { parser });
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const answer = (data: object): void => {
  respond = (response) => response.writeHead(200, json).end(JSON.stringify({ data }));
};
const transcript = (fields: object): void =>
  answer({ id: 'j', status: 'completed', duration_seconds: 60, transcript: fields });

async function partialOf(one: ServiceClient, from: number | null): Promise<unknown> {
  const result = await one.status('j', never, from);
  return result.ok ? result.value.partial?.segments : result.fault;
}

it('the delay of a response counts even if the response has the wrong shape', async () => {
  respond = (response) => response.writeHead(200, { ...json, 'retry-after': '60' }).end('{"data":{}}');
  const fault = { kind: 'unexpected', retryAfterMs: 60_000 };
  expect(await client.status('j', never)).toMatchObject({ ok: false, fault });
  expect(await client.record('j', never)).toMatchObject({ ok: false, fault });
  expect(await client.list(never)).toMatchObject({ ok: false, fault });
  expect(await client.create({ key: 'k', body: '{}' }, never)).toMatchObject({ ok: false, fault });
});

it('a partial transcript is read only from a service with the extensions, which was asked for it', async () => {
  const segments = [{ start: 0, end: 1, text: 'So far.' }];
  answer({ id: 'j', status: 'active', partial_transcript: { from: 0, segments, language: null } });
  const extended = new ServiceClient(baseUrl, 'key', systemClock, { isExtended: true });
  onTestFinished(() => extended.close());
  expect(await partialOf(extended, 0)).toEqual(segments);
  expect(await partialOf(extended, null)).toBeUndefined();
  expect(await partialOf(client, 0)).toBeUndefined();
});

describe('a transcript', () => {
  it('of 100 hours fits, and is parsed in a thread', async () => {
    const segments = Array.from({ length: 120_000 }, (_, index) => ({
      start: index * 3,
      end: index * 3 + 2.5,
      text: 'Some words that somebody said in three seconds.',
    }));
    transcript({ text: '', segments });
    const result = await client.status('j', never);
    if (!result.ok) throw new Error(JSON.stringify(result.fault));
    expect(result.value.transcript?.segments).toHaveLength(120_000);
    expect(result.value.transcript?.segments.at(-1)).toEqual(segments.at(-1));
  });

  it.each([
    ['a time beyond any recording', { segments: [{ start: 0, end: maxTimeSeconds + 1, text: 'x' }] }],
    ['a time of 1e308', { segments: [{ start: 0, end: 1e308, text: 'x' }] }],
    ['more text than anybody says', { text: 'x'.repeat(10_000_001) }],
    ['too many segments', { segments: Array.from({ length: 1_000_001 }, () => null) }],
    ['segments without times', { segments: [{ text: 'x' }] }],
  ])('with %s is an unexpected response', async (_what, fields) => {
    transcript(fields);
    expect(await client.status('j', never)).toMatchObject({ ok: false, fault: { kind: 'unexpected' } });
  });

  it('has no extras that are nested too deeply to be stored, even in a large response', async () => {
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const segment = `{"start":0,"end":1,"text":"x","extras":{"deep":${deep}}}`;
    const padding = 'x'.repeat(mebibyte);
    respond = (response) =>
      response
        .writeHead(200, json)
        .end(`{"data":{"status":"completed","padding":"${padding}","transcript":{"segments":[${segment}]}}}`);
    const { transcript: read } = valueOf(await client.status('j', never));
    expect(read?.segments).toEqual([{ start: 0, end: 1, text: 'x' }]);
  });

  it('may have times that are written as text', async () => {
    transcript({ segments: [{ start: '1.5', end: '2', text: 'x' }] });
    const { transcript: read } = valueOf(await client.status('j', never));
    expect(read?.segments).toEqual([{ start: 1.5, end: 2, text: 'x' }]);
  });

  it('with one long segment is divided without losing a character', async () => {
    const text = `${'x'.repeat(99_999)}👩‍🚀${'word '.repeat(50_000)}`.trim();
    transcript({ text });
    const { transcript: read } = valueOf(await client.status('j', never));
    const texts = read?.segments.map((segment) => segment.text) ?? [];
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(100_000);
    expect(texts.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    expect(read?.segments.at(-1)?.end).toBe(60);
  });
});

it('a body that would take too much memory stops nothing else', async () => {
  // 20 million objects: more than a gigabyte.
  const body = `[${'{},'.repeat(20 * mebibyte)}{}]`;
  respond = (response) => response.writeHead(200, json).end(body);
  expect(await client.status('j', never)).toMatchObject({ ok: false, fault: { kind: 'unexpected' } });
});

it.each([true, false])('a body that is too large is not read (announced: %s)', async (announced) => {
  respond = (response) => {
    response.writeHead(200, { ...json, ...(announced && { 'content-length': 3 * mebibyte }) });
    const piece = Buffer.alloc(mebibyte, ' ');
    for (let index = 0; index < 3; index += 1) response.write(piece);
    // Never ended: only a reader that stops gets on.
  };
  expect(await client.delete('j', never)).toMatchObject({
    ok: false,
    fault: { kind: 'unexpected', message: 'the response is larger than 256 KiB' },
  });
});

it('a parse is abandoned when its request is aborted', async () => {
  const abort = new AbortController();
  const body = `[${'{},'.repeat(10 * mebibyte)}{}]`;
  respond = (response) => response.writeHead(200, json).end(body, () => setTimeout(() => abort.abort(), 50));
  await expect(client.status('j', abort.signal)).rejects.toThrow('aborted');
});

it('Retry-After counts even if the body is cut off', async () => {
  respond = (response) => {
    response.writeHead(200, { ...json, 'retry-after': '17', 'content-length': 100 });
    response.write('{"data":', () => response.destroy());
  };
  expect(await client.status('j', never)).toMatchObject({
    ok: false,
    fault: { kind: 'interrupted', retryAfterMs: 17_000 },
  });
});

it.each([429, 503])('an error %d counts as such even if its body is too large', async (status) => {
  respond = (response) =>
    response
      .writeHead(status, { 'content-type': 'text/html', 'retry-after': '17' })
      .end('x'.repeat(mebibyte));
  expect(await client.status('j', never)).toMatchObject({
    ok: false,
    fault: { kind: 'refused', httpStatus: status, code: null, retryAfterMs: 17_000 },
  });
});

it('a rate limit counts as such even if its body is cut off', async () => {
  respond = (response) => {
    response.writeHead(429, { ...json, 'retry-after': '17', 'content-length': 100 });
    response.write('{"error":', () => response.destroy());
  };
  expect(await client.status('j', never)).toMatchObject({
    ok: false,
    fault: { kind: 'refused', httpStatus: 429, code: null, retryAfterMs: 17_000 },
  });
});

it('a flood of small parts is refused', async () => {
  const upload = { part_size: 1, part_count: 96_078, part_url: '/p', complete_url: '/c' };
  respond = (response) => response.writeHead(201, json).end(JSON.stringify({ data: { id: 'j' }, upload }));
  expect(await client.create({ key: 'k', body: '{}' }, never)).toMatchObject({
    ok: false,
    fault: { kind: 'unexpected' },
  });
});

it.each(['', '.', '..', 'a\u0000b', '\uD800', 'x'.repeat(257), {}, 1.5])('%j names no job', async (id) => {
  respond = (response) => response.writeHead(201, json).end(JSON.stringify({ data: { id } }));
  expect(await client.create({ key: 'k', body: '{}' }, never)).toMatchObject({
    ok: false,
    fault: { kind: 'unexpected' },
  });
});

it('the name of a language is cut off, wherever it is', async () => {
  answer({ id: 'j', status: 'completed', language: 'x'.repeat(2000), transcript: { text: 'Words' } });
  expect(valueOf(await client.status('j', never)).transcript?.language).toHaveLength(100);
});

it('texts for people have no control characters', async () => {
  answer({ id: 'j', status: 'fail\u001B[2Jed\u009B', error: 'no\u0007\r\nsound' });
  expect(valueOf(await client.status('j', never))).toMatchObject({
    status: 'fail [2Jed',
    error: { message: 'no sound' },
  });
});

describe('a key that the service repeats', () => {
  const key = 'sk-0123456789abcdef';
  const keyed = async (work: (one: ServiceClient) => Promise<unknown>): Promise<string> => {
    const one = new ServiceClient(baseUrl, key, systemClock);
    onTestFinished(() => one.close());
    return JSON.stringify(await work(one));
  };

  it.each([
    ['in a refusal', `Incorrect key: ${key}, in "Bearer ${key}"`],
    ['where a long message is cut off', `${'x'.repeat(1990)} ${key}`],
  ])('is in no message: %s', async (_where, message) => {
    respond = (response) => response.writeHead(401, json).end(JSON.stringify({ error: { message } }));
    expect(await keyed((one) => one.list(never))).not.toContain(key.slice(0, 6));
    answer({ id: 'j', status: 'failed', error: { message } });
    expect(await keyed((one) => one.status('j', never))).not.toContain(key.slice(0, 6));
    expect(await keyed((one) => one.record('j', never))).not.toContain(key.slice(0, 6));
    expect(await keyed((one) => one.complete('j', null, never))).not.toContain(key.slice(0, 6));
  });

  it('is in no address that is refused', async () => {
    respond = (response) => response.writeHead(302, { location: `https://${key}.example/` }).end();
    expect(await keyed((one) => one.list(never))).not.toContain(key);
    respond = (response) => response.writeHead(302, { location: 'https://sk-a0b1c2d3e4f5.example/' }).end();
    const one = new ServiceClient(baseUrl, 'sk-A0B1C2D3E4F5', systemClock);
    onTestFinished(() => one.close());
    expect(JSON.stringify(await one.list(never)).toLowerCase()).not.toContain('sk-a0b1c2d3e4f5');
  });

  it('is in no status', async () => {
    answer({ id: 'j', status: key });
    expect(await keyed((one) => one.status('j', never))).not.toContain(key);
  });

  it.each(['queue', 'completed', 'eted-0123'])('changes no status that is known: %s', async (secret) => {
    const one = new ServiceClient(baseUrl, secret, systemClock);
    onTestFinished(() => one.close());
    for (const status of ['queued', 'completed']) {
      answer({ id: 'j', status });
      expect(valueOf(await one.status('j', never))).toMatchObject({ status });
    }
  });

  it.each(['sk-0123+456789/abcdef', 'key'])(
    'is in no address of an upload, whose requests have it: %s',
    async (secret) => {
      const one = new ServiceClient(baseUrl, secret, systemClock);
      onTestFinished(() => one.close());
      const queries = `raw=${secret}&encoded=${encodeURIComponent(secret)}`;
      const upload = {
        part_size: 5,
        part_count: 1,
        part_url: `/p?${queries}`,
        complete_url: `/c?${queries}`,
      };
      respond = (response) =>
        response.writeHead(201, json).end(JSON.stringify({ data: { id: 'j' }, upload }));
      const { session } = valueOf(await one.create({ key: 'k', body: '{}' }, never));
      expect(session?.partPath).not.toContain(secret);
      expect(session?.partPath).not.toContain(encodeURIComponent(secret));
      const requested: (string | undefined)[] = [];
      server.on('request', ({ url }) => requested.push(url));
      const bytes = Buffer.from('bytes');
      const body = {
        length: bytes.length,
        chunks: async function* () {
          yield bytes;
        },
      };
      await one.sendPart(session!, 1, body, never);
      await one.complete('j', session, never);
      expect(requested).toStrictEqual([`/p?${queries}&part_number=1`, `/c?${queries}`]);
    },
  );
});

function valueOf<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}

it('is abandoned when it takes too long to parse', async () => {
  const parser = new BodyParser(workerUrl('response'), 1);
  const body = new TextEncoder().encode(JSON.stringify({ data: { text: 'x'.repeat(mebibyte) } }));
  expect(await parser.parse(body, 'job', never)).toEqual({
    ok: false,
    message: 'the response takes too long to read',
  });
});

it('is unexpected if it lists more jobs than any account can have', async () => {
  const jobs = Array.from({ length: maxJobs }, (_, id) => ({ id }));
  respond = (response) => response.writeHead(200, json).end(JSON.stringify(jobs));
  expect(await client.list(never)).toMatchObject({ ok: true, value: { length: maxJobs } });
  jobs.push({ id: maxJobs });
  expect(await client.list(never)).toMatchObject({ ok: false, fault: { kind: 'unexpected' } });
});
