import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import { responseHeaders, errorBodySchema, type ResponseHeader } from './api-schemas.ts';
import { protocolErrorStatuses, retryAfterOfCode, statusOfCode } from './error-response.ts';
import type { ServiceServer } from './server-types.ts';

/** The errors that every request may get. */
const commonErrors: readonly ApiErrorCode[] = [
  'invalid_json',
  'invalid_api_key',
  'not_found',
  'rate_limited',
];

const openApiVersion = '3.1.0' as const;

/** The part of an OpenAPI document that its version requires. */
const descriptionSchema = z.looseObject({
  openapi: z.literal(openApiVersion),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/**
 * Serves `/openapi.json`, which is generated from the schemas that validate requests; the tests check every response
 * against it. Must be registered before all routes, and rejects a route without a summary.
 */
export function registerOpenApi(server: ServiceServer): void {
  const paths: Record<string, Record<string, unknown>> = {};
  server.addHook('onRoute', (route) => {
    if (route.config?.summary === undefined) throw new TypeError(`${route.url} has no summary`);
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describeRoute(route) };
  });
  server.get(
    '/openapi.json',
    {
      schema: { response: { 200: descriptionSchema } },
      config: { summary: 'This description', internalErrorCode: 'request_failed' },
    },
    async () => ({
      openapi: openApiVersion,
      info: { title: 'Asynchronous Media Transcription API', version: 'v1' },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
      paths,
    }),
  );
}

function describeRoute(route: RouteOptions): unknown {
  const { summary, internalErrorCode, errors = [], headers = {}, takesBytes = false } = route.config ?? {};
  const schema = route.schema ?? {};
  const codes = new Set([
    ...commonErrors,
    ...(route.method === 'GET' ? [] : (['queue_unavailable'] as const)),
    ...errors,
    ...(internalErrorCode === undefined ? [] : [internalErrorCode]),
  ]);
  return {
    summary,
    parameters: [
      ...describeParameters('path', schema.params),
      ...describeParameters('query', schema.querystring),
      ...describeParameters('header', schema.headers),
    ],
    ...(schema.body instanceof z.ZodType && {
      requestBody: { required: true, content: jsonContent(toJsonSchema(schema.body, 'input')) },
    }),
    ...(takesBytes && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    responses: { ...describeSuccesses(schema.response, headers), ...describeErrors([...codes]) },
  };
}

function describeSuccesses(
  responses: unknown,
  headers: Readonly<Record<string, readonly ResponseHeader[]>>,
): Record<string, unknown> {
  const schemas = z.record(z.string(), z.instanceof(z.ZodType)).parse(responses);
  return Object.fromEntries(
    Object.entries(schemas).map(([status, schema]) => [
      status,
      {
        description: 'Success',
        headers: describeHeaders(headers[status] ?? []),
        content: jsonContent(toJsonSchema(schema, 'output')),
      },
    ]),
  );
}

/** Returns one response per error status, with the codes that share it. */
function describeErrors(codes: readonly ApiErrorCode[]): Record<string, unknown> {
  const byStatus = Object.entries(Object.groupBy(codes, (code) => statusOfCode[code]));
  const protocolErrors = protocolErrorStatuses.map((status): [string, ApiErrorCode[]] => [
    String(status),
    ['invalid_json'],
  ]);
  return Object.fromEntries(
    [...byStatus, ...protocolErrors].map(([status, group = []]) => [
      status,
      {
        description: group.map((code) => `\`${code}\``).join(', '),
        headers: describeHeaders([
          ...(group.every((code) => retryAfterOfCode[code] !== undefined) ? (['retry-after'] as const) : []),
          ...(group.includes('invalid_api_key') ? (['www-authenticate'] as const) : []),
        ]),
        content: jsonContent(toJsonSchema(errorBodySchema(group), 'output')),
      },
    ]),
  );
}

function describeHeaders(names: readonly ResponseHeader[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      const { description, ...schema } = toJsonSchema(responseHeaders[name], 'output');
      return [name, { description, required: true, schema }];
    }),
  );
}

function describeParameters(location: 'path' | 'query' | 'header', schema: unknown): readonly unknown[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema: property,
  }));
}

function jsonContent(schema: unknown): unknown {
  return { 'application/json': { schema } };
}

/** Converts a schema for requests (`input`: fields with defaults are optional) or for responses (`output`). */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...description } = z.toJSONSchema(schema, { io });
  return description;
}
