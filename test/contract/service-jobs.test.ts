import { describe, expect, it } from 'vitest';
import type { TaskProgress } from '../../electron/contract/library-task.ts';
import type { JobRecord } from '../../electron/contract/service-job-commands.ts';
import {
  jobsAt,
  askForJobs,
  createJobOfOtherClient,
  openScripted,
} from '../support/scripted-service/open-scripted.ts';
import { openPoints, transcriptText } from '../support/scripted-service/shape.ts';
import { savedTranscripts } from '../support/core.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';

const relations = (records: readonly JobRecord[]) =>
  Object.fromEntries(records.map(({ name, relation }) => [name, relation.kind]));

describe('the list of jobs', () => {
  it('is related to the library and the queue', async () => {
    const core = await openScripted();
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    core.service.account.holdsJobs = true;
    await core.addFile('queued.wav');
    await core.advanceUntil(() => core.rows().some(({ state }) => state.kind === 'transcribing'));
    createJobOfOtherClient(core, 'finished.mp3');
    createJobOfOtherClient(core, 'active.mp3', 'processing');
    createJobOfOtherClient(core, 'broken.mp3', 'failed');
    createJobOfOtherClient(core, 'deleted.mp3', 'deleted');
    const { records, isComplete, vanished } = await askForJobs(core);
    expect(relations(records)).toEqual({
      'ours.wav': 'in-library',
      'queued.wav': 'queued',
      'finished.mp3': 'finished',
      'active.mp3': 'active',
      'broken.mp3': 'failed',
    });
    expect({ isComplete, vanished }).toEqual({ isComplete: true, vanished: [] });
  });

  it('is empty after one request to an empty service', async () => {
    const core = await openScripted();
    const { records, fetchedAt } = await askForJobs(core);
    expect(records).toEqual([]);
    expect(fetchedAt).not.toBeNull();
    expect(core.service.calls).toHaveLength(1);
  });

  it('protects a job that may belong to a create request without a response', async () => {
    const core = await openScripted();
    const fault = { kind: 'reset', tookEffect: true } as const;
    const lost = core.service.inject({ endpoint: 'create', from: 1, times: Infinity, fault });
    await core.addFile('talk.wav');
    await core.advanceUntil(() => lost.affectedCount > 0);
    createJobOfOtherClient(core, 'other.wav', 'processing');
    const { records } = await askForJobs(core);
    expect(relations(records)).toEqual({ 'talk.wav': 'queued', 'other.wav': 'active' });
    const jobIds = records.map(({ jobId }) => jobId);
    const [report] = await Promise.all([
      jobsAt(core).deleteJobs(jobIds, defaultTaskOptions),
      core.advanceUntil(() => false, 60_000),
    ]);
    expect(report).toMatchObject({
      done: 1,
      failed: [{ name: 'talk.wav', problem: { code: 'job_in_queue' } }],
    });
    lost.remove();
    await core.advanceUntil(core.isSettled);
    expect(core.row().state.kind).toBe('done');
  });

  it('is not requested while the service is unavailable, and reports that', async () => {
    const core = await openScripted();
    await core.advanceUntil(() => core.status().condition.kind === 'ready');
    await core.service.stopListening();
    await expect(jobsAt(core).refresh()).rejects.toMatchObject({ problem: { code: 'offline' } });
    await core.service.startListening();
  });
});

