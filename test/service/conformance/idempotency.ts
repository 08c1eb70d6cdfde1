import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readCreated, type Api } from '../support/api.ts';
import { assertError, assertRefused, type Check } from './check.ts';

const file = (more: object = {}): object => ({ file_name: 'conformance.wav', file_size: 1000, ...more });

/** The default parameters (part 4.1). */
const defaults = {
  mime_type: 'application/octet-stream',
  language: 'auto',
  accuracy_mode: 'balanced',
  translate_to_english: false,
};

/** Creates a job with a key, and deletes it in the end. */
async function withKey(api: Api, key: string, use: (id: string) => Promise<void>): Promise<void> {
  const first = await api.create(file(), key);
  assert.equal(first.status, 201);
  const { id } = readCreated(first);
  try {
    await use(id);
  } finally {
    await api.delete(id);
  }
}

/** Asserts that the same request with the same key returns the job `id` again (rule 1). */
async function assertReplayed(api: Api, key: string, id: string, body: object): Promise<void> {
  const replay = await api.create(body, key);
  assert.equal(replay.status, 200);
  assert.equal(replay.header('idempotency-replayed'), 'true');
  assert.equal(readCreated(replay).id, id);
}

const badKey = (rule: string, key: string): Check => ({
  part: '4.1, rule 4',
  rule: `a key with ${rule}: invalid_idempotency_key`,
  cost: 'creates',
  run: async (api) => assertRefused(api, await api.create(file(), key), 'invalid_idempotency_key'),
});

/** Part 4.1, "Idempotency rules", and the length of keys (part 8). */
export const idempotencyChecks: readonly Check[] = [
  {
    part: '4.1, rule 1',
    rule: 'the same key and the same parameters: 200, replayed, the same job',
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withKey(api, key, async (id) => {
        await assertReplayed(api, key, id, file());
        await assertReplayed(api, key, id, file());
      });
    },
  },
  ...Object.entries(defaults).map(([name, value]): Check => ({
    part: '4.1, rule 1',
    rule: `${name}: ${value} is the default, so sending it changes nothing`,
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withKey(api, key, async (id) => assertReplayed(api, key, id, file({ [name]: value })));
    },
  })),
  ...[
    { file_size: 1001 },
    { file_name: 'another.wav' },
    { accuracy_mode: 'fast' },
    { translate_to_english: true },
  ].map((other): Check => ({
    part: '4.1, rule 2',
    rule: `the same key with another ${Object.keys(other)}: idempotency_conflict`,
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withKey(api, key, async () =>
        assertError(await api.create(file(other), key), 'idempotency_conflict'),
      );
    },
  })),
  {
    part: '4.1, rule 3',
    rule: 'of many concurrent requests with one key, one creates the job; the others get it, or idempotency_pending',
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 10 }, () => api.create(file(), key)));
      const ids = new Set(replies.filter(({ status }) => status < 300).map((reply) => readCreated(reply).id));
      for (const id of ids) await api.delete(id);
      assert.equal(ids.size, 1, `${ids.size} jobs`);
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
      for (const reply of replies.filter(({ status }) => status >= 300)) {
        assertError(reply, 'idempotency_pending');
      }
    },
  },
  {
    part: '4.1, rule 4, 8',
    rule: 'keys of 1 and of 128 characters, and with all allowed characters, are accepted',
    cost: 'creates',
    async run(api) {
      await withKey(api, `${randomUUID()}.A_z:0-9`.padEnd(128, 'k'), async () => undefined);
      // So short a key may have been used before.
      const reply = await api.create(file(), 'k');
      if (reply.status < 300) await api.delete(readCreated(reply).id);
      else assertError(reply, 'idempotency_conflict');
    },
  },
  badKey('a space', 'two words'),
  badKey('a slash', 'a/b'),
  badKey('a letter beyond ASCII', 'schl\u00fcssel'),
  badKey('129 characters', 'k'.repeat(129)),
];
