import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  jobsAt,
  askForJobs,
  createJobOfOtherClient,
  openScripted,
} from '../support/scripted-service/open-scripted.ts';
import { openPoints } from '../support/scripted-service/shape.ts';
import { savedTranscripts } from '../support/core.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';

/** A program with two accounts, the second of which has transcribed a recording. */
async function openWithOtherAccount() {
  const core = await openScripted();
  const other = await core.addAccount();
  await core.addFile('there.wav', 2_500, other);
  await core.advanceUntil(core.isSettled);
  return { core, other };
}

describe('a job of ours that vanished', () => {
  it('is reported until the user acknowledges it, and its transcript stays', async () => {
    const core = await openScripted();
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    core.service.account.loseJobs();
    const { vanished } = await askForJobs(core);
    expect(vanished).toMatchObject([{ name: 'ours.wav', relation: { kind: 'in-library' } }]);
    await core.reopen();
    expect((await askForJobs(core)).vanished).toHaveLength(1);
    expect(jobsAt(core).dismissVanished(vanished.map(({ jobId }) => jobId)).vanished).toEqual([]);
    expect((await askForJobs(core)).vanished).toEqual([]);
    expect(core.longhand.library.counts().total).toBe(1);
  });

  it('is found also if its row was cleared, or if the list marks it as deleted', async () => {
    const core = await openScripted();
    await core.addFile('one.wav');
    await core.addFile('two.wav');
    await core.advanceUntil(core.isSettled);
    core.longhand.queue.clearDoneAndCancelled();
    const [one, two] = core.service.account.jobs.values();
    if (one === undefined || two === undefined) throw new Error('two jobs');
    one.status = 'deleted';
    core.service.account.jobs.delete(two.id);
    const { vanished } = await askForJobs(core);
    expect(vanished.map(({ name }) => name).toSorted()).toEqual(['one.wav', 'two.wav']);
  });

  it('is reported for a paused item', async () => {
    const core = await openScripted();
    core.service.account.holdsJobs = true;
    await core.addFile('ours.wav');
    await core.advanceUntil(() => core.row().state.kind === 'transcribing');
    core.longhand.queue.pause([core.row().id]);
    await core.pass(5_000);
    core.service.account.loseJobs();
    expect((await askForJobs(core)).vanished).toMatchObject([{ relation: { kind: 'queued' } }]);
  });

  it('is checked when the last poll allows it, and the queue’s next poll respects the response', async () => {
    const core = await openScripted({ list: 'data' });
    core.service.account.holdsJobs = true;
    await core.addFile('ours.wav');
    core.service.hidden.add('ours.wav');
    const polls = (): number => core.service.callsOf('status').length;
    await core.advanceUntil(() => polls() === 1);
    await core.pass(100);
    core.longhand.queue.pause([core.row().id]);
    expect((await askForJobs(core)).vanished).toEqual([]);
    expect(polls()).toBe(1);
    await core.pass(5_000);
    await askForJobs(core);
    expect(polls()).toBe(2);
    core.longhand.queue.resume([core.row().id]);
    await core.pass(1_000);
    expect(polls()).toBe(2);
    await core.pass(5_000);
    expect(polls()).toBeGreaterThan(2);
  });

  it.each(openPoints.created)('is not reported beyond the latest 100, with times: %s', async (created) => {
    const core = await openScripted({ created });
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    await core.pass(3 * 3_600_000);
    for (let number = 1; number <= 100; number += 1) {
      const job = createJobOfOtherClient(core, `${number}.mp3`);
      job.createdAt = core.clock.now();
    }
    const before = core.service.callsOf('status').length;
    const { vanished, records, isComplete } = await askForJobs(core);
    expect({ vanished, records: records.length, isComplete }).toEqual({
      vanished: [],
      records: 100,
      isComplete: false,
    });
    expect(core.service.callsOf('status')).toHaveLength(before);
  });

  it('is not reported as long as the service knows it', async () => {
    const core = await openScripted({ list: 'data' });
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    core.service.hidden.add('ours.wav');
    expect(await askForJobs(core)).toMatchObject({ records: [], vanished: [] });
  });

  it('is found as soon as its poll succeeds, after one that failed', async () => {
    const core = await openScripted();
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    await core.pass(5_000);
    core.service.account.loseJobs();
    const injection = core.service.inject({
      endpoint: 'status',
      from: 1,
      times: Infinity,
      fault: { kind: 'wrong shape', tookEffect: false },
    });
    expect((await askForJobs(core)).vanished).toEqual([]);
    injection.remove();
    await core.pass(5_000);
    expect((await askForJobs(core)).vanished).toMatchObject([{ name: 'ours.wav' }]);
  });

  it('is found also behind one whose poll always fails', async () => {
    const core = await openScripted({ list: 'data' });
    for (const name of ['one.wav', 'two.wav']) await core.addFile(name);
    await core.advanceUntil(() => core.longhand.library.counts().total === 2);
    await core.pass(5_000);
    const [one, two] = core.service.account.jobs.values();
    if (one === undefined || two === undefined) throw new Error('two jobs');
    for (const { id } of [one, two]) {
      core.service.hidden.add(id === one.id ? 'one.wav' : 'two.wav');
    }
    const fault = { kind: 'wrong shape', tookEffect: false } as const;
    for (const [broken, lost] of [
      ['one.wav', two],
      ['two.wav', one],
    ] as const) {
      const injection = core.service.inject({
        endpoint: 'status',
        from: 1,
        times: Infinity,
        content: broken,
        fault,
      });
      core.service.account.jobs.delete(lost.id);
      await askForJobs(core);
      await core.pass(5_000);
      expect((await askForJobs(core)).vanished).toMatchObject([{ jobId: lost.id }]);
      jobsAt(core).dismissVanished([lost.id]);
      core.service.account.jobs.set(lost.id, lost);
      injection.remove();
    }
  });

  it('is found also behind many that the list omits but the service has', async () => {
    const core = await openScripted({ list: 'data' });
    const names = Array.from({ length: 24 }, (_, index) => `${index}.wav`);
    for (const name of names) {
      await core.addFile(name);
      core.service.hidden.add(name);
    }
    await core.advanceUntil(() => core.longhand.library.counts().total === names.length);
    const statusRequests = async (): Promise<number> => {
      const before = core.service.callsOf('status').length;
      expect((await askForJobs(core)).vanished).toEqual([]);
      await core.pass(5_000);
      return core.service.callsOf('status').length - before;
    };
    expect([await statusRequests(), await statusRequests(), await statusRequests()]).toEqual([20, 4, 20]);
    const [first] = core.service.account.jobs.values();
    core.service.account.jobs.delete(first?.id ?? '');
    await askForJobs(core);
    await core.pass(5_000);
    expect((await askForJobs(core)).vanished).toMatchObject([{ jobId: first?.id }]);
  });
});