describe('the balance', () => {
  it('is read again after a top-up, without a new recording', async () => {
    const core = await openScripted();
    createJobOfOtherClient(core, 'finished.mp3');
    const { jobs } = core.longhand;
    jobs.start(core.service.baseUrl);
    await core.advanceUntil(() => core.status().balanceCredits !== null);
    const before = core.status().balanceCredits ?? 0;
    core.service.account.balance += 500;
    await core.pass(60_000);
    expect(core.status().balanceCredits).toBe(before);
    // As when the user returns from the account's website.
    core.longhand.probeCredits([core.service.baseUrl]);
    await core.advanceUntil(() => core.status().balanceCredits !== before);
    expect(core.status().balanceCredits).toBe(before + 500);
    expect(core.service.callsOf('create')).toEqual([]);
  });

  it('is read at most every 30 seconds, from the job with the smallest answer', async () => {
    const core = await openScripted();
    createJobOfOtherClient(core, 'finished.mp3');
    createJobOfOtherClient(core, 'broken.mp3', 'failed');
    await askForJobs(core);
    await core.pass(60_000);
    const before = core.service.calls.length;
    for (let times = 0; times < 10; times += 1) core.longhand.probeCredits([core.service.baseUrl]);
    await core.pass(1_000);
    for (let times = 0; times < 10; times += 1) core.longhand.probeCredits([core.service.baseUrl]);
    await core.pass(25_000);
    expect(core.service.calls).toHaveLength(before + 1);
    core.service.account.balance += 500;
    await core.pass(60_000);
    expect(core.service.calls).toHaveLength(before + 2);
    expect(core.status().balanceCredits).toBe(core.service.account.balance);
    const polled = core.service.callsOf('status').slice(-2);
    expect(polled.map(({ content }) => content)).toEqual(['broken.mp3', 'broken.mp3']);
  });

  it('is read from another job when the service no longer knows the first', async () => {
    const core = await openScripted();
    createJobOfOtherClient(core, 'one.mp3', 'failed');
    createJobOfOtherClient(core, 'two.mp3', 'failed');
    const [first] = (await askForJobs(core)).records;
    core.service.account.jobs.delete(first?.jobId ?? '');
    core.longhand.probeCredits([core.service.baseUrl]);
    await core.pass(10_000);
    expect(core.status().balanceCredits).toBe(core.service.account.balance);
  });

  it('of an account that was not asked before is read once it can be reached', async () => {
    const core = await openScripted();
    createJobOfOtherClient(core, 'finished.mp3');
    core.longhand.jobs.refreshBalances([core.service.baseUrl, 'on-device']);
    await core.advanceUntil(() => core.status().balanceCredits !== null);
    expect(core.status().balanceCredits).toBe(core.service.account.balance);
  });
});

