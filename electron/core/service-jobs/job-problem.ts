import type { ServiceCondition } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Fault } from '../api/answers.ts';
import { problemOf } from '../queue/machine/fault-reactions.ts';

/** Why a service may not be asked now; `null` when it may. */
export function hindrance(condition: ServiceCondition): Problem | null {
  switch (condition.kind) {
    case 'stopped':
      return condition.problem;
    case 'limited':
      return { code: 'rate_limited' };
    case 'starting':
      return { code: 'service_unavailable' };
    // Nobody there a moment ago need not mean now, and asking costs no credits.
    case 'offline':
    case 'no-credits':
    case 'ready':
      return null;
  }
}

/** Whether a service does not know the job. */
export const isUnknown = (fault: Fault): boolean =>
  fault.kind === 'refused' &&
  (fault.code === 'not_found' || (fault.code === null && fault.httpStatus === 404));

/** Whether the request took effect is not known, or it may be tried again. */
export const isPassing = (fault: Fault): boolean =>
  fault.kind === 'interrupted' ||
  (fault.kind === 'refused' && (fault.httpStatus >= 500 || fault.httpStatus === 408));

/** Whether every other request would meet the same. */
export const meetsAll = (fault: Fault): boolean =>
  fault.kind === 'offline' ||
  fault.kind === 'interrupted' ||
  fault.kind === 'foreign' ||
  (fault.kind === 'refused' && [401, 403, 429].includes(fault.httpStatus));

/** A fault in the words for what was wanted of one job, or of the service. */
export const faultProblem = (fault: Fault): Problem => {
  if (isUnknown(fault)) return { code: 'not_held' };
  if (fault.kind === 'refused' && fault.code === null && [401, 403].includes(fault.httpStatus))
    return { code: 'invalid_api_key', detail: fault.message };
  return problemOf(fault);
};
