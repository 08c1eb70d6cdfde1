import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { jobsPath, type Api, type Reply } from '../support/api.ts';
import { createdSchema } from '../support/document.ts';
import { assertError, withSession, type Check } from './check.ts';

const file = (more: object = {}): object => ({ file_name: 'conformance.wav', file_size: 1000, ...more });

/** Asserts that a create request is refused. Should the service take it after all, its job is deleted at once. */
async function assertRefused(api: Api, reply: Reply, status: number, code: string): Promise<void> {
  const created = createdSchema.safeParse(reply.body);
  if (created.success) await api.delete(created.data.data.id);
  assertError(reply, status, code);
}

/** Asserts that a create request with this body is refused. */
const refused = (rule: string, body: unknown, status: number, code: string): Check => ({
  part: '4.1',
  rule: `${rule}: ${status} ${code}`,
  cost: 'creates',
  run: async (api) => assertRefused(api, await api.create(body), status, code),
});

/** Asserts that the text of a create request is refused. */
const unreadable = (rule: string, text: string, contentType = 'application/json'): Check => ({
  part: '4.1',
  rule: `${rule}: 400 invalid_json`,
  cost: 'creates',
  run: async (api) =>
    assertRefused(
      api,
      await api.send('POST', jobsPath, { headers: { 'content-type': contentType }, body: text }),
      400,
      'invalid_json',
    ),
});

const badKey = (rule: string, key: string): Check => ({
  part: '4.1, rule 4',
  rule: `${rule}: 400 invalid_idempotency_key`,
  cost: 'creates',
  run: async (api) => assertRefused(api, await api.create(file(), key), 400, 'invalid_idempotency_key'),
});

/** Creates under a key, and deletes what came of it. */
async function withKey(api: Api, key: string, use: (id: string) => Promise<void>): Promise<void> {
  const first = await api.create(file(), key);
  assert.equal(first.status, 201);
  const { id } = createdSchema.parse(first.body).data;
  try {
    await use(id);
  } finally {
    await api.delete(id);
  }
}

