import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import type { ResponseHeader } from './api-schemas.ts';

/** Derives the types of requests and responses from the zod schemas of their route. */
interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

/** The Fastify server with zod as its type provider. */
export type ServiceServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Summary for the OpenAPI document. */
    readonly summary?: string;
    /** The code for an internal error (API part 7). */
    readonly internalErrorCode?: ApiErrorCode;
    /** The other error codes of the route. */
    readonly errors?: readonly ApiErrorCode[];
    /** The headers of its success responses by status, for the OpenAPI document. */
    readonly headers?: Readonly<Record<number, readonly ResponseHeader[]>>;
    /** Whether the body is raw bytes instead of JSON. */
    readonly takesBytes?: boolean;
  }
}

/** Ignores a body where the API has none (parts 4.3 and 4.6). */
export function ignoreBody(scope: ServiceServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
}
