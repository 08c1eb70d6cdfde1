import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBodySchema } from '../../electron/on-device/http/api-schemas.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api, jobsPath, UndescribedResponseError, type Reply } from './support/api.ts';
import type { Description, DescribedResponse } from './support/description.ts';
import { createBody } from './support/hostile-requests.ts';
import { startTamperingProxy } from './support/tampering-proxy.ts';

let service: TestService;
let api: Api;
let description: Description;

beforeAll(async () => {
  service = await startOnDevice({ credits: 100 });
  api = new Api(service);
  const described = await api.description();
  if (described === null) throw new Error('the service serves no description');
  description = described;
});
afterAll(async () => service.stop());

/** One response of each route and each kind of error. */
async function sampleResponses(): Promise<
  readonly (readonly [method: string, path: string, reply: Reply])[]
> {
  const wave = silentWav(1);
  const created = await api.create({ file_name: 'a.wav', file_size: wave.length }, 'described');
  const { id } = (created.body as { data: { id: string } }).data;
  const job = `${jobsPath}/${id}`;
  const part = `${job}/upload?part_number=1`;
  const replayed = await api.create({ file_name: 'a.wav', file_size: wave.length }, 'described');
  const tooEarly = await api.complete(id);
  const sent = await api.send('PUT', part, { body: wave });
  const completed = await api.complete(id);
  await api.until(id, 'completed');
  return [
    ['POST', jobsPath, created],
    ['POST', jobsPath, replayed],
    ['POST', jobsPath, await api.create({})],
    ['PUT', part, sent],
    ['PUT', part, await api.send('PUT', part, { body: wave })],
    ['POST', `${job}/complete`, tooEarly],
    ['POST', `${job}/complete`, completed],
    ['GET', job, await api.status(id)],
    ['GET', `${jobsPath}/x`, await api.status('x')],
    ['GET', jobsPath, await api.list()],
    ['GET', jobsPath, await api.send('GET', jobsPath, { key: 'wrong' })],
    ['DELETE', job, await api.delete(id)],
  ];
}

/** The paths of all values inside `value`. */
function keyPathsIn(value: unknown, keyPath: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...keyPath, key],
    ...keyPathsIn(inner, [...keyPath, key]),
  ]);
}

/** Returns a copy of `body` in which `change` was applied to the value at `keyPath`, given its parent and its key. */
function changedCopy(
  body: unknown,
  keyPath: readonly string[],
  change: (parent: Record<string, unknown>, key: string) => void,
) {
  const copy: unknown = structuredClone(body);
  let parent = copy as Record<string, unknown>;
  for (const step of keyPath.slice(0, -1)) parent = parent[step] as Record<string, unknown>;
  change(parent, keyPath.at(-1) ?? '');
  return copy;
}

/** The optional fields of the document (parts 2.1 and 4.1), and elements of arrays. */
const mayBeAbsent = /^(transcript|upload|\d+)$/;

/** Variants of `reply`, each with one forbidden difference. */
function changesOf(reply: Reply): readonly (readonly [what: string, change: Partial<DescribedResponse>])[] {
  const { body } = reply;
  const keyPaths = keyPathsIn(body);
  const headers = ['location', 'retry-after', 'idempotency-replayed', 'www-authenticate', 'content-type'];
  const present = headers.filter((name) => reply.header(name) !== undefined);
  const withHeader = (name: string, value: string | undefined): Partial<DescribedResponse> => ({
    header: (requested) => (requested === name ? value : reply.header(requested)),
  });
  return [
    ['another status', { status: 299 }],
    ['a page', { body: '<p>Not today</p>' }],
    ['a field more', { body: { ...(body as object), surprise: 1 } }],
    ...keyPaths
      .filter((keyPath) => !mayBeAbsent.test(keyPath.at(-1) ?? ''))
      .map(
        (keyPath) =>
          [
            `without ${keyPath.join('.')}`,
            { body: changedCopy(body, keyPath, (parent, key) => delete parent[key]) },
          ] as const,
      ),
    ...keyPaths.map(
      (keyPath) =>
        [
          `another type of ${keyPath.join('.')}`,
          { body: changedCopy(body, keyPath, (parent, key) => (parent[key] = [[]])) },
        ] as const,
    ),
    ...present.map((name) => [`without ${name}`, withHeader(name, undefined)] as const),
    ...present.map((name) => [`another ${name}`, withHeader(name, 'soon')] as const),
  ];
}