/** Part 4.1, and the shape of upload sessions (part 2.3). */
export const creationChecks: readonly Check[] = [
  {
    part: '4.1',
    rule: 'a file gives 201, a Location, a Retry-After and an upload session of its own origin',
    cost: 'creates',
    async run(api) {
      const size = 20_000_001;
      const reply = await api.create(file({ file_size: size, mime_type: 'audio/wav' }));
      assert.equal(reply.status, 201);
      const { data, upload } = createdSchema.parse(reply.body);
      try {
        assert(upload);
        assert(Number(reply.header('retry-after')) > 0);
        const origin = new URL(api.target.baseUrl).origin;
        const location = new URL(reply.header('location') ?? '', api.target.baseUrl);
        assert.equal(location.origin, origin);
        assert.equal((await api.send('GET', location.href)).status, 200);
        assert.equal(upload.part_count, Math.ceil(size / upload.part_size));
        assert.equal(new URL(upload.part_url).origin, origin);
        assert.equal(new URL(upload.complete_url).origin, origin);
        assert.equal(data.file_name, 'conformance.wav');
        assert(['accepted', 'uploading'].includes(data.status));
        assert.equal(data.error, null);
      } finally {
        await api.delete(data.id);
      }
    },
  },
  {
    part: '4.1',
    rule: 'every accuracy mode, a language and a translation are taken',
    cost: 'creates',
    async run(api) {
      for (const accuracy_mode of ['fast', 'balanced', 'accurate']) {
        const { id } = await api.session('conformance.wav', 1000, {
          accuracy_mode,
          language: 'en',
          translate_to_english: true,
        });
        await api.delete(id);
      }
    },
  },
  unreadable('no JSON', '{"file_name": '),
  unreadable('nothing at all', ''),
  unreadable('another type of body', 'file_name=a.wav', 'application/x-www-form-urlencoded'),
  refused('an array', [], 400, 'invalid_json'),
  refused('null', null, 400, 'invalid_json'),
  refused('neither mode', {}, 400, 'invalid_json'),
  refused('a file without a size', { file_name: 'a.wav' }, 400, 'invalid_json'),
  refused('a size without a file', { file_size: 5 }, 400, 'invalid_json'),
  refused('both modes', file({ url: 'https://example.com/a.wav' }), 400, 'invalid_json'),
  refused('a size in quotes', { file_name: 'a.wav', file_size: '5' }, 400, 'invalid_json'),
  refused('an unknown accuracy', file({ accuracy_mode: 'best' }), 400, 'invalid_json'),
  refused('a translation in quotes', file({ translate_to_english: 'yes' }), 400, 'invalid_json'),
  refused('no bytes', { file_name: 'a.wav', file_size: 0 }, 413, 'file_too_large'),
  refused('a negative size', { file_name: 'a.wav', file_size: -1 }, 413, 'file_too_large'),
  refused('half a byte', { file_name: 'a.wav', file_size: 1.5 }, 413, 'file_too_large'),
  refused('a size beyond all bounds', { file_name: 'a.wav', file_size: 2 ** 53 - 1 }, 413, 'file_too_large'),
  refused('a document', { file_name: 'a.pdf', file_size: 5 }, 415, 'unsupported_file'),
  refused('plain HTTP', { url: 'http://example.com/a.mp3' }, 400, 'insecure_remote_url'),
  refused('no address', { url: 'not an address' }, 400, 'invalid_remote_url'),
  refused('a password', { url: 'https://me:secret@example.com/a.mp3' }, 400, 'invalid_remote_url'),
  refused('this computer', { url: 'https://127.0.0.1/a.mp3' }, 400, 'remote_host_blocked'),
  refused('this computer by name', { url: 'https://localhost/a.mp3' }, 400, 'remote_host_blocked'),
  refused('this computer in disguise', { url: 'https://0x7f.1/a.mp3' }, 400, 'remote_host_blocked'),
  refused('a private address', { url: 'https://192.168.1.1/a.mp3' }, 400, 'remote_host_blocked'),
  refused('a cloud’s metadata', { url: 'https://169.254.169.254/latest' }, 400, 'remote_host_blocked'),
  refused('loopback of IPv6', { url: 'https://[::1]/a.mp3' }, 400, 'remote_host_blocked'),
  refused('loopback mapped', { url: 'https://[::ffff:127.0.0.1]/a.mp3' }, 400, 'remote_host_blocked'),
  badKey('a space', 'two words'),
  badKey('a slash', 'a/b'),
  badKey('129 characters', 'k'.repeat(129)),
  {
    part: '4.1, rule 4',
    rule: 'keys of 1 and of 128 of the allowed characters are taken',
    cost: 'creates',
    async run(api) {
      const key = `${randomUUID()}.A_z:0-9`;
      await withKey(api, key.padEnd(128, 'k'), async () => undefined);
      const reply = await api.create(file(), 'k');
      assert([200, 201].includes(reply.status));
      await api.delete(createdSchema.parse(reply.body).data.id);
    },
  },
  {
    part: '4.1, rule 1',
    rule: 'the same key and parameters bring the same job: 200, replayed',
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withKey(api, key, async (id) => {
        const again = await api.create(file({ language: 'auto', accuracy_mode: 'balanced' }), key);
        assert.equal(again.status, 200);
        assert.equal(again.header('idempotency-replayed'), 'true');
        const { data, upload } = createdSchema.parse(again.body);
        assert.equal(data.id, id);
        assert(upload);
      });
    },
  },
  {
    part: '4.1, rule 2',
    rule: 'the same key with other parameters: 409 idempotency_conflict',
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withKey(api, key, async () => {
        for (const other of [
          { file_size: 1001 },
          { file_name: 'b.wav' },
          { language: 'de' },
          { mime_type: 'audio/wav' },
        ]) {
          assertError(await api.create(file(other), key), 409, 'idempotency_conflict');
        }
      });
    },
  },
  {
    part: '4.1',
    rule: 'without a key every request is a job of its own',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async (first) =>
        withSession(api, 1000, async (second) => assert.notEqual(first.id, second.id)),
      ),
  },
];
