import assert from 'node:assert/strict';
import { jobSchema, listSchema, type WireJob } from '../support/document.ts';
import { InconclusiveError, withRecording, withSession, type Check } from './check.ts';

/** Asserts the rules of parts 1.6, 2.1 and 2.2 about jobs. */
function assertValidJob(job: WireJob, id: string): void {
  assert.equal(job.id, id);
  const { duration_seconds: seconds, billed_minutes: minutes } = job;
  if (typeof seconds === 'number' && typeof minutes === 'number') {
    assert.equal(minutes, Math.max(1, Math.ceil(seconds / 60)));
  }
  if (job.status === 'failed') assert.equal(job.credits_charged, 0, 'a failed job costs nothing');
  // A deleted job may have failed before.
  else if (job.status !== 'deleted') assert.equal(job.error, null, 'only a failed job has an error');
  if (job.status !== 'completed') return;
  assert.equal(job.progress, 100);
  assert.equal(job.credits_charged, minutes);
  assert(job.transcript);
  let last = 0;
  for (const { start, end } of job.transcript.segments) {
    assert(start >= last - 0.001 && end >= start, `a segment from ${start} s to ${end} s`);
    last = start;
  }
}

/** Parts 2 and 3: the fields of jobs, transcripts and upload sessions. */
export const resourceChecks: readonly Check[] = [
  {
    part: '2.1, 3',
    rule: 'a job has all its fields from the first moment on, in a state that waits for its file',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ id }) => {
        const { data } = jobSchema.parse((await api.status(id)).body);
        assertValidJob(data, id);
        assert.equal(data.file_name, 'conformance.wav');
        assert.equal(data.credits_charged, 0);
        assert(['accepted', 'uploading'].includes(data.status), data.status);
        assert.equal(data.transcript?.text ?? '', '');
      }),
  },
  {
    part: '2.1, 2.2',
    rule: 'the latest records have all that the document promises of them',
    cost: 'free',
    async run(api) {
      const latest = listSchema.parse((await api.list()).body).slice(0, 5);
      if (latest.length === 0) throw new InconclusiveError('the account has no records');
      for (const { id } of latest) assertValidJob(jobSchema.parse((await api.status(id)).body).data, id);
    },
  },
  {
    part: '2.1, 2.2',
    rule: 'a completed job has its duration, its cost and its transcript',
    cost: 'pays',
    run: async (api) =>
      withRecording(api, 1.5, async (id) => {
        const job = await api.until(id, 'completed');
        assertValidJob(job, id);
        assert.equal(job.file_name, 'conformance.wav');
        assert.equal(job.source_kind, 'audio');
        assert(Math.abs((job.duration_seconds ?? 0) - 1.5) < 0.1);
      }),
  },
  {
    part: '2.3',
    rule: 'an upload session has as many parts as its file needs, even at the boundaries of a part',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1, async ({ upload: { part_size: size, part_count: count } }) => {
        assert.equal(count, 1);
        for (const [bytes, parts] of [
          [size, 1],
          [size + 1, 2],
          [3 * size, 3],
          [3 * size + 1, 4],
        ] as const) {
          await withSession(api, bytes, async ({ upload }) => {
            assert.equal(upload.part_size, size);
            assert.equal(upload.part_count, parts, `${bytes} bytes`);
          });
        }
      }),
  },
  {
    part: '2.3',
    rule: 'the addresses of an upload session are absolute and have the service’s origin',
    cost: 'creates',
    run: async (api) =>
      withSession(api, 1000, async ({ upload }) => {
        const { origin } = new URL(api.target.baseUrl);
        assert.equal(new URL(upload.part_url).origin, origin);
        assert.equal(new URL(upload.complete_url).origin, origin);
      }),
  },
];
