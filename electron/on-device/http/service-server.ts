import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { ResponseHeader } from './api-schemas.ts';

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** One line for the OpenAPI document. */
    readonly summary?: string;
    /** The code for a failure of the service itself (API part 7). */
    readonly failure?: ApiErrorCode;
    /** The other codes that the route answers with. */
    readonly errors?: readonly ApiErrorCode[];
    /** The headers that its successes have, by their status; see `openapi.ts`. */
    readonly headers?: Readonly<Record<number, readonly ResponseHeader[]>>;
    /** The request's body is bytes as they are, not JSON. */
    readonly takesBytes?: boolean;
  }
}

/** For requests that have no body (API parts 4.3 and 4.6): if a short one comes all the same, it is thrown away. */
export function acceptAnyBody(scope: ServiceServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
}
