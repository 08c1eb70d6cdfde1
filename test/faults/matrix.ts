import { apiErrorCodes, type ApiErrorCode } from '../../electron/contract/problem.ts';
import type { Endpoint, ScriptedFault } from '../support/scripted-service/faults.ts';
import { codes, meaningOfBreak, meaningOfCode, requests, type Meaning, type Request } from './meanings.ts';

/**
 * How long a fault lasts: for one call, for three, until the queue accepts it as the outcome, while the core is closed
 * and reopened, or for one call during which the core is closed.
 */
export type Mode = 'once' | 'three times' | 'lasting' | 'during recovery' | 'restart in mid-request';

export interface FaultCase {
  readonly name: string;
  readonly request: Request;
  readonly endpoint: Endpoint;
  readonly fault: ScriptedFault;
  readonly meaning: Meaning;
}

const endpoints: Readonly<Record<Request, Endpoint>> = {
  'create file': 'create',
  'create link': 'create',
  part: 'part',
  complete: 'complete',
  status: 'status',
  delete: 'delete',
  renewal: 'delete',
};

/** Codes that come with a `Retry-After` (API parts 4.1 and 7). */
const withRetryAfter = new Set<ApiErrorCode>([
  'idempotency_pending',
  'active_job_limit',
  'rate_limited',
  'remote_dns_failed',
  'provider_unavailable',
  'queue_unavailable',
]);
const unknownStatuses = [400, 405, 418, 500, 504, 599];
const breaks = [
  { kind: 'reset', tookEffect: false },
  { kind: 'reset', tookEffect: true },
  { kind: 'cut', tookEffect: true },
  { kind: 'stall', tookEffect: true },
  { kind: 'stall', tookEffect: false },
  { kind: 'sign-in page', tookEffect: false },
  { kind: 'half JSON', tookEffect: true },
  { kind: 'no JSON', tookEffect: true },
  { kind: 'wrong shape', tookEffect: true },
  { kind: 'empty', tookEffect: true },
  { kind: 'redirect', tookEffect: false },
] as const satisfies readonly ScriptedFault[];

/** Every request with every fault that its response can have. */
export const faultCases: readonly FaultCase[] = requests.flatMap((request) => [
  ...apiErrorCodes.flatMap((code) => codeCases(request, code)),
  ...unknownStatuses.map((status) => refusalCase(request, null, { status, tookEffect: false })),
  ...breaks.map((fault) => breakCase(request, fault)),
  ...(request === 'create file' || request === 'create link'
    ? [breakCase(request, { kind: 'foreign location', tookEffect: true })]
    : []),
  ...(request === 'create file' ? [breakCase(request, { kind: 'foreign session', tookEffect: true })] : []),
]);

function codeCases(request: Request, code: ApiErrorCode): readonly FaultCase[] {
  const [status] = codes[code];
  const caseWith = (more: { tookEffect: boolean; retryAfter?: string }): FaultCase =>
    refusalCase(request, code, { status, ...more });
  return [
    caseWith({ tookEffect: false }),
    // A job that has advanced reports `invalid_status` when the same step is requested again.
    ...(status >= 500 || code === 'invalid_status' ? [caseWith({ tookEffect: true })] : []),
    ...(withRetryAfter.has(code) ? [caseWith({ tookEffect: false, retryAfter: '20' })] : []),
  ];
}

function refusalCase(
  request: Request,
  code: ApiErrorCode | null,
  refusal: { readonly status: number; readonly tookEffect: boolean; readonly retryAfter?: string },
): FaultCase {
  const fault = { kind: 'refusal', code: code ?? 'unheard_of', ...refusal } as const;
  const meaning = unlessCompleted(request, fault, meaningOfCode(request, code, refusal.status));
  const retryAfter = refusal.retryAfter === undefined ? '' : `, Retry-After ${refusal.retryAfter}`;
  const name = `${request}: ${refusal.status} ${fault.code}${retryAfter}${suffixOf(fault)}`;
  return { name, request, endpoint: endpoints[request], fault, meaning };
}

function breakCase(request: Request, fault: Exclude<ScriptedFault, { kind: 'refusal' }>): FaultCase {
  const meaning = unlessCompleted(request, fault, meaningOfBreak(request, fault.kind));
  const name = `${request}: ${fault.kind}${suffixOf(fault)}`;
  return { name, request, endpoint: endpoints[request], fault, meaning };
}

/** The job is polled after a lost response to a completion, so a completion that took effect is not sent again. */
function unlessCompleted(request: Request, { tookEffect }: ScriptedFault, meaning: Meaning): Meaning {
  return request === 'complete' && tookEffect ? { kind: 'fine' } : meaning;
}

function suffixOf({ tookEffect }: ScriptedFault): string {
  return tookEffect ? ', took effect' : '';
}
