import type { ApiErrorCode, Problem } from '../../../contract/problem.ts';
import { creditsFor } from '../../../contract/pricing.ts';
import { errorCodeOf, problemOf } from '../../api/fault-problem.ts';
import type { Fault, Job, RequestKind } from '../../api/service-results.ts';

/** A job that failed because the account has too few credits. */
export interface FailedJob {
  readonly jobId: string;
  /** The credits that its recording needs. */
  readonly credits: number;
}

/** A fault that affects a whole service, and so all of its items. */
export type ServiceFault =
  /**
   * The service is unreachable: one probe at a time until it answers. `delayMs`: how long this item waits, so that the
   * request of another item can be the next probe.
   */
  | { readonly kind: 'offline'; readonly problem: Problem; readonly delayMs: number }
  /** Nothing is sent before the user has fixed the problem. */
  | { readonly kind: 'stopped'; readonly problem: Problem }
  /** No new jobs; uploads and polls continue. `failedJob`: absent when a request was refused. */
  | { readonly kind: 'no-credits'; readonly problem: Problem; readonly failedJob?: FailedJob }
  /** All 50 slots are taken. */
  | { readonly kind: 'slots-full'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | null }
  /** A temporary failure; repeated failures count as an outage. */
  | { readonly kind: 'failing'; readonly retryAfterMs: number | null };

/** What an item does about a fault. */
export type Reaction =
  /** Repeat the request later. */
  | { readonly kind: 'retry'; readonly problem: Problem; readonly minDelayMs: number | null }
  /** Repeat the request a few times, then block: a malformed response may stay malformed. */
  | { readonly kind: 'retry-few-times'; readonly problem: Problem; readonly minDelayMs: number | null }
  /** The whole service waits; the item did not cause the fault and loses no attempt. */
  | { readonly kind: 'service'; readonly serviceFault: ServiceFault }
  /** Repeat the request soon: the service is still processing the first one. */
  | { readonly kind: 'pending'; readonly problem: Problem; readonly minDelayMs: number | null }
  | { readonly kind: 'fail'; readonly problem: Problem }
  | { readonly kind: 'block'; readonly problem: Problem }
  /** Check the file and send all parts again; the second time, fail. */
  | { readonly kind: 'resend'; readonly problem: Problem }
  /** Poll the job and continue from its state. */
  | { readonly kind: 'resume-job'; readonly problem: Problem }
  /** Poll the job; if it still waits for parts, replace it with a new one. */
  | { readonly kind: 'replace-job'; readonly problem: Problem }
  /** The service does not know the job. */
  | { readonly kind: 'job-gone' };

/**
 * How long an item waits after a sign-in page, in milliseconds. If only its requests get the page, other items continue
 * meanwhile.
 */
const signInPageDelayMs = 30_000;

/** Returns what to do about a fault (the table in `docs/reliability.md`; codes: API part 7). */
export function reactionTo(request: RequestKind, fault: Fault): Reaction {
  const problem = problemOf(request, fault);
  switch (fault.kind) {
    case 'offline':
      return {
        kind: 'service',
        serviceFault: {
          kind: 'offline',
          problem,
          delayMs: fault.isSignInPage === true ? signInPageDelayMs : 0,
        },
      };
    case 'interrupted':
      return { kind: 'retry', problem, minDelayMs: fault.retryAfterMs };
    case 'unexpected':
      return { kind: 'retry-few-times', problem, minDelayMs: fault.retryAfterMs };
    case 'cross_origin':
      return { kind: 'block', problem };
    case 'refused': {
      const code = errorCodeOf(request, fault);
      return code === null
        ? reactionToStatus(fault.httpStatus, problem, fault.retryAfterMs)
        : reactionToCode(request, code, problem, fault.retryAfterMs);
    }
  }
}

/**
 * Returns what the failure of a job means for the service as a whole, if anything: the same as a refusal with its code.
 * `null`: the recording itself could not be transcribed.
 */
export function serviceFaultOfFailedJob(jobId: string, { error, durationSeconds }: Job): ServiceFault | null {
  const code = error?.code ?? null;
  if (error === null || code === null) return null;
  const reaction = reactionToCode('status', code, { code, detail: error.message }, null);
  if (reaction.kind !== 'service') return null;
  const { serviceFault } = reaction;
  return serviceFault.kind === 'no-credits'
    ? { ...serviceFault, failedJob: { jobId, credits: creditsFor(durationSeconds ?? 0) } }
    : serviceFault;
}

function reactionToCode(
  request: RequestKind,
  code: ApiErrorCode,
  problem: Problem,
  retryAfterMs: number | null,
): Reaction {
  switch (code) {
    case 'invalid_json':
    case 'invalid_idempotency_key':
    case 'invalid_remote_url':
    case 'insecure_remote_url':
    case 'remote_host_blocked':
    case 'remote_host_unresolved':
    case 'file_too_large':
    case 'unsupported_file':
    case 'invalid_file_signature':
      return { kind: 'fail', problem };
    case 'invalid_part':
    case 'part_size_mismatch':
    case 'empty_upload':
    case 'invalid_parts':
    case 'upload_incomplete':
      return { kind: 'resend', problem };
    case 'invalid_api_key':
      return { kind: 'service', serviceFault: { kind: 'stopped', problem } };
    case 'insufficient_credits':
      return { kind: 'service', serviceFault: { kind: 'no-credits', problem } };
    case 'not_found':
      return request === 'create'
        ? { kind: 'service', serviceFault: { kind: 'stopped', problem } }
        : { kind: 'job-gone' };
    case 'idempotency_pending':
      return { kind: 'pending', problem, minDelayMs: retryAfterMs };
    case 'idempotency_conflict':
      return { kind: 'block', problem };
    case 'invalid_status':
      return { kind: 'resume-job', problem };
    case 'upload_session_missing':
    case 'upload_expired':
      // Unexpected where no upload session is in use.
      return {
        kind: request === 'create' || request === 'status' ? 'retry-few-times' : 'replace-job',
        problem,
        minDelayMs: retryAfterMs,
      };
    case 'active_job_limit':
      return { kind: 'service', serviceFault: { kind: 'slots-full', problem, retryAfterMs } };
    case 'rate_limited':
      return { kind: 'service', serviceFault: { kind: 'rate-limited', retryAfterMs } };
    case 'request_failed':
    case 'upload_failed':
    case 'complete_failed':
    case 'remote_dns_failed':
    case 'provider_unavailable':
    case 'queue_unavailable':
      return { kind: 'retry', problem, minDelayMs: retryAfterMs };
  }
}

function reactionToStatus(status: number, problem: Problem, retryAfterMs: number | null): Reaction {
  // Of all 4xx only 408 and 425 ask for the same request again (RFC 9110, RFC 8470).
  if (status >= 500 || status === 408 || status === 425)
    return { kind: 'retry', problem, minDelayMs: retryAfterMs };
  return { kind: 'fail', problem };
}
