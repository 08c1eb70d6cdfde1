import {
  jobEnvelopeSchema,
  jobParamsSchema,
  listEnvelopeSchema,
  statusQuerySchema,
} from '../http/api-schemas.ts';
import { ignoreBody, type ServiceServer } from '../http/server-types.ts';
import {
  jobsPath,
  loadJob,
  type ServiceContext,
  toEnvelope,
  toMeta,
  toWireJob,
  toWireSegment,
} from './job-resource.ts';

/** GET /api/v1/transcriptions/{id}: returns the status and result (API part 4.4). */
export function registerStatus(server: ServiceServer, context: ServiceContext): void {
  server.get(
    `${jobsPath}/:id`,
    {
      schema: {
        params: jobParamsSchema,
        querystring: statusQuerySchema,
        response: { 200: jobEnvelopeSchema },
      },
      config: {
        summary: 'Job status and result',
        internalErrorCode: 'request_failed',
        headers: { 200: ['retry-after'] },
      },
    },
    async (request, reply) => {
      const job = loadJob(context.store, request.params.id);
      reply.header('retry-after', context.limits.pollSeconds);
      const { partial, from = 0, words } = request.query;
      const withWords = job.withWords || words === '1';
      const envelope = toEnvelope(context, job, withWords);
      const transcriptSoFar = partial === '1' ? context.partialTranscripts.get(job.id, from) : null;
      if (transcriptSoFar === null) return envelope;
      const segments = transcriptSoFar.segments.map((segment) => toWireSegment(segment, withWords));
      const partialTranscript = { ...transcriptSoFar, segments };
      return { ...envelope, data: { ...envelope.data, partial_transcript: partialTranscript } };
    },
  );
}

const listLength = 100;

/** GET /api/v1/transcriptions: lists the latest 100 records, newest first, without transcripts (API part 4.5). */
export function registerList(server: ServiceServer, context: ServiceContext): void {
  server.get(
    jobsPath,
    {
      schema: { response: { 200: listEnvelopeSchema } },
      config: { summary: 'The latest 100 records', internalErrorCode: 'request_failed' },
    },
    async () => ({
      data: context.store.latest(listLength).map((job) => toWireJob(context, job)),
      meta: toMeta(context),
    }),
  );
}

/** DELETE /api/v1/transcriptions/{id}: cancels an active job, deletes the result of an ended one (API part 4.6). */
export function registerDelete(server: ServiceServer, context: ServiceContext): void {
  const { store, processor } = context;
  void server.register(async (scope: ServiceServer) => {
    ignoreBody(scope);
    scope.delete(
      `${jobsPath}/:id`,
      {
        schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema } },
        config: {
          summary: 'Cancel an active job, or delete a result and its media',
          internalErrorCode: 'request_failed',
        },
      },
      async (request) => {
        const { id } = loadJob(store, request.params.id);
        store.delete(id);
        processor.discard(id);
        return toEnvelope(context, loadJob(store, id));
      },
    );
  });
}
