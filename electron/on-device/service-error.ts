import type { ApiErrorCode } from '../contract/problem.ts';

/** What the service answers, or why a job failed: a code of API part 7 with words for a person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ApiErrorCode;
  /** When it may be worth asking again, where that is known better than by the code alone. */
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

/** Whether the system says that there is no room for more bytes. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || code === 'SQLITE_FULL';
}
