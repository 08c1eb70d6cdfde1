import { z } from 'zod';
import { jobIds, nothing, task, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import type { Rejection } from './rejection.ts';
import type { JobStatus } from './job-status.ts';
import type { ServiceAddress } from './service.ts';

/** Audio is kept by the service for so many days at most (API part 1.7). */
export const audioKeptDays = 60;
/** Its history, and so its list of jobs, reaches back so many days (API part 1.7). */
export const historyDays = 30;

/** What a job of the service is to us. */
export type JobStanding =
  /** Its transcript is in the library. */
  | { readonly kind: 'here'; readonly transcriptId: TranscriptId; readonly trashed: boolean }
  /** The queue is at it. */
  | { readonly kind: 'queued'; readonly itemId: ItemId }
  /** It is finished, and its transcript is not here. */
  | { readonly kind: 'finished' }
  /** The service works on it, and nothing here waits for it. */
  | { readonly kind: 'active' }
  /** It ended without a transcript. */
  | { readonly kind: 'ended' }
  /** The list does not say how it stands. */
  | { readonly kind: 'untold' };

/** A job as the service's list tells it (API part 4.5); what the list leaves out is `null`. */
export interface JobRecord {
  readonly jobId: string;
  /** The file's name. */
  readonly name: string | null;
  readonly standing: JobStanding;
  readonly status: JobStatus | null;
  /** 0 to 100. */
  readonly progress: number | null;
  readonly durationSeconds: number | null;
  readonly creditsCharged: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
  /** Until when the service keeps its audio at most, Unix milliseconds; `null` when that is not known. */
  readonly audioUntil: number | null;
  /** Its transcript is fetched as soon as there is one. */
  readonly followed: boolean;
}

/** A job of ours that the service no longer has, though nobody here let go of it. */
export interface VanishedJob {
  readonly jobId: string;
  readonly name: string;
  /** Where it is here: its saved transcript, or its item of the queue. */
  readonly standing: Extract<JobStanding, { readonly kind: 'here' | 'queued' }>;
}

/** What a service holds, as it last told, beside what is here. */
export interface JobsView {
  readonly service: ServiceAddress;
  /** When it was last asked, Unix milliseconds; `null`: not yet in this run. */
  readonly fetchedAt: number | null;
  /** In the service's own order. */
  readonly records: readonly JobRecord[];
  /** Whether that is all of its history; otherwise the latest 100 jobs. */
  readonly isComplete: boolean;
  /** Jobs that vanished, until the user has read of them. */
  readonly vanished: readonly VanishedJob[];
  /** Whether the queue was opened from a backup or begun anew, so that jobs may be unknown here. */
  readonly recoveredFromBackup: boolean;
}

/** What came of something that was wanted of several jobs. */
export interface JobsReport {
  readonly done: number;
  /** Those for which it could not be done, with the reasons. */
  readonly failed: readonly Rejection[];
  /** How many were not begun, because it was called off; `null`: it was not. */
  readonly left: number | null;
}

/** Commands about what the service in use holds. None of them costs credits. */
export const jobCommands = {
  /** What the service last told; it is not asked. */
  'jobs.view': command({ input: nothing, result: result<JobsView>() }),
  /** Asks the service anew. */
  'jobs.ask': command({ input: nothing, result: result<JobsView>() }),
  /** Brings the transcripts of finished jobs into the library. */
  'jobs.import': command({ input: z.strictObject({ jobIds, task }), result: result<JobsReport>() }),
  /** Follows active jobs, so that their transcripts come by themselves, or leaves them alone again. */
  'jobs.follow': command({
    input: z.strictObject({ jobIds, followed: z.boolean() }),
    result: result<JobsView>(),
  }),
  /** Cancels active jobs and deletes finished ones at the service (API part 4.6). Transcripts that are here stay. */
  'jobs.letGo': command({ input: z.strictObject({ jobIds }), result: result<JobsReport>() }),
  /** The user has read that these jobs vanished. */
  'jobs.noted': command({ input: z.strictObject({ jobIds }), result: result<JobsView>() }),
} as const;
