import { z } from 'zod';
import type { JobsReport, JobsView } from '../service-jobs.ts';
import { jobIds, nothing, task } from './inputs.ts';

/** Commands about what the service in use holds. None of them costs credits. */
export const jobCommands = {
  'jobs.view': nothing,
  'jobs.ask': nothing,
  'jobs.import': z.strictObject({ jobIds, task }),
  'jobs.follow': z.strictObject({ jobIds, followed: z.boolean() }),
  'jobs.letGo': z.strictObject({ jobIds }),
  'jobs.noted': z.strictObject({ jobIds }),
} as const;

export interface JobResults {
  /** What the service last told; it is not asked. */
  'jobs.view': JobsView;
  /** Asks the service anew. */
  'jobs.ask': JobsView;
  /** Brings the transcripts of finished jobs into the library. */
  'jobs.import': JobsReport;
  /** Follows active jobs, so that their transcripts come by themselves, or leaves them alone again. */
  'jobs.follow': JobsView;
  /** Cancels active jobs and deletes finished ones at the service (API part 4.6). Transcripts that are here stay. */
  'jobs.letGo': JobsReport;
  /** The user has read that these jobs vanished. */
  'jobs.noted': JobsView;
}
