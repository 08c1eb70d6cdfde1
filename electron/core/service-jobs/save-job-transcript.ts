import type { ServiceAddress } from '../../contract/service.ts';
import type { Job, JobTranscript } from '../api/answers.ts';
import type { WireRecord } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import type { Store } from '../store/store.ts';

export interface JobTranscriptImport {
  readonly service: ServiceAddress;
  readonly jobId: string;
  readonly job: Job;
  readonly transcript: JobTranscript;
  /** The job's record as it was just told, and as the list had it. */
  readonly record: WireRecord | null;
  readonly listed: WireRecord | null;
  readonly now: number;
}

/**
 * Saves the transcript of a job that no item of the queue asked for, with the name, language and length that the
 * service tells. The same job is saved once. @throws the database's error when it cannot be stored.
 */
export function saveJobTranscript(store: Store, recorded: JobTranscriptImport): void {
  const { service, jobId, job, transcript, record, listed, now } = recorded;
  const createdAt = record?.createdAt ?? listed?.createdAt ?? null;
  store.transaction(() => {
    store.transcripts.save({
      itemId: null,
      service,
      jobId,
      name: nameOf(record?.fileName ?? listed?.fileName ?? jobId),
      durationSeconds: job.durationSeconds ?? listed?.durationSeconds ?? null,
      transcript,
      recording: null,
      // A clock that goes ahead would keep the transcript before all later ones.
      createdAt: Math.min(now, createdAt ?? now),
    });
    if (createdAt !== null) store.serviceJobs.setRequestedAt(service, jobId, createdAt);
  });
}

const maxNameLength = 255;

/** A name that is one line of text, whatever the service sends. */
function nameOf(told: string): string {
  const line = recordingName(told)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return line.slice(0, maxNameLength);
}
