import type { ApiErrorCode, Problem, ProblemCode } from '../../contract/problem.ts';
import type { Fault, RequestKind } from './service-results.ts';

/** What failed: a request of the queue, one for a job that is not in the queue, or the check of an account. */
export type AnyRequestKind = RequestKind | 'other-job' | 'account';

type Refusal = Extract<Fault, { kind: 'refused' }>;

/** Returns the problem that the user sees for a fault. */
export function problemOf(request: AnyRequestKind, fault: Fault): Problem {
  switch (fault.kind) {
    case 'refused':
      return { code: codeOfRefusal(request, fault), detail: `${fault.message} (HTTP ${fault.httpStatus})` };
    case 'offline':
      return {
        code: request === 'account' && fault.isUntrusted === true ? 'certificate_untrusted' : 'offline',
        detail: fault.message,
      };
    case 'interrupted':
      return { code: 'service_unavailable', detail: fault.message };
    case 'unexpected':
      return { code: unexpectedCode(request), detail: fault.message };
    case 'cross_origin':
      return { code: request === 'account' ? 'wrong_address' : 'foreign_address', detail: fault.message };
  }
}

/** Returns the error code of a refusal: its own, or the one that its HTTP status implies; `null` if there is none. */
export const errorCodeOf = (request: AnyRequestKind, { code, httpStatus }: Refusal): ApiErrorCode | null =>
  code ?? codeForStatus(request, httpStatus);

/** Returns the log fields of a fault: no messages, because these may contain names. */
export const faultLogFields = (fault: Fault): Readonly<Record<string, unknown>> =>
  fault.kind === 'refused' ? { status: fault.httpStatus, code: fault.code } : { fault: fault.kind };

function codeOfRefusal(request: AnyRequestKind, fault: Refusal): ProblemCode {
  const code = errorCodeOf(request, fault);
  if (code === 'not_found') return notFoundCode(request);
  return code ?? (fault.httpStatus >= 500 ? 'service_unavailable' : unexpectedCode(request));
}

/** Returns the code for an address that was not found: there is no such job, or no service (the base address is wrong). */
function notFoundCode(request: AnyRequestKind): ProblemCode {
  if (request === 'create' || request === 'account') return 'wrong_address';
  return request === 'other-job' ? 'not_at_service' : 'job_gone';
}

/** An account is checked with the simplest request: a server that does not understand it is not a service. */
const unexpectedCode = (request: AnyRequestKind): ProblemCode =>
  request === 'account' ? 'wrong_address' : 'unexpected_answer';

function codeForStatus(request: AnyRequestKind, status: number): ApiErrorCode | null {
  // The check of an account has neither a job nor a file.
  if (request === 'account' && [409, 410, 413, 415].includes(status)) return null;
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
