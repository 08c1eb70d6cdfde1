import { signatureBytes } from '../../core/media/media-signature.ts';
import { jobsPath } from '../http/origin.ts';
import { toEnvelope } from '../http/present.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { jobEnvelopeSchema, jobParamsSchema } from '../http/wire.ts';
import { isActive, type Job } from '../jobs/job.ts';
import { assertSignature } from '../media/file-kind.ts';
import { ServiceError } from '../service-error.ts';
import { acceptAnyBody } from './accept-any-body.ts';
import { assertUploading, loadJob, type UploadingJob } from './load-job.ts';

/** POST /api/v1/transcriptions/{id}/complete: all parts are there, start (API part 4.3). */
export function registerComplete(server: ServiceServer, context: ServiceContext): void {
  const { store, processor } = context;
  void server.register(async (scope: ServiceServer) => {
    acceptAnyBody(scope);
    scope.post(
      `${jobsPath}/:id/complete`,
      {
        schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema, 202: jobEnvelopeSchema } },
        config: {
          summary: 'Start processing once all parts are there',
          failure: 'complete_failed',
          headers: { 200: ['retry-after'], 202: ['retry-after'] },
          errors: [
            'invalid_parts',
            'invalid_status',
            'upload_session_missing',
            'upload_incomplete',
            'upload_expired',
            'unsupported_file',
            'invalid_file_signature',
          ],
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const job = loadJob(store, id);
        if (!hasBegun(job)) {
          assertUploading(job);
          await assertWhole(context, job);
          if (store.mediaReady(id)) processor.wake();
          else assertNotRetaken(loadJob(store, id));
        }
        // Of two calls at once the second finds the work begun, which is what it asked for.
        const present = loadJob(store, id);
        if (!hasBegun(present)) {
          throw new ServiceError(
            'invalid_status',
            `The job is ${present.status}: something else happened to it.`,
          );
        }
        reply
          .code(present.status === 'completed' ? 200 : 202)
          .header('retry-after', context.limits.pollSeconds);
        return toEnvelope(context, present);
      },
    );
  });
}

/** Whether the completion of the upload is behind the job, and neither a failure nor a deletion. */
function hasBegun({ source, status }: Job): boolean {
  if (source.kind === 'link' || status === 'accepted' || status === 'uploading') return false;
  return isActive(status) || status === 'completed';
}

/**
 * A part may be sent once more in the very moment of the completion: then it is not there again yet.
 *
 * @throws ServiceError `upload_incomplete`.
 */
function assertNotRetaken({ status }: Job): void {
  if (status !== 'accepted' && status !== 'uploading') return;
  throw new ServiceError('upload_incomplete', 'A part is being sent again and is not whole yet.');
}

/** Checks that every part has come and that the file is what its name says. */
async function assertWhole(
  { store, parts, files, processor }: ServiceContext,
  job: UploadingJob,
): Promise<void> {
  const { sizeBytes, upload } = job.source;
  const present = new Set(parts.present(job.id));
  const missing = Array.from({ length: upload.partCount }, (_, i) => i + 1).filter((n) => !present.has(n));
  if (missing.length > 0) {
    const some = missing.slice(0, 10).join(', ');
    throw new ServiceError(
      'upload_incomplete',
      `${missing.length} of ${upload.partCount} parts have not come yet: ${some}${missing.length > 10 ? ', …' : '.'}`,
    );
  }
  const head = await files.head(job.id, signatureBytes);
  if (head === null || head.sizeBytes !== sizeBytes) {
    parts.forgetAll(job.id);
    throw new ServiceError(
      'invalid_parts',
      'The parts do not make up the file any more. Send them all again.',
    );
  }
  try {
    assertSignature(head.bytes, job.fileName);
  } catch (error) {
    if (error instanceof ServiceError) {
      store.fail(job.id, { code: error.code, message: error.message });
      processor.discard(job.id);
    }
    throw error;
  }
}
