import type { Segment } from '../../contract/segment.ts';
import type { JobStatus } from '../../contract/job-status.ts';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { UploadSession } from '../item/item.ts';

/** The requests of the API that the queue makes (API part 4). */
export type RequestKind = 'create' | 'part' | 'complete' | 'status' | 'delete';

/** A job as the service tells it (API part 2.1); what the API leaves open is `null` when absent. */
export interface Job {
  readonly status: JobStatus;
  /** 0 to 100. */
  readonly progress: number;
  readonly durationSeconds: number | null;
  readonly creditsCharged: number | null;
  /** `null` until the job is completed. */
  readonly transcript: JobTranscript | null;
  /** The service's own words about a failure. */
  readonly error: string | null;
}

export interface JobTranscript {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly language: string | null;
}

export interface Created {
  readonly jobId: string;
  /** `null` for a link, and for a replay that tells no session. */
  readonly session: UploadSession | null;
}

/** Every way in which a request can fail to bring what was asked for. */
export type Fault =
  /** The service answered with an error (API part 7). */
  | {
      readonly kind: 'refused';
      readonly httpStatus: number;
      /** `null` when the body names none of the API's codes. */
      readonly code: ApiErrorCode | null;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** Nobody there: no such host, connection refused, no network, or a sign-in page in between. */
  | { readonly kind: 'offline'; readonly message: string }
  /** The connection broke or stalled; whether the request took effect is unknown. */
  | { readonly kind: 'interrupted'; readonly message: string }
  /** An answer that is no JSON, has the wrong shape or lacks what it must have. */
  | { readonly kind: 'unexpected'; readonly message: string }
  /** An address or a redirect that leads away from the service's origin. */
  | { readonly kind: 'foreign'; readonly message: string };

/** What a request brought: its value, or the fault. */
export type Answer<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly retryAfterMs: number | null;
      readonly balanceCredits: number | null;
    }
  | { readonly ok: false; readonly fault: Fault };
