import { billedMinutes, shownBalance } from '../billing.ts';
import type { Job, JobTranscript } from '../jobs/job.ts';
import type { ServiceContext } from './server-types.ts';
import type { JobEnvelope, WireJob } from './wire.ts';

type Sources = Pick<ServiceContext, 'store' | 'account' | 'processor'>;

/** A job as the API shows it (API part 2.1), without its transcript. */
export function toWireJob({ processor }: Sources, job: Job): WireJob {
  const { durationSeconds } = job;
  return {
    id: job.id,
    status: job.status,
    progress: processor.progressOf(job),
    file_name: job.fileName,
    source_kind: job.sourceKind,
    duration_seconds: durationSeconds,
    billed_minutes: durationSeconds === null ? null : billedMinutes(durationSeconds),
    credits_charged: job.creditsCharged,
    error: job.error,
    created_at: new Date(job.createdAt).toISOString(),
  };
}

/** A job in its envelope, with its transcript once there is one. */
export function toEnvelope(sources: Sources, job: Job): JobEnvelope {
  const transcript = sources.store.transcript(job.id);
  return {
    data: {
      ...toWireJob(sources, job),
      ...(transcript !== null && { transcript: toWireTranscript(transcript) }),
    },
    meta: toMeta(sources),
  };
}

/** What goes with every job: the account's remaining credits. */
export function toMeta({ account }: Pick<Sources, 'account'>): JobEnvelope['meta'] {
  return { balance_credits: shownBalance(account.balance()) };
}

function toWireTranscript({ text, segments, language }: JobTranscript): WireJob['transcript'] {
  return { text, segments: [...segments], language };
}
