import { DecodeError } from '../decode/decoder.ts';
import { EngineStoppedError, ModelError } from '../engine/engine.ts';
import type { JobError } from '../jobs/job.ts';
import { isDiskFull, ServiceError } from '../service-error.ts';

/** Why a job failed, in words for a person and with a code of API part 7. */
export function toJobError(error: unknown): JobError {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof DecodeError) return { code: 'unsupported_file', message: error.message };
  if (error instanceof ModelError || error instanceof EngineStoppedError)
    return { code: 'provider_unavailable', message: error.message };
  if (isDiskFull(error)) {
    return { code: 'request_failed', message: 'The disk of the service is full. Make room and try again.' };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'request_failed', message: `The recording could not be transcribed: ${reason}` };
}