describe('at the start', () => {
  it('the service is asked once, unless it is unavailable', async () => {
    const core = await openScripted();
    await core.advanceUntil(() => core.status().condition.kind === 'ready');
    createJobOfOtherClient(core, 'talk.mp3');
    await core.service.stopListening();
    jobsAt(core).start();
    await core.pass(60 * 60_000);
    await core.service.startListening();
    await core.pass(60 * 60_000);
    expect(core.service.calls).toEqual([]);
    await core.reopen();
    jobsAt(core).start();
    await core.pass(60 * 60_000);
    expect(core.service.callsOf('list')).toHaveLength(1);
    expect(jobsAt(core).view().records).toHaveLength(1);
  });

  it('the response for a finished job contains the remaining credits, before anything is sent', async () => {
    const core = await openScripted();
    await core.advanceUntil(() => core.status().condition.kind === 'ready');
    createJobOfOtherClient(core, 'at work.mp3', 'processing');
    jobsAt(core).start();
    await core.pass(60_000);
    expect(core.status().balanceCredits).toBeNull();
    createJobOfOtherClient(core, 'talk.mp3');
    jobsAt(core).start();
    await core.pass(60_000);
    expect(core.status().balanceCredits).toBe(core.service.account.balance);
    jobsAt(core).start();
    await core.pass(60_000);
    expect(core.service.callsOf('status')).toHaveLength(1);
    expect(core.service.callsOf('create')).toEqual([]);
  });

  it('every account with our jobs is asked in turn, and all vanished jobs are reported', async () => {
    const { core, other } = await openWithOtherAccount();
    other.account.loseJobs();
    await core.reopen();
    await core.advanceUntil(() => core.status().condition.kind === 'ready');
    core.service.answerAfterMs = 4_000;
    const before = other.callsOf('list').length;
    core.longhand.jobs.start(core.service.baseUrl);
    await core.pass(3_000);
    expect(core.service.callsOf('list')).toHaveLength(1);
    expect(other.callsOf('list')).toHaveLength(before);
    await core.pass(60_000);
    expect(other.callsOf('list')).toHaveLength(before + 1);
    const vanished = core.longhand.jobs.views().flatMap((view) => view.vanished);
    expect(vanished).toMatchObject([{ name: 'there.wav', relation: { kind: 'in-library' } }]);
    core.longhand.jobs.dismissVanished(vanished.map(({ jobId }) => jobId));
    expect(core.longhand.jobs.views().flatMap((view) => view.vanished)).toEqual([]);
    expect(core.longhand.jobs.of(other.baseUrl).view().vanished).toEqual([]);
  });

  it('an unavailable account does not block the others', async () => {
    const { core, other } = await openWithOtherAccount();
    await core.service.stopListening();
    core.longhand.jobs.start(core.service.baseUrl);
    core.longhand.jobs.start('https://no-key.example');
    await core.pass(60_000);
    expect(core.longhand.jobs.of(other.baseUrl).view().fetchedAt).not.toBeNull();
    await core.service.startListening();
  });

  it('after a data loss it is asked until it responds, and missing transcripts can be imported', async () => {
    const core = await openScripted();
    await core.addFile('ours.wav');
    await core.advanceUntil(core.isSettled);
    await core.reopen({
      meanwhile: async (folder) => {
        await rm(join(folder, 'backups'), { recursive: true });
        await rm(join(folder, 'longhand.db-wal'), { force: true });
        await writeFile(join(folder, 'longhand.db'), 'this is not a database'.repeat(500));
      },
    });
    expect(core.longhand.startProblems).toMatchObject([{ code: 'database_begun_anew' }]);
    await core.advanceUntil(() => core.status().condition.kind === 'ready');
    await core.service.stopListening();
    jobsAt(core).start();
    await core.pass(30 * 60_000);
    await core.service.startListening();
    expect(await core.advanceUntil(() => jobsAt(core).view().fetchedAt !== null)).toBe(true);
    const view = jobsAt(core).view();
    expect(view).toMatchObject({ recoveredFromBackup: true, records: [{ relation: { kind: 'finished' } }] });
    const jobIds = view.records.map(({ jobId }) => jobId);
    // It was asked for the balance, so its next check comes later.
    await Promise.all([jobsAt(core).import(jobIds, defaultTaskOptions), core.pass(60_000)]);
    expect((await savedTranscripts(core.longhand)).rows).toMatchObject([{ name: 'ours.wav' }]);
    expect([...core.service.account.jobs.values()].map(({ charged }) => charged)).toEqual([2]);
  });
});
