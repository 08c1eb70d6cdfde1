import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';
import { errorSchema, statusOfCode } from './support/document.ts';
import { hostileRequest } from './support/hostile-requests.ts';
import { sendRaw } from './support/send-raw.ts';
import { startChild } from './support/start-child.ts';

const mebibyte = 1024 ** 2;

/** The number of random requests. */
const requestCount = Number(process.env['LONGHAND_FUZZ'] ?? 4000);

let service: TestService;
let api: Api;
let sessionId: string;

beforeAll(async () => {
  // This test is not about rate limits or free disk space.
  service = await startOnDevice({
    limits: { partBytes: 1000, requestsPerMinute: Infinity },
    freeBytes: async () => Infinity,
  });
  api = new Api(service);
  sessionId = (await api.session('a.wav', 2500)).id;
});
afterAll(async () => service.stop());

/** The client keeps a varying number of connections for the next request, which the service does not close. */
async function closeOwnConnections(): Promise<void> {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  await before.close();
}

describe('hostile requests', () => {
  test(
    `of any shape (${requestCount}) get a response of the API, and never an internal error`,
    { timeout: 120_000 + requestCount * 20 },
    async () => {
      const answered = fc.asyncProperty(
        fc.array(hostileRequest, { minLength: 16, maxLength: 16 }),
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
            if (reply.status < 400 || requests[i]?.method === 'HEAD') continue;
            expect(errorSchema.safeParse(reply.body).success).toBe(true);
            expect(Object.keys(statusOfCode)).toContain(codeOf(reply));
          }
          // Fuzzing creates jobs; the limit of active jobs must not mask other errors.
          const list = (await api.list()).body as { data: { id: string; status: string }[] };
          const otherJobs = list.data.filter(
            ({ id, status }) => id !== sessionId && !/deleted|failed/.test(status),
          );
          await Promise.all(otherJobs.map(async ({ id }) => api.delete(id)));
        },
      );
      await fc.assert(answered, { numRuns: requestCount / 16, endOnFailure: true });
      expect((await api.list()).status).toBe(200);
      expect(service.complaints.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    `in great numbers (${requestCount}) leave neither memory nor connections behind`,
    { timeout: 120_000 + requestCount * 20 },
    async () => {
      const dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
      const child = await startChild({ dataFolder, key: 'the-key-of-this-test', partBytes: 1000 });
      try {
        const client = new Api(child);
        const { id: own } = await client.session('a.wav', 2500);
        const samples = fc.sample(hostileRequest, 2000);
        const sendHostile = async (one: (typeof samples)[number]): Promise<number> => {
          const { method, path, headers, body, hasBody, hasKey } = one;
          const reply = await client.send(method, path.replaceAll('ID', own), {
            headers,
            body: hasBody && method !== 'HEAD' ? body : null,
            ...(!hasKey && { key: null }),
          });
          return reply.status;
        };
        /** Retained memory in MiB by kind, and open files including sockets. */
        const retainedResources = async (): Promise<{
          readonly heap: number;
          readonly all: number;
          readonly files: number;
        }> => {
          const { heapUsed, external, rss } = await child.memory();
          const files = await readdir(`/proc/${child.pid}/fd`);
          const heap = Math.round((heapUsed + external) / mebibyte);
          return { heap, all: Math.round(rss / mebibyte), files: files.length };
        };
        const run = async (count: number): Promise<void> => {
          for (let n = 0; n < count; n += 16) {
            const batch = Array.from({ length: 16 }, (_, i) => samples[(n + i) % samples.length]);
            const statuses = await Promise.all(
              batch.flatMap((one) => (one === undefined ? [] : [sendHostile(one)])),
            );
            expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
          }
        };
        await run(requestCount / 4);
        await closeOwnConnections();
        const early = await retainedResources();
        await run((3 * requestCount) / 4);
        await closeOwnConnections();
        // Requests in progress need time to end.
        await expect.poll(async () => (await retainedResources()).files).toBeLessThan(early.files + 5);
        await expect.poll(async () => (await retainedResources()).heap).toBeLessThan(early.heap + 10);
        console.log(
          `after a quarter ${JSON.stringify(early)}, in the end ${JSON.stringify(await retainedResources())}`,
        );
      } finally {
        await child.kill();
        await rm(dataFolder, { recursive: true });
      }
    },
  );

  test('that are not HTTP are closed, and the service continues', async () => {
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
        const answer = await sendRaw(service.baseUrl, Buffer.concat([Buffer.from(text), bytes]));
        expect(answer).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
      }),
      { numRuns: 500 },
    );
    expect((await api.list()).status).toBe(200);
  });

  test('leave no orphaned file', async () => {
    const { data } = (await api.list()).body as { data: { id: string }[] };
    const active = new Set(data.map(({ id }) => id));
    await expect
      .poll(async () =>
        (await readdir(join(service.dataFolder, 'media'))).filter((name) => !active.has(name)),
      )
      .toEqual([]);
  });
});
