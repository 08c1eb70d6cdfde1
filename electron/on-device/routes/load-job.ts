import type { JobStore } from '../jobs/job-store.ts';
import type { Job, JobSource } from '../jobs/job.ts';
import { ServiceError } from '../service-error.ts';

/** @throws ServiceError `not_found` when there is no such job. */
export function loadJob(store: JobStore, id: string): Job {
  const job = store.get(id);
  if (job === null) throw new ServiceError('not_found', 'There is no such job.');
  return job;
}

/** A job whose upload session is open. */
export interface UploadingJob extends Job {
  readonly source: JobSource & { readonly kind: 'file' };
}

/**
 * Makes sure that a job waits for parts.
 *
 * @throws ServiceError `upload_session_missing`, `upload_expired` or `invalid_status`.
 */
export function assertUploading(job: Job): asserts job is UploadingJob {
  if (job.source.kind === 'link') {
    throw new ServiceError('upload_session_missing', 'The service fetches this job’s file by itself.');
  }
  if (job.error?.code === 'upload_expired') {
    throw new ServiceError('upload_expired', 'The time for this upload is over.');
  }
  if (job.status !== 'accepted' && job.status !== 'uploading') {
    throw new ServiceError('invalid_status', `The job is ${job.status}; it does not wait for parts.`);
  }
}
