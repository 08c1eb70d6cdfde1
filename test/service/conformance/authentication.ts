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

const invalidKeys: readonly (readonly [string, Sending])[] = [
  ['no key', { key: null }],
  ['another key', { key: 'not-the-key' }],
  ['an empty key', { key: null, headers: { authorization: 'Bearer ' } }],
  ['another scheme', { key: null, headers: { authorization: 'Basic bm90OmtleQ==' } }],
];

/** Part 5. */
export const authenticationChecks: readonly Check[] = [
  ...endpoints.map(([method, path]): Check => ({
    part: '5.1, 5.2',
    rule: `${method} ${path.replace(job, `${jobsPath}/{id}`)} without a valid key: invalid_api_key`,
    cost: 'free',
    async run(api) {
      for (const [who, sending] of invalidKeys) {
        const reply = await api.send(method, path, sending);
        try {
          assertError(reply, 'invalid_api_key');
        } catch (cause) {
          throw new Error(`with ${who}: ${cause instanceof Error ? cause.message : String(cause)}`, {
            cause,
          });
        }
      }
    },
  })),
  {
    part: '5.3',
    rule: 'the key is never part of a response',
    cost: 'free',
    async run(api) {
      const replies = await Promise.all([api.list(), api.status('x'), api.send('GET', '/')]);
      for (const reply of replies) assert(!JSON.stringify(reply.body).includes(api.target.key));
    },
  },
];
