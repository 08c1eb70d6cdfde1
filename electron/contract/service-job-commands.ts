import { z } from 'zod';
import { jobIds, noInput, service, task, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import type { Rejection } from './rejection.ts';
import type { JobStatus } from './job-status.ts';
import type { ServiceAddress } from './service.ts';

/** The maximum number of days that the service keeps audio (API part 1.7). */
export const audioKeptDays = 60;
/** The number of days in its history, and so in its list of jobs (API part 1.7). */
export const historyDays = 30;

/** How a job of the service relates to the library and the queue. */
export type JobRelation =
  /** Its transcript is in the library, or in its trash. */
  | { readonly kind: 'in-library'; readonly transcriptId: TranscriptId; readonly trashed: boolean }
  /** It belongs to an item of the queue. */
  | { readonly kind: 'queued'; readonly itemId: ItemId }
  /** It is finished, and its transcript is not in the library. */
  | { readonly kind: 'finished' }
  /** The service is processing it, and nothing here waits for it. */
  | { readonly kind: 'active' }
  /** It ended without a transcript. */
  | { readonly kind: 'failed' }
  /** Unknown: the list does not contain its status. */
  | { readonly kind: 'unknown' };

/** A job of the service's list (API part 4.5); missing values are `null`. */
export interface JobRecord {
  readonly jobId: string;
  /** The file's name. */
  readonly name: string | null;
  readonly relation: JobRelation;
  readonly status: JobStatus | null;
  /** In percent. */
  readonly progress: number | null;
  readonly durationSeconds: number | null;
  readonly creditsCharged: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
  /** The latest time at which the service deletes its audio, Unix milliseconds; `null` if unknown. */
  readonly audioUntil: number | null;
  /** Whether its transcript is fetched once it is finished. */
  readonly followed: boolean;
}

/** A job of ours that the service no longer has, although it was not deleted here. */
export interface VanishedJob {
  readonly jobId: string;
  readonly name: string;
  /** Its saved transcript, or its item in the queue. */
  readonly relation: Extract<JobRelation, { readonly kind: 'in-library' | 'queued' }>;
}

/** The jobs that a service holds, as last listed, and how they relate to the library and the queue. */
export interface JobsView {
  readonly service: ServiceAddress;
  /** When the list was last fetched, Unix milliseconds; `null`: not since the start. */
  readonly fetchedAt: number | null;
  /** In the service's own order. */
  readonly records: readonly JobRecord[];
  /** Whether these are all jobs; otherwise they are the latest 100. */
  readonly isComplete: boolean;
  /** Jobs that vanished, until the user has acknowledged them. */
  readonly vanished: readonly VanishedJob[];
  /** Whether the queue was restored from a backup or recreated, so that it may lack jobs. */
  readonly recoveredFromBackup: boolean;
}

/** The outcome of a command for several jobs. */
export interface JobsReport {
  readonly done: number;
  /** The jobs for which the command failed, and why. */
  readonly failed: readonly Rejection[];
  /** How many were not started because of a cancellation; `null` if it was not cancelled. */
  readonly notStarted: number | null;
}

/** Commands about the jobs of a service. None of them costs credits. */
export const jobCommands = {
  /** Returns the list of each service as last fetched, without services that were not asked since the start. */
  'jobs.view': command({ input: noInput, result: result<readonly JobsView[]>() }),
  /** Fetches the list of a service. */
  'jobs.refresh': command({ input: z.strictObject({ service }), result: result<readonly JobsView[]>() }),
  /** Imports the transcripts of finished jobs into the library. */
  'jobs.import': command({ input: z.strictObject({ service, jobIds, task }), result: result<JobsReport>() }),
  /** Follows active jobs, so that their transcripts are imported automatically, or stops that. */
  'jobs.follow': command({
    input: z.strictObject({ service, jobIds, followed: z.boolean() }),
    result: result<readonly JobsView[]>(),
  }),
  /** Cancels active jobs and deletes finished ones at the service (API part 4.6). Local transcripts stay. */
  'jobs.delete': command({ input: z.strictObject({ service, jobIds }), result: result<JobsReport>() }),
  /** Acknowledges that these jobs vanished, at any service. */
  'jobs.dismissVanished': command({
    input: z.strictObject({ jobIds }),
    result: result<readonly JobsView[]>(),
  }),
} as const;
