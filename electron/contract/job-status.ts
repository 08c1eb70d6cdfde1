/** The states of a service's job in order (API part 3). */
export const jobStatuses = [
  'accepted',
  'uploading',
  'inspecting',
  'preprocessing',
  'queued',
  'processing',
  'merging',
  'completed',
  'failed',
  'deleted',
] as const;
export type KnownJobStatus = (typeof jobStatuses)[number];

/** The state of a job as a service reports it. Unknown states, which the API may add later, are kept unchanged. */
export type JobStatus = KnownJobStatus | (string & {});

export function isKnownStatus(status: JobStatus): status is KnownJobStatus {
  return jobStatuses.some((known) => known === status);
}

/** The states that only a deletion can follow (API part 3). */
export const finalJobStatuses = ['completed', 'failed', 'deleted'] as const satisfies readonly JobStatus[];

/** Whether only a deletion can follow; all other jobs count towards the limit of active jobs (API part 3). */
export function isFinalStatus(status: JobStatus): boolean {
  return finalJobStatuses.some((final) => final === status);
}
