import { creditsFor } from '../../contract/pricing.ts';
import type { FastifyRequest } from 'fastify';
import type { Segment } from '../../contract/segment-schema.ts';
import { wordsOf } from '../../core/transcript/word-times.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { reportedBalance } from '../billing.ts';
import type { JobEnvelope, WireJob, WireSegment } from '../http/api-schemas.ts';
import type { CreditAccount } from '../jobs/account.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ServiceJob, ServiceJobTranscript } from '../jobs/job.ts';
import type { PartStore } from '../jobs/part-store.ts';
import type { PartialTranscripts } from '../jobs/partial-transcripts.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { PartWriter } from '../media/part-writer.ts';
import type { Availability } from '../processing/availability.ts';
import type { Processor } from '../processing/processor.ts';
import type { RemoteHosts } from '../remote/remote-hosts.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceLimits } from '../service-options.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';

/** The dependencies of the routes. */
export interface ServiceContext {
  readonly store: JobStore;
  readonly account: CreditAccount;
  readonly parts: PartStore;
  readonly partialTranscripts: PartialTranscripts;
  readonly files: MediaFiles;
  readonly partWriter: PartWriter;
  readonly processor: Processor;
  readonly availability: Availability;
  readonly remoteHosts: RemoteHosts;
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Returns the service's origin as the client addressed it, since upload addresses must have that origin (API part 2.3). */
function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

/** Path of all jobs (API part 4). */
export const jobsPath = '/api/v1/transcriptions';

/** Returns the status address of a job (API part 4.1, `Location`). */
export function jobUrl(request: FastifyRequest, jobId: string): string {
  return `${originOf(request)}${jobsPath}/${jobId}`;
}

/** @throws ServiceError `not_found` when there is no such job. */
export function loadJob(store: JobStore, id: string): ServiceJob {
  const job = store.get(id);
  if (job === null) throw new ServiceError('not_found', 'There is no such job.');
  return job;
}

type JobContext = Pick<ServiceContext, 'store' | 'account' | 'processor'>;

/** Returns a field with seconds, if they are at least a millisecond; more than `max` comes from corrupt timestamps. */
function secondsField(
  name: 'unreadable_seconds' | 'omitted_seconds',
  seconds: number | undefined,
  max: number | null,
): Partial<WireJob> {
  const rounded = roundToMilliseconds(seconds ?? 0);
  return rounded > 0 && rounded <= (max ?? Infinity) ? { [name]: rounded } : {};
}

/** Converts a job to its wire format (API part 2.1), without its transcript. */
export function toWireJob({ processor }: JobContext, job: ServiceJob): WireJob {
  const { durationSeconds, damage } = job;
  return {
    id: job.id,
    status: job.status,
    progress: processor.progressOf(job),
    file_name: job.fileName,
    source_kind: job.sourceKind,
    duration_seconds: durationSeconds,
    ...secondsField('unreadable_seconds', damage?.unreadableSeconds, durationSeconds),
    ...secondsField('omitted_seconds', damage?.omittedSeconds, Infinity),
    billed_minutes: durationSeconds === null ? null : creditsFor(durationSeconds),
    credits_charged: job.creditsCharged,
    error: job.error,
    created_at: new Date(job.createdAt).toISOString(),
  };
}

/**
 * Wraps a job in its envelope, with its transcript if it exists.
 *
 * @param withWords whether segments have their words
 */
export function toEnvelope(context: JobContext, job: ServiceJob, withWords = job.withWords): JobEnvelope {
  const transcript = context.store.transcript(job.id);
  return {
    data: {
      ...toWireJob(context, job),
      ...(transcript !== null && { transcript: toWireTranscript(transcript, withWords) }),
    },
    meta: toMeta(context),
  };
}

/** Returns the `meta` of a response: the account's remaining credits. */
export function toMeta({ account }: Pick<JobContext, 'account'>): JobEnvelope['meta'] {
  return { balance_credits: reportedBalance(account.balance()) };
}

function toWireTranscript(
  { text, segments, language }: ServiceJobTranscript,
  withWords: boolean,
): WireJob['transcript'] {
  return { text, segments: segments.map((segment) => toWireSegment(segment, withWords)), language };
}

/** Converts a segment to its wire format (API part 2.2): its words have a field of their own there. */
export function toWireSegment(segment: Segment, withWords: boolean): WireSegment {
  const { extras, ...rest } = segment;
  const { words: _packed, ...others } = extras ?? {};
  const words = withWords ? wordsOf(segment) : null;
  return {
    ...rest,
    ...(Object.keys(others).length > 0 && { extras: others }),
    ...(words !== null && {
      words: words.map(({ from, to, start, end, probability }) => ({
        text: rest.text.slice(from, to),
        start,
        end,
        ...(probability !== null && { probability }),
      })),
    }),
  };
}
