import { jobsPath } from '../http/origin.ts';
import { toEnvelope } from '../http/present.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { jobEnvelopeSchema, jobParamsSchema } from '../http/wire.ts';
import { acceptAnyBody } from './accept-any-body.ts';
import { loadJob } from './load-job.ts';

/** DELETE /api/v1/transcriptions/{id}: cancels what is active, takes away what is done (API part 4.6). */
export function registerDelete(server: ServiceServer, context: ServiceContext): void {
  const { store, processor } = context;
  void server.register(async (scope: ServiceServer) => {
    acceptAnyBody(scope);
    scope.delete(
      `${jobsPath}/:id`,
      {
        schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema } },
        config: {
          summary: 'Cancel an active job, or delete a result and its media',
          failure: 'request_failed',
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
