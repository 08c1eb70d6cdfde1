import type { JobResults } from '../../contract/commands/jobs.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** Commands about what the service in use holds. */
export function jobHandlers({ longhand, settings }: CommandOptions): Handlers<keyof JobResults> {
  const jobs = () => longhand.jobs.of(settings.get().service ?? 'on-device');
  return {
    'jobs.view': () => jobs().view(),
    'jobs.ask': () => jobs().ask(),
    'jobs.import': ({ jobIds }) => jobs().import(jobIds),
    'jobs.follow': ({ jobIds, followed }) => jobs().follow(jobIds, followed),
    'jobs.letGo': ({ jobIds }) => jobs().letGo(jobIds),
    'jobs.noted': ({ jobIds }) => jobs().noted(jobIds),
  };
}
