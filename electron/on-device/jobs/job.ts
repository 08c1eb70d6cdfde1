import type { KnownJobStatus } from '../../contract/job-status.ts';
import type { SpeechOptions } from '../../contract/options.ts';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import type { RecordingDamage } from '../../contract/decoder-protocol.ts';

/** The kind of media, which decides whether it is kept afterwards (API part 1.7). */
export type SourceKind = 'audio' | 'video';

/** The numbered parts of a file that is being sent (API part 2.3). */
export interface UploadPlan {
  readonly partSize: number;
  readonly partCount: number;
  /** Unix milliseconds; extended by each part that arrives. */
  readonly expiresAt: number;
}

/** Where the media comes from (API part 1.3). */
export type JobSource =
  | { readonly kind: 'file'; readonly sizeBytes: number; readonly upload: UploadPlan }
  | { readonly kind: 'link'; readonly url: string };

/** Why a job failed; the same shape as the error of a response. */
export interface ServiceJobError {
  readonly code: ApiErrorCode;
  readonly message: string;
}

/** The service's record of one request to transcribe (API part 2.1), without its transcript. */
export interface ServiceJob {
  readonly id: string;
  readonly status: KnownJobStatus;
  readonly fileName: string;
  readonly source: JobSource;
  /** Guessed from the file name until the file has been opened. */
  readonly sourceKind: SourceKind;
  readonly options: SpeechOptions;
  /** Whether its transcript is returned with the words of each segment even if the request does not ask for them. */
  readonly withWords: boolean;
  /** `null` until it has been measured. */
  readonly durationSeconds: number | null;
  /** How much of the recording could not be decoded; `null` if it is unknown, or before the job is completed. */
  readonly damage: RecordingDamage | null;
  /** Credits currently charged: 0 before the charge and after a refund. */
  readonly creditsCharged: number;
  readonly error: ServiceJobError | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Two for each crash of the service, and one for each end of the whole program, while it worked on this job only. */
  readonly crashScore: number;
  /** Whether the service ended unexpectedly, since the last checkpoint, while it worked on this job and perhaps another. */
  readonly isSuspect: boolean;
  /** When the job reached a final state, Unix milliseconds. */
  readonly endedAt: number | null;
}

/** The result of a completed job (API part 2.2). */
export interface ServiceJobTranscript {
  /** ISO 639 code of the spoken language; `null` when there was no speech. */
  readonly language: string | null;
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** The values of a job when it is created. */
export interface NewJob {
  readonly id: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly source: JobSource;
  readonly sourceKind: SourceKind;
  readonly options: SpeechOptions;
  readonly withWords: boolean;
}

/** The numbered parts of a file of `sizeBytes` (API part 2.3). */
export function planParts(sizeBytes: number, partSize: number, expiresAt: number): UploadPlan {
  return { partSize, partCount: Math.ceil(sizeBytes / partSize), expiresAt };
}

/** Where part `number` (1-based) begins in the file, and its length in bytes (API part 2.3). */
export function partRange(
  sizeBytes: number,
  plan: UploadPlan,
  number: number,
): { readonly offset: number; readonly length: number } {
  const offset = (number - 1) * plan.partSize;
  return { offset, length: Math.min(plan.partSize, sizeBytes - offset) };
}
