import { expect, onTestFinished } from 'vitest';
import type { JobsView } from '../../../electron/contract/service-job-commands.ts';
import type { ServiceJobs } from '../../../electron/core/service-jobs/service-jobs.ts';
import { ScriptedCore } from './scripted-core.ts';
import type { ScriptedJob } from './jobs.ts';
import type { Shape } from './shape.ts';

/**
 * Opens a core with a scripted service that checks its rules until the test is over.
 *
 * @param now when the clock starts, Unix milliseconds.
 */
export async function openScripted(shape: Partial<Shape> = {}, now?: number): Promise<ScriptedCore> {
  const core = await ScriptedCore.start({ shape }, now);
  onTestFinished(async () => {
    await core.close();
    for (const service of [core.service, ...core.others]) expect(service.violations).toEqual([]);
  });
  return core;
}

export const jobsAt = (core: ScriptedCore): ServiceJobs => core.longhand.jobs.of(core.service.baseUrl);

/** Requests the jobs of the service, once it can be reached. */
export async function askForJobs(core: ScriptedCore): Promise<JobsView> {
  await core.advanceUntil(() => core.status().condition.kind === 'ready');
  return jobsAt(core).refresh();
}

/** Creates a job that another client has requested. */
export function createJobOfOtherClient(core: ScriptedCore, name: string, status = 'completed'): ScriptedJob {
  const { account } = core.service;
  const job = account.create(`another-${name}`, '{}', { content: name, fileSize: null });
  if (status !== 'processing') job.nextStatuses = [];
  job.status = status;
  return job;
}
