import { describe, expect, it } from 'vitest';
import { apiErrorCodes } from '../../../../../electron/contract/problem.ts';
import type { Fault, RequestKind } from '../../../../../electron/core/api/service-results.ts';
import { problemOf } from '../../../../../electron/core/api/fault-problem.ts';
import { reactionTo } from '../../../../../electron/core/queue/machine/fault-reactions.ts';
import { codes } from '../../../../faults/meanings.ts';

const requests = ['create', 'part', 'complete', 'status', 'delete'] as const satisfies readonly RequestKind[];
const refused = (
  httpStatus: number,
  code: Extract<Fault, { kind: 'refused' }>['code'],
  retryAfterMs: number | null = null,
): Fault => ({ kind: 'refused', httpStatus, code, message: 'no', retryAfterMs });

describe('a refusal without a code', () => {
  /** Codes whose status is unambiguous. */
  const plain = [
    'invalid_api_key',
    'insufficient_credits',
    'not_found',
    'upload_expired',
    'file_too_large',
  ] as const;

  it.each(requests)('of a %s request means what its status means', (request) => {
    for (const code of plain) {
      const [status] = codes[code];
      expect(reactionTo(request, refused(status, null)).kind).toBe(
        reactionTo(request, refused(status, code)).kind,
      );
    }
  });

  it('with 409 is never taken for a conflict', () => {
    expect(reactionTo('create', refused(409, null))).toMatchObject({ kind: 'pending' });
    expect(reactionTo('complete', refused(409, null))).toMatchObject({ kind: 'resume-job' });
  });

  it('with 429 limits the rate', () => {
    expect(reactionTo('status', refused(429, null, 9_000))).toEqual({
      kind: 'service',
      serviceFault: { kind: 'rate-limited', retryAfterMs: 9_000 },
    });
  });

  it('is tried again where the status says so, and final where it does not', () => {
    const kinds = [400, 405, 408, 418, 425, 500, 502, 503, 504, 599].map((status) => [
      status,
      reactionTo('create', refused(status, null)).kind,
    ]);
    expect(Object.fromEntries(kinds)).toEqual({
      400: 'fail',
      405: 'fail',
      408: 'retry',
      418: 'fail',
      425: 'retry',
      500: 'retry',
      502: 'retry',
      503: 'retry',
      504: 'retry',
      599: 'retry',
    });
  });
});

describe('a refusal with a code', () => {
  it('is understood by its code, whatever its status', () => {
    for (const request of requests) {
      for (const code of apiErrorCodes) {
        const [status] = codes[code];
        expect(reactionTo(request, refused(400, code)).kind).toBe(
          reactionTo(request, refused(status, code)).kind,
        );
      }
    }
  });

  it('has its own problem code, with the message of the service as detail', () => {
    expect(problemOf('part', refused(413, 'file_too_large'))).toEqual({
      code: 'file_too_large',
      detail: 'no (HTTP 413)',
    });
    expect(problemOf('part', refused(599, null)).code).toBe('service_unavailable');
    expect(problemOf('part', refused(418, null)).code).toBe('unexpected_answer');
  });

  it('of a create request with `not_found` means a wrong address', () => {
    expect(reactionTo('create', refused(404, 'not_found'))).toMatchObject({
      kind: 'service',
      serviceFault: { kind: 'stopped', problem: { code: 'wrong_address' } },
    });
  });
});
