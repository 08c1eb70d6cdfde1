import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { jobsPath } from '../http/origin.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { jobParamsSchema, partEnvelopeSchema, partQuerySchema } from '../http/wire.ts';
import { partRange } from '../media/part-plan.ts';
import { SupersededError, TruncatedPartError } from '../media/part-writer.ts';
import { ServiceError } from '../service-error.ts';
import { assertUploading, loadJob } from './load-job.ts';

/** PUT /api/v1/transcriptions/{id}/upload?part_number=N: the raw bytes of one part (API part 4.2). */
export function registerUploadPart(server: ServiceServer, context: ServiceContext): void {
  const { store, partWriter, availability } = context;
  void server.register(async (scope: ServiceServer) => {
    // Whatever type the body claims to be, it is bytes, and they are not read before they have a place.
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
          failure: 'upload_failed',
          takesBytes: true,
          errors: [
            'empty_upload',
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
        const declared = declaredLength(request.headers);
        // The bytes of a refused part are read and thrown away, but not without end.
        if (declared > 2 * upload.partSize) reply.header('connection', 'close');
        assertLength(declared, length);
        const bytes = request.body instanceof Readable ? request.body : new PassThrough().end();
        const stored = await partWriter
          .write({ jobId: job.id, number, offset, length, bytes })
          .catch((error: unknown) => {
            availability.assertOpen();
            return asServiceError(error);
          });
        if (!stored) throw new ServiceError('invalid_status', 'The job does not wait for parts any more.');
        return { data: { id: job.id, part_number: number, received_bytes: length } };
      },
    );
  });
}

/** The length that a request states; infinite when it sends a body without stating any. */
function declaredLength(headers: IncomingHttpHeaders): number {
  const header = headers['content-length'];
  if (header !== undefined) return Number(header);
  return headers['transfer-encoding'] === undefined ? 0 : Infinity;
}

function assertLength(declared: number, expected: number): void {
  if (declared === 0) throw new ServiceError('empty_upload', 'The part is empty.');
  if (declared === Infinity) {
    throw new ServiceError('part_size_mismatch', 'The part has to state its length (Content-Length).');
  }
  if (declared !== expected) {
    throw new ServiceError(
      'part_size_mismatch',
      `The part has ${declared} bytes; ${expected} were expected.`,
    );
  }
}

function asServiceError(error: unknown): never {
  if (error instanceof SupersededError) {
    throw new ServiceError('invalid_status', 'The part was sent again, or its job has ended.', {
      cause: error,
    });
  }
  if (error instanceof TruncatedPartError) {
    throw new ServiceError('part_size_mismatch', 'The connection ended before the part did.', {
      cause: error,
    });
  }
  throw error;
}
