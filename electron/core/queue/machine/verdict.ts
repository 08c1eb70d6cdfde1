import type { ApiErrorCode, Problem, ProblemCode } from '../../../contract/problem.ts';
import type { Fault, RequestKind } from '../../api/answers.ts';

/** What a whole service is told by one answer; all its items feel it. */
export type ServiceNews =
  /** Nobody answers: one probe at a time until somebody does. */
  | { readonly kind: 'offline'; readonly problem: Problem }
  /** Nothing goes on before the user has mended it. */
  | { readonly kind: 'stopped'; readonly problem: Problem }
  /** No new jobs; uploads and polls go on. */
  | { readonly kind: 'no-credits'; readonly problem: Problem }
  /** All 50 slots are taken. */
  | { readonly kind: 'slots-full'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | null }
  /** It failed in a way that passes by itself; when it does so again and again it is left alone for a while. */
  | { readonly kind: 'failing'; readonly retryAfterMs: number | null };

/** What an item does about a fault. */
export type Verdict =
  /** The same request again, later. */
  | { readonly kind: 'again'; readonly problem: Problem; readonly floorMs: number | null }
  /** The same a few times, then the user is asked: an answer that makes no sense may go on making none. */
  | { readonly kind: 'again-a-few-times'; readonly problem: Problem }
  /** The whole service waits; the item has no part in the fault and loses no attempt. */
  | { readonly kind: 'service'; readonly news: ServiceNews }
  /** The same request soon: it meets itself still being written. */
  | { readonly kind: 'pending'; readonly problem: Problem; readonly floorMs: number | null }
  | { readonly kind: 'fail'; readonly problem: Problem }
  | { readonly kind: 'block'; readonly problem: Problem }
  /** Check the file and send all parts once more; a second time the item fails. */
  | { readonly kind: 'resend'; readonly problem: Problem }
  /** Ask what the job's state is and go on from there. */
  | { readonly kind: 'adopt'; readonly problem: Problem }
  /** Ask what the job's state is; still uploading: a new session in its place. */
  | { readonly kind: 'renew'; readonly problem: Problem }
  /** The service does not know the job. */
  | { readonly kind: 'gone' };

/** The fault in the words that the user gets. */
export function problemOf(fault: Fault): Problem {
  switch (fault.kind) {
    case 'refused':
      return {
        code: fault.code ?? (fault.httpStatus >= 500 ? 'service_unavailable' : 'unexpected_answer'),
        detail: `${fault.message} (HTTP ${fault.httpStatus})`,
      };
    case 'offline':
      return { code: 'offline', detail: fault.message };
    case 'interrupted':
      return { code: 'service_unavailable', detail: fault.message };
    case 'unexpected':
      return { code: 'unexpected_answer', detail: fault.message };
    case 'foreign':
      return { code: 'foreign_address', detail: fault.message };
  }
}

/** The fault as the log has it: without words that may hold names. */
export const brief = (fault: Fault): Readonly<Record<string, unknown>> =>
  fault.kind === 'refused' ? { status: fault.httpStatus, code: fault.code } : { fault: fault.kind };

/** What each answer means (the table in `docs/reliability.md`; codes: API part 7). */
export function verdictOf(request: RequestKind, fault: Fault): Verdict {
  const problem = problemOf(fault);
  switch (fault.kind) {
    case 'offline':
      return { kind: 'service', news: { kind: 'offline', problem } };
    case 'interrupted':
      return { kind: 'again', problem, floorMs: null };
    case 'unexpected':
      return { kind: 'again-a-few-times', problem };
    case 'foreign':
      return { kind: 'block', problem };
    case 'refused': {
      const code = fault.code ?? codeByStatus(request, fault.httpStatus);
      return code === null
        ? verdictByStatus(fault.httpStatus, problem, fault.retryAfterMs)
        : verdictByCode(request, code, { ...problem, code: wordsFor(request, code) }, fault.retryAfterMs);
    }
  }
}

/** A create request that finds nothing means a wrong base address, not a missing job. */
const wordsFor = (request: RequestKind, code: ApiErrorCode): ProblemCode =>
  code === 'not_found' ? (request === 'create' ? 'wrong_address' : 'job_gone') : code;

function verdictByCode(
  request: RequestKind,
  code: ApiErrorCode,
  problem: Problem,
  retryAfterMs: number | null,
): Verdict {
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
      return { kind: 'service', news: { kind: 'stopped', problem } };
    case 'insufficient_credits':
      return { kind: 'service', news: { kind: 'no-credits', problem } };
    case 'not_found':
      return request === 'create'
        ? { kind: 'service', news: { kind: 'stopped', problem } }
        : { kind: 'gone' };
    case 'idempotency_pending':
      return { kind: 'pending', problem, floorMs: retryAfterMs };
    case 'idempotency_conflict':
      return { kind: 'block', problem };
    case 'invalid_status':
      return { kind: 'adopt', problem };
    case 'upload_session_missing':
    case 'upload_expired':
      // Where no session is being used, this answer makes no sense.
      return { kind: request === 'create' || request === 'status' ? 'again-a-few-times' : 'renew', problem };
    case 'active_job_limit':
      return { kind: 'service', news: { kind: 'slots-full', problem, retryAfterMs } };
    case 'rate_limited':
      return { kind: 'service', news: { kind: 'rate-limited', retryAfterMs } };
    case 'request_failed':
    case 'upload_failed':
    case 'complete_failed':
    case 'remote_dns_failed':
    case 'provider_unavailable':
    case 'queue_unavailable':
      return { kind: 'again', problem, floorMs: retryAfterMs };
  }
}

/** The code that an HTTP status means when the body names none. */
function codeByStatus(request: RequestKind, status: number): ApiErrorCode | null {
  switch (status) {
    case 401:
    case 403:
      return 'invalid_api_key';
    case 402:
      return 'insufficient_credits';
    case 404:
      return 'not_found';
    case 409:
      return request === 'create' ? 'idempotency_pending' : 'invalid_status';
    case 410:
      return 'upload_expired';
    case 413:
      return 'file_too_large';
    case 415:
      return 'unsupported_file';
    case 429:
      return 'rate_limited';
    default:
      return null;
  }
}

function verdictByStatus(status: number, problem: Problem, retryAfterMs: number | null): Verdict {
  // 408 and 425 are the two of the 4xx that ask for the same request again (RFC 9110, RFC 8470).
  if (status >= 500 || status === 408 || status === 425)
    return { kind: 'again', problem, floorMs: retryAfterMs };
  return { kind: 'fail', problem };
}
