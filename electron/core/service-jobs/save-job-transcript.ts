import type { ServiceAddress } from '../../contract/service.ts';
import type { Job, JobTranscript } from '../api/service-results.ts';
import type { WireRecord } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import { runSteps } from '../library/task/yielding.ts';
import type { Clock } from '../ports.ts';
import { oneLine } from '../transcript/plain-text.ts';
import type { Store } from '../store/store.ts';
import { Yielder } from '../yielder.ts';
import { intactSeconds } from '../item/shortfall.ts';

export interface JobTranscriptImport {
  readonly service: ServiceAddress;
  readonly jobId: string;
  readonly job: Job;
  readonly transcript: JobTranscript;
  /** The job's record in its latest response, and in the list. */
  readonly record: WireRecord | null;
  readonly listed: WireRecord | null;
  readonly now: number;
}

/**
 * Saves the transcript of a job that no item of the queue created, with the name, language and duration that the
 * service reports. Each job is saved once. A long transcript is saved in several steps.
 *
 * @throws the database's error when it cannot be stored, or the signal's reason
 */
export async function saveJobTranscript(
  store: Store,
  jobImport: JobTranscriptImport,
  clock: Clock,
  signal = new AbortController().signal,
): Promise<void> {
  const { service, jobId, job, transcript, record, listed, now } = jobImport;
  const createdAt = record?.createdAt ?? listed?.createdAt ?? null;
  const steps = store.transcripts.saveStaged({
    itemId: null,
    service,
    jobId,
    name: nameOf(record?.fileName ?? listed?.fileName ?? jobId),
    durationSeconds: job.durationSeconds ?? listed?.durationSeconds ?? null,
    statedSeconds: intactSeconds(null, job),
    unreadableSeconds: job.unreadableSeconds ?? null,
    transcript,
    recording: null,
    // A service clock that is ahead would sort the transcript before all later ones.
    createdAt: Math.min(now, createdAt ?? now),
  });
  const saved = await runSteps(steps, new Yielder(clock), signal);
  if (saved === null) signal.throwIfAborted();
  if (createdAt !== null) store.serviceJobs.setRequestedAt(service, jobId, createdAt);
}

const maxNameLength = 255;

/** Returns the name of a transcript: a single line, whatever the service sends. */
const nameOf = (fileName: string): string => oneLine(recordingName(fileName)).slice(0, maxNameLength);
