import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { ApiErrorCode } from '../../contract/problem.ts';
import { statusOfCode } from './error-answer.ts';
import type { ServiceServer } from './server-types.ts';
import { errorBodySchema } from './wire.ts';

/**
 * Serves `/openapi.json`. It is made from the very schemas that requests are checked against, so it cannot say anything
 * else than what the service does. Has to be registered before the routes that it is to describe.
 */
export function registerOpenApi(server: ServiceServer): void {
  const paths: Record<string, Record<string, unknown>> = {};
  server.addHook('onRoute', (route) => {
    if (route.config?.summary === undefined) return;
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describe(route) };
  });
  server.get('/openapi.json', () => ({
    openapi: '3.1.0',
    info: { title: 'Asynchronous Media Transcription API', version: 'v1' },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    security: [{ key: [] }],
    paths,
  }));
}

function describe(route: RouteOptions): unknown {
  const { summary, failure, errors = [] } = route.config ?? {};
  const schema = route.schema ?? {};
  return {
    summary,
    parameters: [
      ...parameters('path', schema.params),
      ...parameters('query', schema.querystring),
      ...parameters('header', schema.headers),
    ],
    ...(schema.body instanceof z.ZodType && { requestBody: { required: true, content: json(schema.body) } }),
    responses: {
      ...successes(schema.response),
      ...failures([
        'invalid_api_key',
        'rate_limited',
        ...(route.method === 'GET' ? [] : (['queue_unavailable'] as const)),
        ...errors,
        ...(failure === undefined ? [] : [failure]),
      ]),
    },
  };
}

function successes(responses: unknown): Record<string, unknown> {
  const schemas = z.record(z.string(), z.instanceof(z.ZodType)).parse(responses);
  return Object.fromEntries(
    Object.entries(schemas).map(([status, schema]) => [
      status,
      { description: 'Success', content: json(schema) },
    ]),
  );
}

/** One entry for each status, with the codes that share it. */
function failures(codes: readonly ApiErrorCode[]): Record<string, unknown> {
  const byStatus = Object.groupBy(codes, (code) => statusOfCode[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      { description: group.map((code) => `\`${code}\``).join(', '), content: json(errorBodySchema) },
    ]),
  );
}

function parameters(place: 'path' | 'query' | 'header', schema: unknown): readonly unknown[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

function json(schema: z.ZodType): unknown {
  return { 'application/json': { schema: toJsonSchema(schema) } };
}

/** What may be sent, which for a schema with defaults is less than what is read from it. */
function toJsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...description } = z.toJSONSchema(schema, { io: 'input' });
  return description;
}