describe('an import', () => {
  it('adds name, language and duration, once, and free of charge', async () => {
    const core = await openScripted();
    const { id: jobId } = createJobOfOtherClient(core, 'old interview.mp3');
    const { balance } = core.service.account;
    await askForJobs(core);
    expect(await jobsAt(core).import([jobId, jobId], defaultTaskOptions)).toEqual({
      done: 1,
      failed: [],
      notStarted: null,
    });
    expect(await jobsAt(core).import([jobId], defaultTaskOptions)).toEqual({
      done: 1,
      failed: [],
      notStarted: null,
    });
    const { rows, total } = await savedTranscripts(core.longhand);
    expect(total).toBe(1);
    const transcript = core.longhand.transcripts.get(rows[0]?.id ?? 0);
    expect(transcript).toMatchObject({
      name: 'old interview.mp3',
      durationSeconds: 90,
      text: transcriptText,
      itemId: null,
    });
    expect(transcript?.segments).toHaveLength(2);
    expect(relations(jobsAt(core).view().records)).toEqual({ 'old interview.mp3': 'in-library' });
    expect(core.service.account.balance).toBe(balance);
    expect(core.service.callsOf('create')).toEqual([]);
    expect(core.service.callsOf('delete')).toEqual([]);
  });

  it('can be cancelled: imported transcripts stay, and the next import adds the rest', async () => {
    const core = await openScripted();
    const jobs = ['one.mp3', 'two.mp3', 'three.mp3', 'four.mp3'].map((name) =>
      createJobOfOtherClient(core, name),
    );
    const jobIds = jobs.map(({ id }) => id);
    await askForJobs(core);
    const stop = new AbortController();
    const reported: TaskProgress[] = [];
    const report = await jobsAt(core).import(jobIds, {
      signal: stop.signal,
      onProgress: (progress) => {
        reported.push(progress);
        if (progress.done === 2) stop.abort();
      },
    });
    expect(report).toEqual({ done: 2, failed: [], notStarted: 2 });
    expect(reported).toEqual([0, 1, 2].map((done) => ({ done, total: 4 })));
    expect((await savedTranscripts(core.longhand)).total).toBe(2);
    expect(await jobsAt(core).import(jobIds, defaultTaskOptions)).toEqual({
      done: 4,
      failed: [],
      notStarted: null,
    });
    expect((await savedTranscripts(core.longhand)).total).toBe(4);
  });

  it('can be cancelled while the service does not respond', async () => {
    const core = await openScripted();
    const { id } = createJobOfOtherClient(core, 'talk.mp3');
    await askForJobs(core);
    const stop = new AbortController();
    const report = jobsAt(core).import([id], { ...defaultTaskOptions, signal: stop.signal });
    stop.abort();
    expect(await report).toEqual({ done: 0, failed: [], notStarted: 1 });
    expect((await savedTranscripts(core.longhand)).total).toBe(0);
  });

  const shapes = [
    ...openPoints.list.map((list) => ({ list })),
    ...openPoints.segments.map((segments) => ({ segments })),
    ...openPoints.unknowns.map((unknowns) => ({ unknowns })),
    ...openPoints.created.map((created) => ({ created })),
    ...openPoints.records.map((records) => ({ records })),
  ];
  it.each(shapes)('works with $list $segments $unknowns $created $records', async (shape) => {
    const core = await openScripted(shape);
    const { id } = createJobOfOtherClient(core, 'talk.mp3');
    const { records } = await askForJobs(core);
    expect(records.map(({ jobId }) => jobId)).toEqual([id]);
    expect(await jobsAt(core).import([id], defaultTaskOptions)).toEqual({
      done: 1,
      failed: [],
      notStarted: null,
    });
    expect((await savedTranscripts(core.longhand)).rows).toMatchObject([{ name: 'talk.mp3' }]);
  });

  it('reports for each job why it could not be imported', async () => {
    const core = await openScripted();
    const jobs = [
      createJobOfOtherClient(core, 'active.mp3', 'processing'),
      createJobOfOtherClient(core, 'broken.mp3', 'failed'),
      createJobOfOtherClient(core, 'fine.mp3'),
    ];
    jobs[0]?.nextStatuses.splice(0);
    await askForJobs(core);
    const report = await jobsAt(core).import([...jobs.map(({ id }) => id), 'job-99'], defaultTaskOptions);
    expect(report.done).toBe(1);
    expect(report.failed.map(({ name, problem }) => [name, problem.code])).toEqual([
      ['active.mp3', 'not_finished'],
      ['broken.mp3', 'job_failed'],
      ['job-99', 'not_at_service'],
    ]);
  });

  it.each(['cut', 'redirect', 'sign-in page', 'wrong shape'] as const)(
    'continues after a response about one job that is %s, and ends when it is one for each',
    async (kind) => {
      const core = await openScripted();
      const jobs = ['a.mp3', 'b.mp3', 'c.mp3'].map((name) => createJobOfOtherClient(core, name).id);
      await askForJobs(core);
      const fault = { kind, tookEffect: false } as const;
      const of = (content?: string) =>
        core.service.inject({
          endpoint: 'status',
          from: 1,
          times: Infinity,
          fault,
          ...(content !== undefined && { content }),
        });
      const onlyFirst = of('a.mp3');
      expect(await jobsAt(core).import(jobs, defaultTaskOptions)).toMatchObject({
        done: 2,
        failed: [{ name: 'a.mp3' }],
      });
      onlyFirst.remove();
      const more = ['d.mp3', 'e.mp3', 'f.mp3'].map((name) => createJobOfOtherClient(core, name).id);
      of();
      const before = core.service.callsOf('status').length;
      expect(await jobsAt(core).import(more, defaultTaskOptions)).toMatchObject({
        done: 0,
        failed: [{}, {}, {}],
      });
      expect(core.service.callsOf('status').length - before).toBe(kind === 'wrong shape' ? 3 : 2);
    },
  );

  it('ends at a problem that affects all jobs, and leaves nothing behind', async () => {
    const core = await openScripted();
    const jobs = ['a.mp3', 'b.mp3', 'c.mp3'].map((name) => createJobOfOtherClient(core, name).id);
    await askForJobs(core);
    const fault = {
      kind: 'refusal',
      status: 429,
      code: 'rate_limited',
      retryAfter: '60',
      tookEffect: false,
    } as const;
    core.service.inject({ endpoint: 'status', from: 2, times: 1, fault });
    const report = await jobsAt(core).import(jobs, defaultTaskOptions);
    expect(report.done).toBe(1);
    expect(report.failed.map(({ problem }) => problem.code)).toEqual(['rate_limited', 'rate_limited']);
    await expect(jobsAt(core).refresh()).rejects.toMatchObject({ problem: { code: 'rate_limited' } });
    await core.pass(61_000);
    expect(await jobsAt(core).import(jobs, defaultTaskOptions)).toEqual({
      done: 3,
      failed: [],
      notStarted: null,
    });
    expect(core.longhand.library.counts().total).toBe(3);
  });
});

