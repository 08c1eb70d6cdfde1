import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { speechlessWave } from '../../support/quick-speech.ts';
import { jobsPath, partOf } from '../support/api.ts';
import { jobSchema } from '../support/document.ts';
import { assertError, withSession, type Check } from './check.ts';

const unknown = randomUUID();
const small = speechlessWave(0.1);

/** Part 4.2. */
const partChecks: readonly Check[] = [
  {
    part: '4.2',
    rule: 'a part is taken with 200, and again with 200',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        assert.equal((await api.put(upload, 1, small)).status, 200);
        assert.equal((await api.put(upload, 1, small)).status, 200);
        assert.equal((await api.job(id)).status, 'uploading');
      }),
  },
  {
    part: '4.2',
    rule: 'a wrong length: 400 part_size_mismatch',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) => {
        assertError(await api.put(upload, 1, small.subarray(1)), 400, 'part_size_mismatch');
        assertError(await api.put(upload, 1, Buffer.concat([small, small])), 400, 'part_size_mismatch');
      }),
  },
  {
    part: '4.2',
    rule: 'an empty body: 400 empty_upload',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.put(upload, 1, Buffer.alloc(0)), 400, 'empty_upload'),
      ),
  },
  ...['0', '-1', '2', '1.5', 'one', '', '1&part_number=1', '99999999999999999999', '1e0', '0x1'].map(
    (number): Check => ({
      part: '4.2',
      rule: `part_number=${number} of one part: 400 invalid_part`,
      cost: 'creates',
      run: async (api) =>
        withSession(api, small.length, async ({ upload }) =>
          assertError(await api.put(upload, number, small), 400, 'invalid_part'),
        ),
    }),
  ),
  {
    part: '4.2',
    rule: 'no part_number: 400 invalid_part',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ upload }) =>
        assertError(await api.send('PUT', upload.part_url, { body: small }), 400, 'invalid_part'),
      ),
  },
  {
    part: '4.2',
    rule: 'an unknown job: 404 not_found',
    cost: 'creates',
    run: async (api) =>
      assertError(
        await api.send('PUT', `${jobsPath}/${unknown}/upload?part_number=1`, { body: small }),
        404,
        'not_found',
      ),
  },
  {
    part: '4.2',
    rule: 'a deleted job: 409 invalid_status',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        await api.delete(id);
        assertError(await api.put(upload, 1, small), 409, 'invalid_status');
      }),
  },
];

/** Part 4.3. */
const completionChecks: readonly Check[] = [
  {
    part: '4.3',
    rule: 'without its parts: 409 upload_incomplete',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id }) =>
        assertError(await api.complete(id), 409, 'upload_incomplete'),
      ),
  },
  {
    part: '4.3',
    rule: 'a text called .wav: 415 invalid_file_signature',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id, upload }) => {
        await api.put(upload, 1, Buffer.alloc(1000, 'text '));
        assertError(await api.complete(id), 415, 'invalid_file_signature');
      }),
  },
  {
    part: '4.3',
    rule: 'an unknown job: 404 not_found',
    cost: 'creates',
    run: async (api) => assertError(await api.complete(unknown), 404, 'not_found'),
  },
  {
    part: '4.3',
    rule: 'a deleted job: 409 invalid_status',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        await api.putAll(upload, small);
        await api.delete(id);
        assertError(await api.complete(id), 409, 'invalid_status');
      }),
  },
  {
    part: '4.3',
    rule: '202 at the start, 202 while the work goes on, 200 once it is done',
    cost: 'pays',
    async run(api) {
      const wave = speechlessWave(1);
      const { id, upload } = await api.session('conformance.wav', wave.length);
      for (let n = upload.part_count; n >= 1; n--) await api.put(upload, n, partOf(wave, upload, n));
      const first = await api.send('POST', upload.complete_url);
      assert.equal(first.status, 202);
      assert.equal(jobSchema.parse(first.body).data.id, id);
      const second = await api.complete(id);
      assert([200, 202].includes(second.status));
      await api.until(id, 'completed');
      const last = await api.send('POST', upload.complete_url, {
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(last.status, 200);
      assert.equal(jobSchema.parse(last.body).data.status, 'completed');
      assertError(await api.put(upload, 1, partOf(wave, upload, 1)), 409, 'invalid_status');
      await api.delete(id);
    },
  },
];

/** Parts 4.2 and 4.3. */
export const uploadingChecks: readonly Check[] = [...partChecks, ...completionChecks];
