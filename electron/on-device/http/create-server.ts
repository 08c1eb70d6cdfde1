import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDiskFull, isTooLargeForDisk } from '../../contract/errors.ts';
import { type BearerCheck, isOwnHost, UnauthenticatedConnections, RateLimiter } from './admission.ts';
import { errorBody, sendError } from './error-response.ts';
import { registerOpenApi } from './openapi.ts';
import type { ServiceServer } from './server-types.ts';
import { registerCreate } from '../routes/create-job.ts';
import { registerDelete, registerList, registerStatus } from '../routes/existing-jobs.ts';
import type { ServiceContext } from '../routes/job-resource.ts';
import { registerComplete, registerUploadPart } from '../routes/upload.ts';
import { ServiceError } from '../service-error.ts';

const kibibyte = 1024;

/** Creates the HTTP server of the service with all routes (API part 4), not listening yet. */
export function createServer(context: ServiceContext, bearer: BearerCheck, ownHost: string): ServiceServer {
  const { clock, limits } = context;
  const server: ServiceServer = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: limits.maxBodyBytes,
    connectionTimeout: limits.idleTimeoutMs,
    requestTimeout: limits.requestMs,
    forceCloseConnections: true,
    return503OnClosing: false,
    http: {
      maxHeaderSize: 16 * kibibyte,
      // The hook below checks the Host header, so that the response explains the error.
      requireHostHeader: false,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 15_000),
    },
    clientErrorHandler: respondToProtocolError,
    // Paths that the router rejects before all hooks: invalid escapes, overlong identifiers.
    frameworkErrors: (_error, request, reply) => {
      drainBody(request, reply);
      return sendError(notFoundError(), 'request_failed', request, reply, context.logger);
    },
  });
  server.server.maxConnections = limits.maxConnections;
  const connections = new UnauthenticatedConnections(Math.max(1, Math.floor(limits.maxConnections / 4)));
  server.server.on('connection', (socket) => connections.add(socket));
  // Node would answer an unknown `Expect` with 417, before our checks. RFC 9110 allows a server to ignore the header.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  validateWithZod(server);

  server.setErrorHandler(async (error, request, reply) => {
    const internalErrorCode = request.routeOptions.config.internalErrorCode ?? 'request_failed';
    if (isDiskFull(error) && !isTooLargeForDisk(error)) context.availability.reportRefusal(0);
    drainBody(request, reply);
    await sendError(error, internalErrorCode, request, reply, context.logger);
    return reply;
  });
  server.setNotFoundHandler(() => {
    throw notFoundError();
  });
  const authenticatedRate = new RateLimiter(limits.requestsPerMinute, clock);
  // Requests without the key must not use up the limit of its owner.
  const unauthenticatedRate = new RateLimiter(limits.requestsPerMinute, clock);
  server.addHook('onRequest', async (request) => {
    if (request.headers.host === undefined) {
      throw new ServiceError('invalid_json', 'The request has no Host header.');
    }
    if (!namesOneHost(request.raw) || !isOwnHost(request.host, ownHost)) {
      throw new ServiceError('not_found', 'The service is not known under this name.');
    }
    const isAuthenticated = bearer.accepts(request.headers.authorization);
    assertRate(isAuthenticated ? authenticatedRate : unauthenticatedRate);
    if (!isAuthenticated) throw new ServiceError('invalid_api_key', 'The API key is missing or not valid.');
    connections.markAuthenticated(request.raw.socket);
    if (request.method !== 'GET') context.availability.assertOpen();
    // Overdue upload sessions expire now rather than at the next sweep, so that they cannot affect this request.
    for (const id of context.store.expireUploads()) context.processor.discard(id);
  });

  registerOpenApi(server);
  registerCreate(server, context);
  registerUploadPart(server, context);
  registerComplete(server, context);
  registerStatus(server, context);
  registerList(server, context);
  registerDelete(server, context);
  return server;
}

/**
 * Whether a request names one host: it has one `Host` header, and its target no other. Node would use the first header
 * and ignore the target (RFC 9112, parts 3.2 and 3.2.2).
 */
function namesOneHost({ rawHeaders, url = '', headers }: IncomingMessage): boolean {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (count !== 1) return false;
  return url.startsWith('/') || URL.parse(url)?.host === headers.host?.toLowerCase();
}

/**
 * The maximum bytes of a rejected request's body to drain, so that the client reads the response before the connection
 * closes.
 */
const maxDrainedBytes = 16 * kibibyte ** 2;

/** Drains the body of a rejected request, and closes the connection if there is more of it than {@link maxDrainedBytes}. */
function drainBody({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (Number(headers['content-length'] ?? 0) > maxDrainedBytes) reply.header('connection', 'close');
  if (raw.complete) return;
  let remainingBytes = maxDrainedBytes;
  raw.on('data', (data: Uint8Array) => {
    remainingBytes -= data.length;
    if (remainingBytes < 0) raw.socket.destroy();
  });
}

/** @throws ServiceError `rate_limited` when there are too many requests. */
function assertRate(rate: RateLimiter): void {
  const waitMs = rate.take();
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  throw new ServiceError('rate_limited', 'There are too many requests. Try again later.', {
    retryAfterSeconds,
  });
}

const notFoundError = (): ServiceError => new ServiceError('not_found', 'There is no such address.');

/** Validates requests with zod. Responses are typed by the same schemas, so they are serialized without validation. */
function validateWithZod(server: ServiceServer): void {
  server.setValidatorCompiler(({ schema }) => {
    if (!(schema instanceof z.ZodType)) throw new TypeError('route schemas are zod schemas');
    return (input: unknown) => {
      const { success, data, error } = schema.safeParse(input);
      return success ? { value: data } : { error };
    };
  });
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** Responds to data that is not an HTTP request, and closes the connection. */
function respondToProtocolError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const body = errorBody('invalid_json', 'The request cannot be read.');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
