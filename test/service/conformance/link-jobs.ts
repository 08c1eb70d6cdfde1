import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, jobsPath, readCreated, type Api } from '../support/api.ts';
import { jobSchema, type Code } from '../support/document.ts';
import { assertError, assertRefused, assertRetryAfter, InconclusiveError, type Check } from './check.ts';

/** A public host for examples (RFC 2606); the job is deleted before anything is downloaded. */
const url = 'https://example.com/longhand-conformance.mp3';

/** Checks that a link is rejected. */
const refused = (rule: string, link: string, code: Code): Check => ({
  part: '4.1',
  rule: `${rule}: ${code}`,
  cost: 'creates',
  run: async (api) => assertRefused(api, await api.create({ url: link }), code),
});

/** Creates a job for the link, and deletes it in any case. */
async function withLink(api: Api, use: (id: string) => Promise<void>, key?: string): Promise<void> {
  const reply = await api.create({ url }, key);
  if (['remote_dns_failed', 'remote_host_unresolved'].includes(codeOf(reply) ?? '')) {
    throw new InconclusiveError('the service cannot look up example.com');
  }
  assert.equal(reply.status, 202);
  const { id } = readCreated(reply);
  try {
    assertRetryAfter(reply);
    const location = new URL(reply.header('location') ?? '', api.target.baseUrl);
    assert.equal(location.origin, new URL(api.target.baseUrl).origin);
    assert.equal(jobSchema.parse((await api.send('GET', location.href)).body).data.id, id);
    await use(id);
  } finally {
    await api.delete(id);
  }
}

/** Part 4.1, for remote files. */
export const linkChecks: readonly Check[] = [
  {
    part: '1.3, 4.1',
    rule: 'a link: 202 with the Location of the job and a Retry-After',
    cost: 'creates',
    run: async (api) => withLink(api, async () => undefined),
  },
  {
    part: '4.1, rule 1',
    rule: 'the same key and the same link: 200, replayed, the same job',
    cost: 'creates',
    async run(api) {
      const key = randomUUID();
      await withLink(
        api,
        async (id) => {
          const replay = await api.create({ url }, key);
          assert.equal(replay.status, 200);
          assert.equal(replay.header('idempotency-replayed'), 'true');
          assert.equal(readCreated(replay).id, id);
        },
        key,
      );
    },
  },
  {
    part: '3, 4.3, 7',
    rule: 'a link has no upload session: neither parts nor a completion are accepted',
    cost: 'creates',
    run: async (api) =>
      withLink(api, async (id) => {
        const none = ['upload_session_missing', 'invalid_status'] as const;
        const part = `${jobsPath}/${id}/upload?part_number=1`;
        assertError(await api.send('PUT', part, { body: 'sound' }), ...none, 'not_found');
        assertError(await api.complete(id), ...none, 'upload_incomplete');
      }),
  },
  refused('a link without HTTPS', 'http://example.com/a.mp3', 'insecure_remote_url'),
  refused('an invalid link', 'not an address', 'invalid_remote_url'),
  refused('an empty link', '', 'invalid_remote_url'),
  refused('this computer', 'https://127.0.0.1/a.mp3', 'remote_host_blocked'),
  refused('this computer by name', 'https://localhost/a.mp3', 'remote_host_blocked'),
  refused('this computer in hexadecimal', 'https://0x7f.1/a.mp3', 'remote_host_blocked'),
  refused('this computer as one number', 'https://2130706433/a.mp3', 'remote_host_blocked'),
  refused('this computer in octal', 'https://0177.0.0.1/a.mp3', 'remote_host_blocked'),
  refused('this computer by IPv6', 'https://[::1]/a.mp3', 'remote_host_blocked'),
  refused('this computer by IPv4-mapped IPv6', 'https://[::ffff:127.0.0.1]/a.mp3', 'remote_host_blocked'),
  refused('the unspecified address', 'https://0.0.0.0/a.mp3', 'remote_host_blocked'),
  refused('a private address', 'https://192.168.1.1/a.mp3', 'remote_host_blocked'),
  refused('another private address', 'https://10.1.2.3/a.mp3', 'remote_host_blocked'),
  refused('a private IPv6 address', 'https://[fd00::1]/a.mp3', 'remote_host_blocked'),
  refused('cloud metadata', 'https://169.254.169.254/latest', 'remote_host_blocked'),
  {
    part: '4.1',
    rule: 'a nonexistent host (RFC 2606): remote_host_unresolved; remote_dns_failed may be retried',
    cost: 'creates',
    async run(api) {
      for (let tries = 1; ; tries++) {
        const reply = await api.create({ url: 'https://longhand-conformance.invalid/a.mp3' });
        await assertRefused(api, reply, 'remote_host_unresolved', 'remote_dns_failed');
        if (reply.status === 422) return;
        if (tries === 3) throw new InconclusiveError('the service currently cannot look up any host');
        await sleep(1000);
      }
    },
  },
];
