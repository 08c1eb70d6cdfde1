import type { jobCommands } from '../../contract/service-job-commands.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** The options of tasks that take only a moment: no progress, and they cannot be cancelled. */
const unwatched: TaskOptions = { signal: new AbortController().signal, onProgress: () => undefined };

/** Commands about the jobs of the service in use. */
export function serviceJobHandlers({
  longhand,
  settings,
  tasks,
}: CommandOptions): Handlers<typeof jobCommands> {
  const service = () => settings.get().service ?? 'on-device';
  const jobs = () => longhand.jobs.of(service());
  const view = () => longhand.jobs.view(service());
  return {
    'jobs.view': view,
    'jobs.refresh': async () => {
      await jobs().refresh();
      return view();
    },
    'jobs.import': async ({ jobIds, task }) => {
      const report = await tasks.run('import-jobs', task, (options) => jobs().import(jobIds, options));
      return report ?? { done: 0, failed: [], left: jobIds.length };
    },
    'jobs.follow': ({ jobIds, followed }) => {
      jobs().follow(jobIds, followed);
      return view();
    },
    'jobs.delete': ({ jobIds }) => jobs().deleteJobs(jobIds, unwatched),
    'jobs.dismissVanished': ({ jobIds }) => {
      longhand.jobs.dismissVanished(jobIds);
      return view();
    },
  };
}
