import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { codeOf, type Api, type Reply } from '../support/api.ts';
import { jobSchema } from '../support/document.ts';
import { assertError, balanceBy, withRecording, withSession, type Check } from './check.ts';

/** Gets the record of a deleted job, which may stay for a while or be gone at once. */
async function recordOf(api: Api, id: string): Promise<Reply | null> {
  const reply = await api.status(id);
  if (codeOf(reply) === 'not_found') return null;
  assert.equal(reply.status, 200);
  return reply;
}

/** Part 4.6, and the rules of parts 1.6 and 3 about deletion. */
export const deletionChecks: readonly Check[] = [
  {
    part: '3, 4.6',
    rule: 'an active job is cancelled: 200, deleted, and nothing is charged',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        assert.equal((await api.delete(id)).status, 200);
        const record = await recordOf(api, id);
        if (record === null) return;
        const { data } = jobSchema.parse(record.body);
        assert.equal(data.status, 'deleted');
        assert.equal(data.credits_charged, 0);
      }),
  },
  {
    part: '4.6',
    rule: 'a deletion can be repeated: the job stays deleted',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        await api.delete(id);
        const second = await api.delete(id);
        if (second.status !== 200) assertError(second, 'not_found', 'invalid_status');
      }),
  },
  {
    part: '1.6, 3, 4.6',
    rule: 'a completed job loses its result and is not refunded',
    cost: 'pays',
    run: async (api) =>
      withSession(api, 1000, async (other) => {
        await withRecording(api, 1, async (id) => {
          await api.until(id, 'completed');
          const before = await balanceBy(api, other.id);
          assert.equal((await api.delete(id)).status, 200);
          assert.equal(await balanceBy(api, other.id), before);
          const record = await recordOf(api, id);
          if (record === null) return;
          const { data } = jobSchema.parse(record.body);
          assert.equal(data.status, 'deleted');
          assert.equal(data.transcript?.text ?? '', '');
        });
      }),
  },
  {
    part: '4.6, 7',
    rule: 'an unknown job: not_found',
    cost: 'creates',
    run: async (api) => assertError(await api.delete(randomUUID()), 'not_found'),
  },
];
