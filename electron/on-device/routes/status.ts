import { jobsPath } from '../http/origin.ts';
import { toEnvelope } from '../http/present.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { jobEnvelopeSchema, jobParamsSchema } from '../http/wire.ts';
import { loadJob } from './load-job.ts';

/** GET /api/v1/transcriptions/{id}: status and result (API part 4.4). */
export function registerStatus(server: ServiceServer, context: ServiceContext): void {
  server.get(
    `${jobsPath}/:id`,
    {
      schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema } },
      config: {
        summary: 'Job status and result',
        failure: 'request_failed',
        headers: { 200: ['retry-after'] },
      },
    },
    async (request, reply) => {
      const job = loadJob(context.store, request.params.id);
      reply.header('retry-after', context.limits.pollSeconds);
      return toEnvelope(context, job);
    },
  );
}
