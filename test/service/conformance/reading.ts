import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { listSchema } from '../support/document.ts';
import { assertError, assertRetryAfter, withSession, type Check } from './check.ts';

/** API part 8. */
const maxListed = 100;

/** Parts 4.4 and 4.5. */
export const readingChecks: readonly Check[] = [
  {
    part: '4.4',
    rule: 'the status of a job: 200 with a Retry-After',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const reply = await api.status(id);
        assert.equal(reply.status, 200);
        assertRetryAfter(reply);
      }),
  },
  ...[randomUUID(), 'x'].map((id): Check => ({
    part: '4.4',
    rule: `an unknown job, whose id is ${id === 'x' ? 'x' : 'like any other'}: not_found`,
    cost: 'free',
    run: async (api) => assertError(await api.status(id), 'not_found'),
  })),
  {
    part: '4.5, 8',
    rule: 'the list: 200 with no more than 100 records',
    cost: 'free',
    async run(api) {
      const reply = await api.list();
      assert.equal(reply.status, 200);
      assert(listSchema.parse(reply.body).length <= maxListed);
    },
  },
  {
    part: '4.5',
    rule: 'a job that was just created is in the list',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const list = listSchema.parse((await api.list()).body);
        assert(list.length <= maxListed);
        assert(list.some((job) => job.id === id));
      }),
  },
];
