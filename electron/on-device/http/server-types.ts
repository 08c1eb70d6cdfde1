import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import type { Account } from '../jobs/account.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { PartStore } from '../jobs/part-store.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { PartWriter } from '../media/part-writer.ts';
import type { Availability } from '../processing/availability.ts';
import type { Processor } from '../processing/processor.ts';
import type { RemoteHosts } from '../remote/remote-hosts.ts';
import type { ServiceLimits } from '../service-options.ts';
import type { AnswerHeader } from './wire.ts';

/** Types of requests and answers come from the zod schemas of their route. */
interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

/** The server that routes are registered on. */
export type ServiceServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What the routes work with. */
export interface ServiceContext {
  readonly store: JobStore;
  readonly account: Account;
  readonly parts: PartStore;
  readonly files: MediaFiles;
  readonly partWriter: PartWriter;
  readonly processor: Processor;
  readonly availability: Availability;
  readonly remoteHosts: RemoteHosts;
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** One line for the OpenAPI document. */
    readonly summary?: string;
    /** The code for a failure of the service itself (API part 7). */
    readonly failure?: ApiErrorCode;
    /** The other codes that the route answers with. */
    readonly errors?: readonly ApiErrorCode[];
    /** The headers that its successes have, by their status; see `openapi.ts`. */
    readonly headers?: Readonly<Record<number, readonly AnswerHeader[]>>;
    /** The request's body is bytes as they are, not JSON. */
    readonly takesBytes?: boolean;
  }
}
