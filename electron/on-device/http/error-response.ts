import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { Logger } from '../../core/ports.ts';
import { isDiskFull, ServiceError } from '../service-error.ts';

/** The HTTP status of each code (API part 7). */
export const statusOfCode: Readonly<Record<ApiErrorCode, number>> = {
  invalid_json: 400,
  invalid_idempotency_key: 400,
  empty_upload: 400,
  invalid_part: 400,
  part_size_mismatch: 400,
  invalid_parts: 400,
  invalid_remote_url: 400,
  insecure_remote_url: 400,
  remote_host_blocked: 400,
  invalid_api_key: 401,
  insufficient_credits: 402,
  not_found: 404,
  idempotency_pending: 409,
  idempotency_conflict: 409,
  invalid_status: 409,
  upload_session_missing: 409,
  upload_incomplete: 409,
  upload_expired: 410,
  file_too_large: 413,
  unsupported_file: 415,
  invalid_file_signature: 415,
  remote_host_unresolved: 422,
  active_job_limit: 429,
  rate_limited: 429,
  request_failed: 500,
  upload_failed: 500,
  complete_failed: 500,
  remote_dns_failed: 502,
  provider_unavailable: 503,
  queue_unavailable: 503,
};

/** Seconds for `Retry-After`, for the codes where waiting helps. */
export const retryAfterOfCode: Readonly<Partial<Record<ApiErrorCode, number>>> = {
  idempotency_pending: 1,
  active_job_limit: 5,
  rate_limited: 5,
  remote_dns_failed: 5,
  provider_unavailable: 10,
  queue_unavailable: 5,
};

/** Statuses of what is no whole HTTP request, beside 400; their code is `invalid_json`, since the API has no nearer one. */
export const brokenRequestStatuses = [408, 431] as const;

/** The body of every answer that is no success; the API fixes `error.message` alone (part 7). */
export function errorBody(code: ApiErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/**
 * Answers with an error.
 *
 * @param failure the code for what is nobody's fault but ours: each route has its own (API part 7).
 */
export async function sendError(
  error: unknown,
  failure: ApiErrorCode,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): Promise<void> {
  const { code, message, retryAfterSeconds } = toServiceError(error, failure, request);
  const status = statusOfCode[code];
  // A client that went away in the middle is no fault of ours.
  if (status >= 500 && !(error instanceof ServiceError) && !request.raw.socket.destroyed) {
    logger.error('A request failed.', { method: request.method, route: request.routeOptions.url, error });
  }
  const retryAfter = retryAfterSeconds ?? retryAfterOfCode[code];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (code === 'invalid_api_key') reply.header('www-authenticate', 'Bearer');
  await reply.code(status).type('application/json; charset=utf-8').send(errorBody(code, message));
}

function toServiceError(error: unknown, failure: ApiErrorCode, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  const refusal = refusalSchema.safeParse(error).data;
  if (refusal?.validationContext !== undefined) return toValidationError(refusal, request.body);
  // Fastify's own refusals: a body that is no JSON, too long, of another type, a path that cannot be read.
  if (refusal?.statusCode === 404) return new ServiceError('not_found', 'There is nothing at this address.');
  if (refusal?.statusCode === 415) {
    return new ServiceError('invalid_json', 'The body has to be JSON (Content-Type: application/json).');
  }
  if (refusal?.statusCode !== undefined && refusal.statusCode < 500) {
    return new ServiceError('invalid_json', `The request cannot be read: ${refusal.message}`);
  }
  if (isDiskFull(error)) {
    // A part has a code of its own for it; what cannot be written down elsewhere cannot be queued (API part 7).
    const code = failure === 'upload_failed' ? failure : 'queue_unavailable';
    return new ServiceError(code, 'The disk of the service is full. Make room and try again.', {
      cause: error,
    });
  }
  return new ServiceError(failure, 'The service could not do this because of a fault of its own.', {
    cause: error,
  });
}

const refusalSchema = z.object({
  statusCode: z.int().optional(),
  message: z.string(),
  validationContext: z.enum(['body', 'headers', 'params', 'querystring']).optional(),
  issues: z
    .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
    .optional(),
});

function toValidationError(refusal: z.infer<typeof refusalSchema>, body: unknown): ServiceError {
  const [issue] = refusal.issues ?? [];
  const field = issue?.path.join('.') ?? '';
  const words = [field, issue?.message ?? refusal.message].filter((part) => part !== '').join(': ');
  switch (refusal.validationContext) {
    case 'headers':
      return new ServiceError('invalid_idempotency_key', words);
    case 'querystring':
      return new ServiceError('invalid_part', words);
    case 'params':
      return new ServiceError('not_found', words);
    default:
      // A size that is a number but no possible one has a code of its own (API part 7, 413).
      return field === 'file_size' && sizeOnly.safeParse(body).success
        ? new ServiceError('file_too_large', words)
        : new ServiceError('invalid_json', words);
  }
}

const sizeOnly = z.object({ file_size: z.number() });
