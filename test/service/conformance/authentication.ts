import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { jobsPath, type Sending } from '../support/api.ts';
import { assertError, type Check } from './check.ts';

const job = `${jobsPath}/${randomUUID()}`;

const endpoints = [
  ['POST', jobsPath],
  ['PUT', `${job}/upload?part_number=1`],
  ['POST', `${job}/complete`],
  ['GET', job],
  ['GET', jobsPath],
  ['DELETE', job],
] as const;

const strangers: readonly (readonly [string, Sending])[] = [
  ['no key', { key: null }],
  ['another key', { key: 'not-the-key' }],
  ['an empty key', { key: null, headers: { authorization: 'Bearer ' } }],
  ['another scheme', { key: null, headers: { authorization: 'Basic bm90OmtleQ==' } }],
];

/** Part 5. */
export const authenticationChecks: readonly Check[] = [
  ...endpoints.flatMap(([method, path]) =>
    strangers.map(([who, sending]): Check => ({
      part: '5.1, 5.2',
      rule: `${method} ${path.replace(job, `${jobsPath}/{id}`)} with ${who}: invalid_api_key`,
      cost: 'free',
      run: async (api) => assertError(await api.send(method, path, sending), 'invalid_api_key'),
    })),
  ),
  {
    part: '5.3',
    rule: 'the key is never part of an answer',
    cost: 'free',
    async run(api) {
      const replies = await Promise.all([api.list(), api.status('x'), api.send('GET', '/')]);
      for (const reply of replies) assert(!JSON.stringify(reply.body).includes(api.target.key));
    },
  },
];
