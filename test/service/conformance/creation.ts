import assert from 'node:assert/strict';
import { jobsPath, readCreated, type Api } from '../support/api.ts';
import type { Code } from '../support/document.ts';
import { assertError, assertRefused, assertRetryAfter, withSession, type Check } from './check.ts';

const file = (more: object = {}): object => ({ file_name: 'conformance.wav', file_size: 1000, ...more });

/** Checks that a create request with this body is rejected. */
const refused = (rule: string, body: unknown, code: Code): Check => ({
  part: '4.1',
  rule: `${rule}: ${code}`,
  cost: 'creates',
  run: async (api) => assertRefused(api, await api.create(body), code),
});

/** Checks that an unparsable create request is rejected. */
const unreadable = (rule: string, text: string): Check => ({
  part: '4.1, 7',
  rule: `${rule}: invalid_json`,
  cost: 'creates',
  async run(api) {
    const headers = { 'content-type': 'application/json' };
    await assertRefused(api, await api.send('POST', jobsPath, { headers, body: text }), 'invalid_json');
  },
});

/** Checks for a client error of any code, since the document specifies none. */
const impossible = (rule: string, body: unknown): Check => ({
  part: '4.1',
  rule: `${rule}: nothing is created`,
  cost: 'creates',
  async run(api) {
    const reply = await api.create(body);
    if (reply.status < 300) await api.delete(readCreated(reply).id);
    assert(reply.status >= 400 && reply.status < 500, `${reply.status}`);
  },
});

/** Creates a job with options that the service must accept. */
async function assertAccepted(api: Api, options: object): Promise<void> {
  const { id } = await api.session('conformance.wav', 1000, options);
  await api.delete(id);
}

/** Part 4.1, for files. */
export const creationChecks: readonly Check[] = [
  {
    part: '1.2, 4.1',
    rule: 'a file: 201 with the Location of the job and a Retry-After; nothing is replayed',
    cost: 'creates',
    async run(api) {
      const reply = await api.create(file({ mime_type: 'audio/wav' }));
      assert.equal(reply.status, 201);
      const { id, upload } = readCreated(reply);
      try {
        assert(upload);
        assertRetryAfter(reply);
        assert.equal(reply.header('idempotency-replayed'), undefined);
        const location = new URL(reply.header('location') ?? '', api.target.baseUrl);
        assert.equal(location.origin, new URL(api.target.baseUrl).origin);
        const job = await api.send('GET', location.href);
        assert.equal(job.status, 200);
        assert.equal((job.body as { data: { id: string } }).data.id, id);
      } finally {
        await api.delete(id);
      }
    },
  },
  ...['fast', 'balanced', 'accurate'].map((accuracy_mode): Check => ({
    part: '1.4, 4.1',
    rule: `accuracy_mode: ${accuracy_mode}`,
    cost: 'creates',
    run: async (api) => assertAccepted(api, { accuracy_mode }),
  })),
  {
    part: '1.4, 4.1',
    rule: 'language: auto',
    cost: 'creates',
    run: async (api) => assertAccepted(api, { language: 'auto' }),
  },
  ...[true, false].map((translate_to_english): Check => ({
    part: '1.4, 4.1',
    rule: `translate_to_english: ${translate_to_english}`,
    cost: 'creates',
    run: async (api) => assertAccepted(api, { translate_to_english }),
  })),
  {
    part: '4.1',
    rule: 'without an idempotency key every request creates a job',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async (first) =>
        withSession(api, 1000, async (second) => assert.notEqual(first.id, second.id)),
      ),
  },
  unreadable('not JSON', '{"file_name": '),
  unreadable('a truncated body', '{"file_name":"conformance.wav","file_size":1000'),
  unreadable('no body', ''),
  impossible('neither a link nor a file', {}),
  impossible('a file without a size', { file_name: 'conformance.wav' }),
  impossible('a size without a file', { file_size: 1000 }),
  impossible('a size in quotes', { file_name: 'conformance.wav', file_size: '1000' }),
  impossible('an unknown accuracy', file({ accuracy_mode: 'best' })),
  impossible('a translation that is neither true nor false', file({ translate_to_english: 'perhaps' })),
  refused('no bytes', { file_name: 'conformance.wav', file_size: 0 }, 'file_too_large'),
  refused('a negative size', { file_name: 'conformance.wav', file_size: -1 }, 'file_too_large'),
  refused('half a byte', { file_name: 'conformance.wav', file_size: 1.5 }, 'file_too_large'),
  refused('an absurdly large size', { file_name: 'a.wav', file_size: 2 ** 53 - 1 }, 'file_too_large'),
  {
    part: '7',
    rule: 'a file that is not a recording: unsupported_file, at the latest on completion',
    cost: 'creates',
    async run(api) {
      const text = Buffer.from('%PDF-1.7\n');
      const reply = await api.create({ file_name: 'conformance.pdf', file_size: text.length });
      if (reply.status >= 300) return assertError(reply, 'unsupported_file');
      const { id, upload } = readCreated(reply);
      try {
        assert(upload);
        const sent = await api.put(upload, 1, text);
        assertError(sent.status === 200 ? await api.complete(id) : sent, 'unsupported_file');
      } finally {
        await api.delete(id);
      }
    },
  },
];
