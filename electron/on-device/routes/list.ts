import { jobsPath } from '../http/origin.ts';
import { toMeta, toWireJob } from '../http/present.ts';
import type { ServiceContext, ServiceServer } from '../http/server-types.ts';
import { listEnvelopeSchema } from '../http/wire.ts';

const listLength = 100;

/** GET /api/v1/transcriptions: the latest 100 records, the newest first, without transcripts (API part 4.5). */
export function registerList(server: ServiceServer, context: ServiceContext): void {
  server.get(
    jobsPath,
    {
      schema: { response: { 200: listEnvelopeSchema } },
      config: { summary: 'The latest 100 records', failure: 'request_failed' },
    },
    async () => ({
      data: context.store.latest(listLength).map((job) => toWireJob(context, job)),
      meta: toMeta(context),
    }),
  );
}
