import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { jobsPath } from '../support/api.ts';
import { jobSchema } from '../support/document.ts';
import { assertError, withSession, type Check } from './check.ts';

/** One part, whatever the part size of the service. */
const small = silentWav(0, 100);

/** Part 4.2. */
export const partChecks: readonly Check[] = [
  {
    part: '4.2',
    rule: 'a part is accepted with 200, and may be sent again: 200',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        assert.equal((await api.put(upload, 1, small)).status, 200);
        assert.equal((await api.put(upload, 1, small)).status, 200);
        const { data } = jobSchema.parse((await api.status(id)).body);
        assert(['accepted', 'uploading'].includes(data.status), data.status);
      }),
  },
  ...[
    { what: 'a byte less', bytes: small.subarray(1) },
    { what: 'a byte more', bytes: Buffer.concat([small, Buffer.of(0)]) },
    { what: 'twice the bytes', bytes: Buffer.concat([small, small]) },
  ].map(({ what, bytes }): Check => ({
    part: '4.2',
    rule: `a part with ${what}: part_size_mismatch`,
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.put(upload, 1, bytes), 'part_size_mismatch'),
      ),
  })),
  {
    part: '4.2',
    rule: 'an empty body: empty_upload',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.put(upload, 1, Buffer.alloc(0)), 'empty_upload'),
      ),
  },
  ...['0', '-1', '2', '1.5', 'one', '', '99999999999999999999'].map((number): Check => ({
    part: '4.2',
    rule: `part_number=${number} of one part: invalid_part`,
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.put(upload, number, small), 'invalid_part'),
      ),
  })),
  {
    part: '4.2',
    rule: 'no part_number: invalid_part',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.send('PUT', upload.part_url, { body: small }), 'invalid_part'),
      ),
  },
  {
    part: '4.2, 7',
    rule: 'an unknown job: not_found',
    cost: 'creates',
    async run(api) {
      const path = `${jobsPath}/${randomUUID()}/upload?part_number=1`;
      assertError(await api.send('PUT', path, { body: small }), 'not_found');
    },
  },
  {
    part: '4.2, 7',
    rule: 'a deleted job accepts no parts',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        await api.delete(id);
        const reply = await api.put(upload, 1, small);
        assertError(reply, 'invalid_status', 'upload_session_missing', 'not_found');
      }),
  },
];
