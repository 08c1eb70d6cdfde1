import type { jobCommands } from '../../contract/service-job-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import type { ServiceJobs } from '../../core/service-jobs/service-jobs.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';

/** The options of tasks that take only a moment: no progress, and they cannot be cancelled. */
const quickTaskOptions: TaskOptions = { signal: new AbortController().signal, onProgress: () => undefined };

/** Returns the handlers of commands about the jobs of the services. */
export function serviceJobHandlers(context: HandlerContext): Handlers<typeof jobCommands> {
  const { longhand, tasks } = context;
  const views = () => longhand.jobs.views();
  const jobsOf = (service: ServiceAddress): ServiceJobs => {
    assertKnownService(context, service);
    return longhand.jobs.of(service);
  };
  return {
    'jobs.view': views,
    'jobs.refresh': async ({ service }) => {
      await jobsOf(service).refresh();
      return views();
    },
    'jobs.import': async ({ service, jobIds, task }) => {
      const jobs = jobsOf(service);
      const report = await tasks.run('import-jobs', task, (run) => jobs.import(jobIds, run));
      return report ?? { done: 0, failed: [], notStarted: jobIds.length };
    },
    'jobs.follow': ({ service, jobIds, followed }) => {
      jobsOf(service).follow(jobIds, followed);
      return views();
    },
    'jobs.delete': ({ service, jobIds }) => jobsOf(service).deleteJobs(jobIds, quickTaskOptions),
    'jobs.dismissVanished': ({ jobIds }) => {
      longhand.jobs.dismissVanished(jobIds);
      return views();
    },
  };
}
