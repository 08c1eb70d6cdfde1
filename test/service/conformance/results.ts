import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { speechlessWave } from '../../support/quick-speech.ts';
import { jobSchema, listSchema, type WireJob } from '../support/document.ts';
import { assertError, withSession, type Check } from './check.ts';

const unknown = randomUUID();

/** Asserts what parts 1, 2.1 and 2.2 say of any job. */
function assertSound(job: WireJob, id: string): void {
  assert.equal(job.id, id);
  if (job.duration_seconds !== null && job.billed_minutes !== null) {
    assert.equal(job.billed_minutes, Math.max(1, Math.ceil(job.duration_seconds / 60)));
  }
  if (job.status === 'failed') assert.equal(job.credits_charged, 0, 'a failed job costs nothing');
  if (job.status !== 'completed') return;
  assert.equal(job.progress, 100);
  assert.equal(job.error, null);
  assert.equal(job.credits_charged, job.billed_minutes);
  assert(job.transcript);
  let last = 0;
  for (const { start, end } of job.transcript.segments) {
    assert(start >= last - 0.001 && end >= start, `a segment from ${start} s to ${end} s`);
    last = start;
  }
}

/** Parts 2.1, 2.2 and 4.4 to 4.6. */
export const resultChecks: readonly Check[] = [
  {
    part: '4.4',
    rule: 'a job has all its fields, a balance and a Retry-After from the first moment on',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const reply = await api.status(id);
        assert.equal(reply.status, 200);
        assert(Number(reply.header('retry-after')) > 0);
        const { data } = jobSchema.parse(reply.body);
        assert.equal(data.id, id);
        assert.equal(data.credits_charged, 0);
      }),
  },
  ...[unknown, 'x', '..%2f..%2fetc%2fpasswd', '%00', "'%20OR%201=1--", 'a'.repeat(5000)].map((id): Check => ({
    part: '4.4',
    rule: `the unknown job ${JSON.stringify(id.slice(0, 40))}: 404 not_found`,
    cost: 'free',
    run: async (api) => assertError(await api.status(id), 404, 'not_found'),
  })),
  {
    part: '4.5',
    rule: 'the list is answered with 200, and has no more than 100 records',
    cost: 'free',
    async run(api) {
      const reply = await api.list();
      assert.equal(reply.status, 200);
      assert(listSchema.parse(reply.body).data.length <= 100);
    },
  },
  {
    part: '2.1, 2.2, 4.4',
    rule: 'the latest records can be asked for, and have all that the document promises of them',
    cost: 'free',
    async run(api) {
      const { data } = listSchema.parse((await api.list()).body);
      for (const { id } of data.slice(0, 5)) {
        const reply = await api.status(id);
        assert.equal(reply.status, 200);
        assert(Number(reply.header('retry-after')) > 0);
        assertSound(jobSchema.parse(reply.body).data, id);
      }
    },
  },
  {
    part: '2.1, 2.2',
    rule: 'a completed job has its transcript, its length and its price',
    cost: 'pays',
    async run(api) {
      const id = await api.submit('conformance.wav', speechlessWave(1.5));
      const job = await api.until(id, 'completed');
      assert.equal(job.progress, 100);
      assert.equal(job.error, null);
      assert.equal(job.file_name, 'conformance.wav');
      assert.equal(job.source_kind, 'audio');
      assert(Math.abs((job.duration_seconds ?? 0) - 1.5) < 0.1);
      assert.equal(job.billed_minutes, 1);
      assert.equal(job.credits_charged, 1);
      assert(job.transcript);
      let end = 0;
      for (const segment of job.transcript.segments) {
        assert(segment.start >= end - 0.001 && segment.end >= segment.start);
        end = segment.end;
      }
      await api.delete(id);
    },
  },
  {
    part: '4.5',
    rule: 'the list has the latest job first, and no more than 100',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const reply = await api.list();
        assert.equal(reply.status, 200);
        const { data } = listSchema.parse(reply.body);
        assert(data.length <= 100);
        assert.equal(data[0]?.id, id);
      }),
  },
  {
    part: '4.6',
    rule: 'an active job is cancelled: 200, deleted, nothing charged',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const before = await api.balance();
        assert.equal((await api.delete(id)).status, 200);
        const job = await api.job(id);
        assert.equal(job.status, 'deleted');
        assert.equal(job.credits_charged, 0);
        assert.equal(await api.balance(), before);
      }),
  },
  {
    part: '4.6',
    rule: 'a deletion may be repeated: 200',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        await api.delete(id);
        assert.equal((await api.delete(id)).status, 200);
      }),
  },
  {
    part: '4.6',
    rule: 'a completed job loses its result and keeps its price',
    cost: 'pays',
    async run(api) {
      const id = await api.submit('conformance.wav', speechlessWave(1));
      await api.until(id, 'completed');
      const before = await api.balance();
      assert.equal((await api.delete(id)).status, 200);
      const job = await api.job(id);
      assert.equal(job.status, 'deleted');
      assert.equal(job.credits_charged, 1);
      assert.equal(job.transcript ?? null, null);
      assert.equal(await api.balance(), before);
    },
  },
  {
    part: '4.6',
    rule: 'an unknown job: 404 not_found',
    cost: 'creates',
    run: async (api) => assertError(await api.delete(unknown), 404, 'not_found'),
  },
];
