import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { isFinalStatus } from '../../contract/job-status.ts';
import { signatureBytes } from '../../core/media/media-signature.ts';
import {
  jobEnvelopeSchema,
  jobParamsSchema,
  partEnvelopeSchema,
  partQuerySchema,
} from '../http/api-schemas.ts';
import { ignoreBody, type ServiceServer } from '../http/server-types.ts';
import { partRange, type ServiceJob, type JobSource } from '../jobs/job.ts';
import { assertSignature } from '../media/file-kind.ts';
import { SupersededPartError, TruncatedPartError } from '../media/part-writer.ts';
import { ServiceError } from '../service-error.ts';
import { jobsPath, loadJob, type ServiceContext, toEnvelope } from './job-resource.ts';

/** POST /api/v1/transcriptions/{id}/complete: starts processing once all parts have arrived (API part 4.3). */
export function registerComplete(server: ServiceServer, context: ServiceContext): void {
  const { store, processor } = context;
  void server.register(async (scope: ServiceServer) => {
    ignoreBody(scope);
    scope.post(
      `${jobsPath}/:id/complete`,
      {
        schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema, 202: jobEnvelopeSchema } },
        config: {
          summary: 'Start processing once all parts have arrived',
          internalErrorCode: 'complete_failed',
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
        if (!isUploadComplete(job)) {
          assertUploading(job);
          await assertComplete(context, job);
          if (store.markMediaReady(id)) processor.wake();
          else assertNotResending(loadJob(store, id));
        }
        // Of two concurrent calls, the second finds processing already started, and succeeds as well.
        const current = loadJob(store, id);
        if (!isUploadComplete(current)) {
          throw new ServiceError(
            'invalid_status',
            `The job is ${current.status} and cannot be completed any more.`,
          );
        }
        reply
          .code(current.status === 'completed' ? 200 : 202)
          .header('retry-after', context.limits.pollSeconds);
        return toEnvelope(context, current);
      },
    );
  });
}

/** Whether the upload was completed and the job has neither failed nor been deleted. */
function isUploadComplete({ source, status }: ServiceJob): boolean {
  if (source.kind === 'link' || status === 'accepted' || status === 'uploading') return false;
  return !isFinalStatus(status) || status === 'completed';
}

/**
 * Rejects a completion when a part was sent again at the same time and has not arrived yet.
 *
 * @throws ServiceError `upload_incomplete`.
 */
function assertNotResending({ status }: ServiceJob): void {
  if (status !== 'accepted' && status !== 'uploading') return;
  throw new ServiceError('upload_incomplete', 'A part is being sent again and is not complete yet.');
}