describe('a followed job', () => {
  it('is imported automatically, even after a restart', async () => {
    const core = await openScripted();
    core.service.account.holdsJobs = true;
    const { id } = createJobOfOtherClient(core, 'talk.mp3', 'processing');
    await askForJobs(core);
    expect(jobsAt(core).follow([id], true).records).toMatchObject([{ followed: true }]);
    await core.pass(60_000);
    expect(core.longhand.library.counts().total).toBe(0);
    await core.reopen();
    jobsAt(core).start();
    core.service.account.holdsJobs = false;
    expect(await core.advanceUntil(() => core.longhand.library.counts().total === 1)).toBe(true);
    const calls = core.service.calls.length;
    await core.pass(10 * 60_000);
    expect(core.service.calls.length - calls).toBeLessThanOrEqual(1);
    expect(jobsAt(core).view().records).toMatchObject([
      { followed: false, relation: { kind: 'in-library' } },
    ]);
  });

  it.each(['failed', 'deleted'])('is no longer followed once it is %s', async (end) => {
    const core = await openScripted();
    const job = createJobOfOtherClient(core, 'talk.mp3', 'processing');
    job.nextStatuses = [end];
    await askForJobs(core);
    jobsAt(core).follow([job.id], true);
    await core.pass(60_000);
    const calls = core.service.callsOf('status').length;
    await core.pass(10 * 60_000);
    expect(core.service.callsOf('status')).toHaveLength(calls);
  });

  it('is not one of our own', async () => {
    const core = await openScripted();
    core.service.account.holdsJobs = true;
    await core.addFile('ours.wav');
    await core.advanceUntil(() => core.row().state.kind === 'transcribing');
    const { records } = await askForJobs(core);
    const after = jobsAt(core).follow(
      records.map(({ jobId }) => jobId),
      true,
    );
    expect(after.records).toMatchObject([{ followed: false }]);
  });
});

describe('deleting', () => {
  it('refunds an active job, and keeps the transcript of a finished one', async () => {
    const core = await openScripted();
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    const { balance } = core.service.account;
    createJobOfOtherClient(core, 'active.mp3', 'processing');
    const { records } = await askForJobs(core);
    const report = await jobsAt(core).deleteJobs(
      records.map(({ jobId }) => jobId),
      defaultTaskOptions,
    );
    expect(report).toEqual({ done: 2, failed: [], notStarted: null });
    expect(core.service.account.balance).toBe(balance);
    expect(core.longhand.library.counts().total).toBe(1);
    expect(jobsAt(core).view()).toMatchObject({ records: [], vanished: [] });
    // A job that the user deleted has not vanished.
    expect(await askForJobs(core)).toMatchObject({ records: [], vanished: [] });
  });

  it.each([
    { kind: 'reset', tookEffect: true },
    { kind: 'reset', tookEffect: false },
    { kind: 'refusal', status: 503, code: 'queue_unavailable', retryAfter: '20', tookEffect: false },
  ] as const)('retries after a lost response: $kind, $tookEffect', async (fault) => {
    const core = await openScripted();
    const { id } = createJobOfOtherClient(core, 'active.mp3', 'processing');
    await askForJobs(core);
    core.service.inject({ endpoint: 'delete', from: 1, times: 1, fault });
    const report = jobsAt(core).deleteJobs([id], defaultTaskOptions);
    await core.pass(60_000);
    expect(await report).toEqual({ done: 1, failed: [], notStarted: null });
    expect(core.service.account.balance).toBe(1_000);
  });

  it('reports when it is not possible', async () => {
    const core = await openScripted();
    const { id } = createJobOfOtherClient(core, 'talk.mp3');
    await askForJobs(core);
    const fault = { kind: 'refusal', status: 409, code: 'invalid_status', tookEffect: false } as const;
    core.service.inject({ endpoint: 'delete', from: 1, times: Infinity, fault });
    expect(await jobsAt(core).deleteJobs([id], defaultTaskOptions)).toMatchObject({
      done: 0,
      failed: [{ name: 'talk.mp3', problem: { code: 'invalid_status' } }],
    });
    expect(jobsAt(core).view().records).toHaveLength(1);
  });
});
