import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import { activeJobsOf } from '../support/scripted-service/scripted-service.ts';
import type { AlteredResponse, ScriptedFault } from '../support/scripted-service/faults.ts';
import type { ScriptedResponse } from '../support/scripted-service/shape.ts';

const refusal = (status: number, code: string): ScriptedFault => ({
  kind: 'refusal',
  status,
  code,
  tookEffect: false,
});
const lost: ScriptedFault = { kind: 'reset', tookEffect: true };
const refusals = [refusal(402, 'insufficient_credits'), refusal(429, 'active_job_limit')];
const allRefusals = [...refusals, refusal(401, 'invalid_api_key'), refusal(429, 'rate_limited')];

/** Replaces a field of the upload session. */
const withSession =
  (field: string, value: unknown) =>
  (response: ScriptedResponse): ScriptedResponse => ({
    ...response,
    body: JSON.parse(JSON.stringify(response.body), (key, old: unknown) =>
      key === field ? value : old,
    ) as unknown,
  });

const create = (fault: ScriptedFault | AlteredResponse, from: number, times: number) =>
  ({ endpoint: 'create', from, times, fault }) as const;

async function expectCancelled(core: ScriptedCore): Promise<void> {
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
  expect(core.row().state.kind).toBe('cancelled');
  expect(activeJobsOf(core.service)).toEqual([]);
  expect(core.service.account.balance).toBe(1_000);
}

describe('a create request that is cancelled', () => {
  it.each(refusals)('without a response is repeated until its outcome is known: $code', async (fault) => {
    const core = await openScripted();
    core.service.inject(create(lost, 1, 1));
    const refusing = core.service.inject(create(fault, 2, Infinity));
    await core.addFile('talk.wav');
    await core.advanceUntil(() => core.service.account.jobs.size > 0 && core.row().attempts > 0);
    core.longhand.queue.cancel([core.row().id]);
    await core.advanceUntil(() => refusing.affectedCount >= 8);
    expect(core.row().state.kind).toBe('cancelling');
    refusing.remove();
    await expectCancelled(core);
    expect([...core.service.account.jobs.values()].map(({ status }) => status)).toEqual(['deleted']);
  });

  it.each(allRefusals)('and was always refused ends at once: $code', async (fault) => {
    const core = await openScripted();
    const refusing = core.service.inject(create(fault, 1, Infinity));
    await core.addFile('talk.wav');
    await core.advanceUntil(() => refusing.affectedCount > 0 && core.status().condition.kind !== 'starting');
    core.longhand.queue.cancel([core.row().id]);
    expect(core.row().state.kind).toBe('cancelled');
    await expectCancelled(core);
    expect(core.service.account.jobs.size).toBe(0);
  });

  it.each([
    ['part_count', 7],
    ['part_count', 1_000_000],
    ['part_url', 'http://['],
    ['part_url', 'https://elsewhere.example/upload'],
  ])('and gets a job with an unusable upload session (%s %s) deletes the job', async (field, value) => {
    const core = await openScripted();
    const altered = { kind: 'altered', alter: withSession(field, value), tookEffect: true } as const;
    core.service.inject(create(altered, 1, Infinity));
    await core.addFile('talk.wav');
    await core.advanceUntil(() => core.service.account.jobs.size > 0);
    core.longhand.queue.cancel([core.row().id]);
    await expectCancelled(core);
    expect([...core.service.account.jobs.values()].map(({ status }) => status)).toEqual(['deleted']);
  });

  it('and was refused, then repeated as the core closed, is repeated until its outcome is known', async () => {
    const core = await openScripted();
    const refusing = core.service.inject(create(refusal(402, 'insufficient_credits'), 1, 1));
    await core.addFile('talk.wav');
    await core.advanceUntil(() => refusing.affectedCount > 0);
    const secondFault = core.service.inject(create(lost, 2, 1));
    core.longhand.tryAgain(core.service.baseUrl);
    const reached = core.advanceUntil(() => secondFault.affectedCount > 0);
    await Promise.race([secondFault.first, reached]);
    await core.reopen();
    await reached;
    core.service.inject(create(refusal(402, 'insufficient_credits'), 3, 2));
    core.longhand.queue.cancel([core.row().id]);
    await expectCancelled(core);
    expect(core.service.account.jobs.size).toBe(1);
  });
});

describe('a job that comes back without its upload session', () => {
  it.each(['processing', 'queued', 'a state of tomorrow', 'completed'])(
    'and is %s is followed, not deleted',
    async (status) => {
      const core = await openScripted({ replay: 'without upload' });
      // The first response is lost and the job was uploaded meanwhile, for example after a restore from an older
      // backup.
      core.service.inject(create(lost, 1, 1));
      await core.addFile('talk.wav');
      await core.advanceUntil(() => core.service.account.jobs.size > 0);
      const [job] = core.service.account.jobs.values();
      if (job === undefined) throw new Error('no job');
      core.service.account.start(job);
      job.status = status;
      job.nextStatuses = status === 'completed' ? [] : ['completed'];
      await core.advanceUntil(core.isSettled);
      expect(core.row().state.kind).toBe('done');
      expect(core.service.callsOf('delete')).toEqual([]);
      expect([...core.service.account.jobs.values()].map(({ charged }) => charged)).toEqual([2]);
    },
  );
});

describe('a queue restored from a backup', () => {
  it.each(['with upload', 'without upload'] as const)(
    'finds the job that it does not know, %s, and is charged once',
    async (replay) => {
      const core = await openScripted({ replay });
      core.longhand.queue.setPaused(true);
      await core.addFile('talk.wav');
      let backup = Buffer.alloc(0);
      await core.reopen({
        meanwhile: async (folder) => {
          backup = await readFile(join(folder, 'longhand.db'));
        },
      });
      core.longhand.queue.setPaused(false);
      core.service.account.holdsJobs = true;
      await core.advanceUntil(() => core.row().state.kind === 'transcribing');
      await core.reopen({ meanwhile: (folder) => writeFile(join(folder, 'longhand.db'), backup) });
      core.longhand.queue.setPaused(false);
      core.service.account.holdsJobs = false;
      await core.advanceUntil(core.isSettled);
      expect(core.row().state.kind).toBe('done');
      const jobs = [...core.service.account.jobs.values()];
      expect(jobs.map(({ status, charged }) => [status, charged])).toEqual([['completed', 2]]);
    },
  );
});