/** Checks that all parts have arrived and that the content matches the file name. */
async function assertComplete(
  { store, parts, files, processor }: ServiceContext,
  job: UploadingJob,
): Promise<void> {
  const { sizeBytes, upload } = job.source;
  const storedNumbers = new Set(parts.storedParts(job.id));
  const missingNumbers = Array.from({ length: upload.partCount }, (_, i) => i + 1).filter(
    (n) => !storedNumbers.has(n),
  );
  if (missingNumbers.length > 0) {
    const firstMissing = missingNumbers.slice(0, 10).join(', ');
    throw new ServiceError(
      'upload_incomplete',
      `${missingNumbers.length} of ${upload.partCount} parts have not arrived yet: ${firstMissing}${missingNumbers.length > 10 ? ', …' : '.'}`,
    );
  }
  const head = await files.readHead(job.id, signatureBytes);
  if (head === null || head.sizeBytes !== sizeBytes) {
    parts.clear(job.id);
    throw new ServiceError(
      'invalid_parts',
      'The stored parts do not make up the file. Send all of them again.',
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

/** PUT /api/v1/transcriptions/{id}/upload?part_number=N: stores the raw bytes of one part (API part 4.2). */
export function registerUploadPart(server: ServiceServer, context: ServiceContext): void {
  const { store, partWriter, availability } = context;
  void server.register(async (scope: ServiceServer) => {
    // The body is raw bytes whatever its type, and is not read before it can be written to its file.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.put(
      `${jobsPath}/:id/upload`,
      {
        schema: {
          params: jobParamsSchema,
          querystring: partQuerySchema,
          response: { 200: partEnvelopeSchema },
        },
        config: {
          summary: 'Upload one part',
          internalErrorCode: 'upload_failed',
          takesBytes: true,
          errors: [
            'empty_upload',
            'file_too_large',
            'invalid_part',
            'part_size_mismatch',
            'invalid_status',
            'upload_session_missing',
            'upload_expired',
          ],
        },
      },
      async (request, reply) => {
        const job = loadJob(store, request.params.id);
        assertUploading(job);
        const { sizeBytes, upload } = job.source;
        const number = request.query.part_number;
        if (number > upload.partCount) {
          throw new ServiceError(
            'invalid_part',
            `There is no part ${number}; the last one is ${upload.partCount}.`,
          );
        }
        const { offset, length } = partRange(sizeBytes, upload, number);
        const declaredBytes = declaredLength(request.headers);
        // The body of a rejected part is read and discarded, unless it is far too long.
        if (declaredBytes > 2 * upload.partSize) reply.header('connection', 'close');
        assertLength(declaredBytes, length);
        const bytes = request.body instanceof Readable ? request.body : new PassThrough().end();
        const isStored = await partWriter
          .write({ jobId: job.id, number, offset, length, bytes })
          .catch((error: unknown) => {
            availability.assertOpen();
            return throwServiceError(error);
          });
        if (!isStored) throw new ServiceError('invalid_status', 'The job no longer waits for parts.');
        return { data: { id: job.id, part_number: number, received_bytes: length } };
      },
    );
  });
}

/** Returns the length in bytes that the request declares; `Infinity` when it has a body of undeclared length. */
function declaredLength(headers: IncomingHttpHeaders): number {
  const header = headers['content-length'];
  if (header !== undefined) return Number(header);
  return headers['transfer-encoding'] === undefined ? 0 : Infinity;
}

function assertLength(declaredBytes: number, expectedBytes: number): void {
  if (declaredBytes === 0) throw new ServiceError('empty_upload', 'The part is empty.');
  if (declaredBytes === Infinity) {
    throw new ServiceError('part_size_mismatch', 'The part must declare its length (Content-Length).');
  }
  if (declaredBytes !== expectedBytes) {
    throw new ServiceError(
      'part_size_mismatch',
      `The part has ${declaredBytes} bytes; ${expectedBytes} were expected.`,
    );
  }
}

function throwServiceError(error: unknown): never {
  if (error instanceof SupersededPartError) {
    throw new ServiceError('invalid_status', 'The part was sent again, or its job has ended.', {
      cause: error,
    });
  }
  if (error instanceof TruncatedPartError) {
    throw new ServiceError('part_size_mismatch', 'The connection ended before the part was complete.', {
      cause: error,
    });
  }
  throw error;
}

/** A job whose upload session is open. */
interface UploadingJob extends ServiceJob {
  readonly source: JobSource & { readonly kind: 'file' };
}

/**
 * Checks that a job waits for parts.
 *
 * @throws ServiceError `upload_session_missing`, `upload_expired` or `invalid_status`.
 */
function assertUploading(job: ServiceJob): asserts job is UploadingJob {
  if (job.source.kind === 'link') {
    throw new ServiceError('upload_session_missing', 'The service downloads the file of this job.');
  }
  if (job.error?.code === 'upload_expired') {
    throw new ServiceError('upload_expired', 'The upload session has expired.');
  }
  if (job.status !== 'accepted' && job.status !== 'uploading') {
    throw new ServiceError('invalid_status', `The job is ${job.status}; it does not wait for parts.`);
  }
}
