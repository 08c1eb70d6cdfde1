import type { Segment } from '../../contract/segment-schema.ts';
import type { JobStatus } from '../../contract/job-status.ts';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { UploadSession } from '../item/item.ts';

/** The kinds of requests that the queue makes (API part 4). */
export type RequestKind = 'create' | 'part' | 'complete' | 'status' | 'delete';

/** A job as the service reports it (API part 2.1); optional fields are `null` if absent. */
export interface Job {
  readonly status: JobStatus;
  /** In percent. */
  readonly progress: number;
  readonly durationSeconds: number | null;
  /** Seconds of the duration that the service could not read; absent if 0 or not reported. */
  readonly unreadableSeconds?: number;
  /** Seconds of the recording that the duration does not contain; absent if 0 or not reported. */
  readonly omittedSeconds?: number;
  readonly creditsCharged: number | null;
  /** `null` until the job is completed. */
  readonly transcript: JobTranscript | null;
  /** Why it failed. */
  readonly error: JobError | null;
}

/** A job whose partial transcript was requested. */
export interface JobInProgress extends Job {
  /** What is transcribed so far; absent from services without the extensions, and once the job is completed. */
  readonly partial?: PartialTranscript;
}

/** The reason that a service gives for a failed job. */
export interface JobError {
  /** `null` if it is none of the API's codes (part 7). */
  readonly code: ApiErrorCode | null;
  readonly message: string;
}

/** The last segments of the transcript of a job in progress: those from number `from` on. */
export interface PartialTranscript {
  /** The number of the first segment, from 0. */
  readonly from: number;
  /** The last one may still change. */
  readonly segments: readonly Segment[];
  readonly language: string | null;
}

/** A segment with its speaker's name, as the service reports it. */
export interface ServiceSegment extends Segment {
  readonly speaker?: string;
}

/** The transcript of a completed job. */
export interface JobTranscript {
  readonly text: string;
  readonly segments: readonly ServiceSegment[];
  readonly language: string | null;
}

/** The result of a create request. */
export interface Created {
  readonly jobId: string;
  /** `null` for a link, and for a replayed response without a session. */
  readonly session: UploadSession | null;
}

/** Why a request failed. */
export type Fault =
  /** The service responded with an error (API part 7). */
  | {
      readonly kind: 'refused';
      readonly httpStatus: number;
      /** `null` if the body contains none of the API's codes. */
      readonly code: ApiErrorCode | null;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** The service cannot be reached: no such host, connection refused, no network, or a captive portal. */
  | {
      readonly kind: 'offline';
      readonly message: string;
      /** Whether a server responds, but its certificate is not trusted. */
      readonly isUntrusted?: boolean;
      /**
       * Whether a sign-in page responded. One of the network responds to all requests, one of the service perhaps only to
       * this one.
       */
      readonly isSignInPage?: boolean;
    }
  /** The connection broke or stalled; whether the request took effect is unknown. */
  | { readonly kind: 'interrupted'; readonly message: string; readonly retryAfterMs: number | null }
  /** The response is not JSON, has the wrong shape or lacks a required field. */
  | { readonly kind: 'unexpected'; readonly message: string; readonly retryAfterMs: number | null }
  /** A redirect of any kind, or an address whose origin differs from that of the service. */
  | { readonly kind: 'cross_origin'; readonly message: string };

/** The result of a request: its value, or the fault. */
export type ServiceResult<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly retryAfterMs: number | null;
      readonly balanceCredits: number | null;
    }
  | { readonly ok: false; readonly fault: Fault };

export const unexpectedFault = (message: string, retryAfterMs: number | null = null): Fault => ({
  kind: 'unexpected',
  message,
  retryAfterMs,
});
