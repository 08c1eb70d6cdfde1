import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDiskFull, isTooLargeForDisk } from '../../contract/errors.ts';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { Logger } from '../../core/ports.ts';
import { ServiceError } from '../service-error.ts';

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

/**
 * Statuses, besides 400, for requests that are too slow or whose headers are too long. Their code is `invalid_json`,
 * the closest one of the API.
 */
export const protocolErrorStatuses = [408, 431] as const;

/** Returns the body of an error response. The API only specifies `error.message` (part 7). */
export function errorBody(code: ApiErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/**
 * Sends an error response.
 *
 * @param internalErrorCode the route's code for an internal error (API part 7).
 */
export async function sendError(
  error: unknown,
  internalErrorCode: ApiErrorCode,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): Promise<void> {
  const { code, message, retryAfterSeconds } = toServiceError(error, internalErrorCode, request);
  const status = statusOfCode[code];
  // A client that disconnected is not a failure of the service.
  if (status >= 500 && !(error instanceof ServiceError) && !request.raw.socket.destroyed) {
    logger.error('A request failed.', { method: request.method, route: request.routeOptions.url, error });
  }
  const retryAfter = retryAfterSeconds ?? retryAfterOfCode[code];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (code === 'invalid_api_key') reply.header('www-authenticate', 'Bearer');
  await reply.code(status).type('application/json; charset=utf-8').send(errorBody(code, message));
}

function toServiceError(
  error: unknown,
  internalErrorCode: ApiErrorCode,
  request: FastifyRequest,
): ServiceError {
  if (error instanceof ServiceError) return error;
  const requestError = requestErrorSchema.safeParse(error).data;
  if (requestError?.validationContext !== undefined) return toValidationError(requestError, request.body);
  // Fastify's own errors: a body that is not JSON, too long or of another type, or an invalid path.
  if (requestError?.statusCode === 404) return new ServiceError('not_found', 'There is no such address.');
  if (requestError?.statusCode === 415) {
    return new ServiceError('invalid_json', 'The body must be JSON (Content-Type: application/json).');
  }
  if (requestError?.statusCode !== undefined && requestError.statusCode < 500) {
    return new ServiceError('invalid_json', `The request cannot be read: ${requestError.message}`);
  }
  if (isTooLargeForDisk(error)) {
    return new ServiceError('file_too_large', 'The file is too large for the file system of the service.', {
      cause: error,
    });
  }
  if (isDiskFull(error)) {
    // Part uploads have their own code for this; elsewhere the job cannot be queued (API part 7).
    const code = internalErrorCode === 'upload_failed' ? internalErrorCode : 'queue_unavailable';
    return new ServiceError(code, 'The disk of the service is full. Free some space and try again.', {
      cause: error,
    });
  }
  return new ServiceError(internalErrorCode, 'The service failed because of an internal error.', {
    cause: error,
  });
}

const requestErrorSchema = z.object({
  statusCode: z.int().optional(),
  message: z.string(),
  validationContext: z.enum(['body', 'headers', 'params', 'querystring']).optional(),
  issues: z
    .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
    .optional(),
});

function toValidationError(requestError: z.infer<typeof requestErrorSchema>, body: unknown): ServiceError {
  const [issue] = requestError.issues ?? [];
  const field = issue?.path.join('.') ?? '';
  const message = [field, issue?.message ?? requestError.message].filter((part) => part !== '').join(': ');
  switch (requestError.validationContext) {
    case 'headers':
      return new ServiceError('invalid_idempotency_key', message);
    case 'querystring':
      return new ServiceError(field === 'part_number' ? 'invalid_part' : 'invalid_json', message);
    case 'params':
      return new ServiceError('not_found', message);
    default:
      // The API answers 413 for any number that is not a valid `file_size`, 0 included (part 7).
      return field === 'file_size' && numericSizeSchema.safeParse(body).success
        ? new ServiceError('file_too_large', message)
        : new ServiceError('invalid_json', message);
  }
}

const numericSizeSchema = z.object({ file_size: z.number() });
