import type { ApiErrorCode } from '../contract/problem.ts';

/** An error response, or why a job failed: a code of API part 7 with a message for the user. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ApiErrorCode;
  /** When to retry, where more is known than the code's default. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ApiErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

interface ServiceErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
}
