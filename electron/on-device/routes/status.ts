import { jobsPath } from '../http/origin.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { jobEnvelopeSchema, jobParamsSchema, toEnvelope } from '../http/wire.ts';
import { loadJob } from './load-job.ts';

/** GET /api/v1/transcriptions/{id}: status and result (API part 4.4). */
export function registerStatus(server: ServiceServer, { store }: ServiceContext): void {
  server.get(
    `${jobsPath}/:id`,
    {
      schema: { params: jobParamsSchema, response: { 200: jobEnvelopeSchema } },
      config: { summary: 'Job status and result', failure: 'request_failed', errors: ['not_found'] },
    },
    async (request, reply) => {
      const job = loadJob(store, request.params.id);
      reply.header('retry-after', 3);
      return toEnvelope(job, store.transcript(job.id), store.balance());
    },
  );
}
