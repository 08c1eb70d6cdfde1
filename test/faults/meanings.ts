import type { ApiErrorCode, ProblemCode } from '../../electron/contract/problem.ts';
import type { ScriptedFault } from '../support/scripted-service/faults.ts';

/**
 * What each response means according to `docs/reliability.md`, written independently of the code under test.
 */

/** The requests that get faults. A renewal is the deletion of a job that is to be replaced by a new one. */
export const requests = [
  'create file',
  'create link',
  'part',
  'complete',
  'status',
  'delete',
  'renewal',
] as const;
export type Request = (typeof requests)[number];

/** The outcome of a lasting fault. */
export type Meaning =
  /** Repeated until it succeeds; meanwhile the row shows the problem. */
  | { readonly kind: 'retried'; readonly problem: ProblemCode }
  /** Treated as success: the API promises no body here. */
  | { readonly kind: 'fine' }
  /** After this many in a row the item fails or is blocked. */
  | { readonly kind: 'failed' | 'blocked'; readonly problem: ProblemCode; readonly after: number }
  /** A deletion that keeps failing: after this many in a row the item ends without it. */
  | { readonly kind: 'given up'; readonly after: number }
  /** The whole service waits; the item did not cause the fault. */
  | { readonly kind: 'service'; readonly condition: 'offline' | 'limited' | 'no-credits' | 'stopped' };

type Kind =
  | 'fails'
  | 'resend parts'
  | 'all stops'
  | 'no credits'
  | 'gone'
  | 'pending'
  | 'conflict'
  | 'poll the job'
  | 'new session'
  | 'no slot'
  | 'rate limit'
  | 'retry';

/** API part 7, with the row of the table that each code belongs to. */
export const codes: Readonly<Record<ApiErrorCode, readonly [status: number, kind: Kind]>> = {
  invalid_json: [400, 'fails'],
  invalid_idempotency_key: [400, 'fails'],
  empty_upload: [400, 'resend parts'],
  invalid_part: [400, 'resend parts'],
  part_size_mismatch: [400, 'resend parts'],
  invalid_parts: [400, 'resend parts'],
  invalid_remote_url: [400, 'fails'],
  insecure_remote_url: [400, 'fails'],
  remote_host_blocked: [400, 'fails'],
  invalid_api_key: [401, 'all stops'],
  insufficient_credits: [402, 'no credits'],
  not_found: [404, 'gone'],
  idempotency_pending: [409, 'pending'],
  idempotency_conflict: [409, 'conflict'],
  invalid_status: [409, 'poll the job'],
  upload_session_missing: [409, 'new session'],
  upload_incomplete: [409, 'resend parts'],
  upload_expired: [410, 'new session'],
  file_too_large: [413, 'fails'],
  unsupported_file: [415, 'fails'],
  invalid_file_signature: [415, 'fails'],
  remote_host_unresolved: [422, 'fails'],
  active_job_limit: [429, 'no slot'],
  rate_limited: [429, 'rate limit'],
  request_failed: [500, 'retry'],
  upload_failed: [500, 'retry'],
  complete_failed: [500, 'retry'],
  remote_dns_failed: [502, 'retry'],
  provider_unavailable: [503, 'retry'],
  queue_unavailable: [503, 'retry'],
};

const isCreation = (request: Request): boolean => request === 'create file' || request === 'create link';
const isDeletion = (request: Request): boolean => request === 'delete' || request === 'renewal';

/** A final refusal. A job whose work may be done is never deleted: its item is blocked. */
function refused(request: Request, problem: ProblemCode): Meaning {
  if (request === 'delete') return { kind: 'given up', after: 5 };
  // No new job in addition to one that the service does not delete.
  if (request === 'renewal') return { kind: 'blocked', problem, after: 5 };
  return { kind: request === 'status' ? 'blocked' : 'failed', problem, after: 1 };
}

function gone(request: Request): Meaning {
  if (isCreation(request)) return { kind: 'service', condition: 'stopped' };
  // A job that is gone need not be deleted.
  if (isDeletion(request)) return { kind: 'given up', after: 3 };
  return { kind: 'blocked', problem: 'job_gone', after: 3 };
}

/** What a refusal with a code means; `null`: with a code that the API does not know. */
export function meaningOfCode(request: Request, code: ApiErrorCode | null, status: number): Meaning {
  if (code === null) {
    return status >= 500
      ? { kind: 'retried', problem: 'service_unavailable' }
      : refused(request, 'unexpected_answer');
  }
  const [, kind] = codes[code];
  const isUpload = request === 'part' || request === 'complete';
  switch (kind) {
    case 'fails':
      return refused(request, code);
    case 'resend parts':
      return isUpload ? { kind: 'failed', problem: code, after: 2 } : refused(request, code);
    case 'all stops':
      return { kind: 'service', condition: 'stopped' };
    case 'no credits':
      return isCreation(request)
        ? { kind: 'service', condition: 'no-credits' }
        : { kind: 'retried', problem: code };
    case 'gone':
      return gone(request);
    case 'conflict':
      return isDeletion(request) ? refused(request, code) : { kind: 'blocked', problem: code, after: 1 };
    case 'poll the job':
      return isDeletion(request) ? refused(request, code) : { kind: 'retried', problem: code };
    case 'new session':
      if (isDeletion(request)) return refused(request, code);
      // Two new sessions without asking the user; unexpected where there is no session.
      return { kind: 'blocked', problem: code, after: isUpload ? 3 : 5 };
    case 'rate limit':
      return { kind: 'service', condition: 'limited' };
    case 'no slot':
    case 'pending':
    case 'retry':
      return { kind: 'retried', problem: code };
  }
}

/** What a broken response means. */
export function meaningOfBreak(request: Request, kind: Exclude<ScriptedFault['kind'], 'refusal'>): Meaning {
  switch (kind) {
    case 'reset':
    case 'cut':
    case 'stall':
      return { kind: 'retried', problem: 'service_unavailable' };
    case 'sign-in page':
      return { kind: 'service', condition: 'offline' };
    case 'half JSON':
    case 'no JSON':
    case 'wrong shape':
    case 'empty':
      return isCreation(request) || request === 'status'
        ? { kind: 'blocked', problem: 'unexpected_answer', after: 5 }
        : { kind: 'fine' };
    case 'redirect':
    case 'foreign location':
    case 'foreign session':
      return isDeletion(request)
        ? refused(request, 'foreign_address')
        : { kind: 'blocked', problem: 'foreign_address', after: 1 };
  }
}