/** A create request with mostly valid fields. */
const nearlyValidBody = fc.record(
  {
    url: fc.constantFrom('https://example.com/a.mp3', ''),
    file_name: fc.constantFrom('a.wav', '..', 'a/b.wav', 'naïve 🎙.wav', '\ud800.wav', ''),
    file_size: fc.constantFrom(1, 2 ** 53 - 1, 0, -1, 1.5, '5', 2 ** 53),
    mime_type: fc.constantFrom('audio/wav', 'x'.repeat(256), 5),
    language: fc.constantFrom('auto', 'en', 'klingon', null),
    accuracy_mode: fc.constantFrom('fast', 'balanced', 'best'),
    translate_to_english: fc.constantFrom(true, false, 'yes'),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe('the description matches the behavior', () => {
  test('detects a response with a wrong field, type, header or status', async () => {
    const unnoticed: string[] = [];
    let triedCount = 0;
    for (const [method, path, reply] of await sampleResponses()) {
      const faultsWith = (change: Partial<DescribedResponse>): readonly string[] =>
        description.faultsOf(method, path, { ...reply, ...change });
      expect(faultsWith({})).toEqual([]);

      for (const [what, change] of changesOf(reply)) {
        triedCount++;
        if (faultsWith(change).length === 0) unnoticed.push(`${method} ${path} ${reply.status}: ${what}`);
      }
    }
    expect(unnoticed).toEqual([]);
    expect(triedCount).toBeGreaterThan(300);
  });

  test('detects an error code with a wrong status', async () => {
    const reply = await api.status('unknown');
    const body = { error: { code: 'invalid_status', message: 'The job is done.' } };
    expect(description.faultsOf('GET', `${jobsPath}/unknown`, { ...reply, body })).not.toEqual([]);
  });

  test('the client of the tests rejects such a response', async () => {
    const proxy = await startTamperingProxy(service.baseUrl, (text) =>
      text.replace(/"balance_credits":\d+/, '"balance_credits":"many"'),
    );
    try {
      const client = new Api({ baseUrl: proxy.baseUrl, key: service.key });
      await expect(client.list()).rejects.toThrow(UndescribedResponseError);
      expect((await client.status('unknown')).status).toBe(404);
    } finally {
      await proxy.stop();
    }
  });

  test('there are no undescribed routes', async () => {
    const { body } = await api.send('GET', '/openapi.json');
    const { paths } = body as { readonly paths: Record<string, Record<string, unknown>> };
    const templates = Object.keys(paths);
    expect(templates.length).toBeGreaterThan(4);
    const others = ['/', '/api', '/api/v1', `${jobsPath}/`, `${jobsPath}/x/upload/`, '/openapi', '/docs'];
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      for (const path of [...templates, ...others]) {
        if (paths[path]?.[method.toLowerCase()] !== undefined) continue;
        const reply = await api.send(method, path.replace('{id}', 'x'));
        expect([method, path, reply.status]).toEqual([method, path, 404]);
      }
    }
  });

  test('every operation describes its error responses', async () => {
    const { body } = await api.send('GET', '/openapi.json');
    const { paths } = body as { readonly paths: Record<string, Record<string, unknown>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replace('{id}', 'x')] as const),
    );
    // Its clock stands still, so no request is accepted after the first.
    const slow = await startOnDevice({ limits: { requestsPerMinute: 6 }, clock: new ManualClock() });
    const limitedApi = new Api(slow);
    await limitedApi.description();
    try {
      for (const [method, path] of operations) {
        // The client fails when a response, its code or one of its headers is not described.
        const refusals = [
          await api.send(method, path, { key: 'wrong' }),
          await api.send(method, path, { headers: { host: 'evil.example' } }),
          await api.send(method, path, { headers: { 'x-long': 'x'.repeat(20_000) } }),
          await limitedApi.send(method, path),
        ];
        expect([method, path, ...refusals.map(({ status }) => status)]).toEqual([
          method,
          path,
          401,
          404,
          431,
          429,
        ]);
      }
    } finally {
      await slow.stop();
    }
  });

  test('the description of a create request accepts exactly what the service accepts', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyValidBody, createBody, fc.jsonValue()), (body) => {
        expect(description.allowsBody('POST', jobsPath, body)).toBe(createBodySchema.safeParse(body).success);
      }),
      { numRuns: 5000 },
    );
  });
});
