import type { JobResults } from '../../contract/commands/jobs.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** Commands about what the service in use holds. */
export function jobHandlers({ longhand, settings }: CommandOptions): Handlers<keyof JobResults> {
  const service = () => settings.get().service ?? 'on-device';
  const jobs = () => longhand.jobs.of(service());
  const view = () => longhand.jobs.view(service());
  return {
    'jobs.view': view,
    'jobs.ask': async () => {
      await jobs().ask();
      return view();
    },
    'jobs.import': ({ jobIds }) => jobs().import(jobIds),
    'jobs.follow': ({ jobIds, followed }) => {
      jobs().follow(jobIds, followed);
      return view();
    },
    'jobs.letGo': ({ jobIds }) => jobs().letGo(jobIds),
    'jobs.noted': ({ jobIds }) => {
      longhand.jobs.noted(jobIds);
      return view();
    },
  };
}
