import assert from 'node:assert/strict';
import { codeOf, readCreated } from '../support/api.ts';
import {
  assertError,
  balanceBy,
  InconclusiveError,
  withRecording,
  withSession,
  type Check,
} from './check.ts';

/** API part 8. */
const maxActive = 50;

/** Parts 1 and 8: the limits and charges of an account. */
export const accountChecks: readonly Check[] = [
  {
    part: '1.5, 8',
    rule: 'an account has at most 50 active jobs, and deleting one allows another',
    cost: 'creates',
    async run(api) {
      const created: string[] = [];
      try {
        let isRefused = false;
        while (!isRefused && created.length <= maxActive) {
          const reply = await api.create({ file_name: 'conformance.wav', file_size: 1000 });
          isRefused = reply.status >= 300;
          if (!isRefused) created.push(readCreated(reply).id);
          else if (codeOf(reply) === 'insufficient_credits') {
            throw new InconclusiveError(`there are only credits for ${created.length} concurrent jobs`);
          } else assertError(reply, 'active_job_limit');
        }
        assert(isRefused, `${created.length} jobs are active at once`);
        const [first] = created;
        if (first === undefined) throw new InconclusiveError('the account has 50 active jobs of its own');
        await api.delete(first);
        created[0] = readCreated(await api.create({ file_name: 'conformance.wav', file_size: 1000 })).id;
      } finally {
        for (const id of created) await api.delete(id);
      }
    },
  },
  {
    part: '1.6',
    rule: 'a cancelled upload costs nothing',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) =>
        withSession(api, 1000, async (other) => {
          const before = await balanceBy(api, other.id);
          await api.delete(id);
          assert.equal(await balanceBy(api, other.id), before);
        }),
      ),
  },
  {
    part: '1.6',
    rule: 'less than a minute counts as one, and the charge is deducted from the balance',
    cost: 'pays',
    run: async (api) =>
      withSession(api, 1000, async (other) => {
        const before = await balanceBy(api, other.id);
        await withRecording(api, 1.5, async (id) => {
          const job = await api.until(id, 'completed');
          assert.equal(job.billed_minutes, 1);
          assert.equal(job.credits_charged, 1);
          const spent = before - (await balanceBy(api, other.id));
          if (spent === 0) {
            throw new InconclusiveError('the balance does not change; the account seems to have no limit');
          }
          assert.equal(spent, 1);
        });
      }),
  },
  {
    part: '1.6, 4.6',
    rule: 'a job that is cancelled during processing is refunded',
    cost: 'pays',
    run: async (api) =>
      withSession(api, 1000, async (other) => {
        const before = await balanceBy(api, other.id);
        await withRecording(api, 1, async (id) => {
          assert.equal((await api.delete(id)).status, 200);
          const spent = before - (await balanceBy(api, other.id));
          if (spent === 1) {
            throw new InconclusiveError('the job completed before it was cancelled');
          }
          assert.equal(spent, 0);
        });
      }),
  },
];
