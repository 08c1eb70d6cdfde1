import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { partOf } from '../support/api.ts';
import { jobSchema } from '../support/document.ts';
import { assertError, withSession, type Check } from './check.ts';

const small = silentWav(0, 100);

/** Part 4.3, and the rules of part 3 about completion. */
export const completionChecks: readonly Check[] = [
  {
    part: '4.3',
    rule: 'without its parts: upload_incomplete or invalid_parts',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id }) =>
        assertError(await api.complete(id), 'upload_incomplete', 'invalid_parts'),
      ),
  },
  {
    part: '4.3',
    rule: 'with only the first of two parts: upload_incomplete or invalid_parts',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1, async ({ upload: { part_size: size } }) =>
        withSession(api, size + 1, async ({ id, upload }) => {
          assert.equal((await api.put(upload, 1, silentWav(0, size))).status, 200);
          assertError(await api.complete(id), 'upload_incomplete', 'invalid_parts');
        }),
      ),
  },
  {
    part: '4.3, 7',
    rule: 'a text file named .wav: invalid_file_signature, at the latest on completion',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 100, async ({ id, upload }) => {
        const sent = await api.put(upload, 1, Buffer.alloc(100, 'text '));
        assertError(sent.status === 200 ? await api.complete(id) : sent, 'invalid_file_signature');
      }),
  },
  {
    part: '4.3, 7',
    rule: 'an unknown job: not_found',
    cost: 'creates',
    run: async (api) => assertError(await api.complete(randomUUID()), 'not_found'),
  },
  {
    part: '3, 4.3',
    rule: 'a deleted job cannot be completed',
    cost: 'creates',
    run: async (api) =>
      withSession(api, small.length, async ({ id, upload }) => {
        await api.putAll(upload, small);
        await api.delete(id);
        const refusals = ['invalid_status', 'upload_session_missing', 'upload_incomplete'] as const;
        assertError(await api.complete(id), ...refusals, 'not_found');
      }),
  },
  {
    part: '3, 4.3',
    rule: '202 at the start and during processing, 200 once it is completed; each with the job',
    cost: 'pays',
    async run(api) {
      const wave = silentWav(1);
      await withSession(api, wave.length, async ({ id, upload }) => {
        await api.putAll(upload, wave);
        const first = await api.send('POST', upload.complete_url);
        assert.equal(first.status, 202);
        assert.equal(jobSchema.parse(first.body).data.id, id);
        const second = await api.complete(id);
        assert([200, 202].includes(second.status), `${second.status}`);
        await api.until(id, 'completed');
        const last = await api.send('POST', upload.complete_url);
        assert.equal(last.status, 200);
        assert.equal(jobSchema.parse(last.body).data.status, 'completed');
        const late = await api.put(upload, 1, partOf(wave, upload, 1));
        assertError(late, 'invalid_status', 'upload_session_missing');
      });
    },
  },
];
