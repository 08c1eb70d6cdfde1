import * as fc from 'fast-check';
import { jobsPath } from './api.ts';

const id = fc.oneof(
  fc.constantFrom('ID', '..', '%2e%2e', '%00', '', '0', '\'"', 'a'.repeat(200)),
  fc.uuid(),
  fc.string({ maxLength: 30 }).map(encodeURIComponent),
);
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/api',
    '/api/v1',
    jobsPath,
    `${jobsPath}/`,
    '//',
    '/openapi.json',
    '/%zz',
    '/api/v2/transcriptions',
  ),
  id.map((one) => `${jobsPath}/${one}`),
  id.map((one) => `${jobsPath}/${one}/complete`),
  fc
    .tuple(
      id,
      fc.oneof(
        fc.integer().map(String),
        fc.constantFrom('1', '2', '3', '1e1', 'NaN'),
        fc.string({ maxLength: 9 }),
      ),
    )
    .map(([one, part]) => `${jobsPath}/${one}/upload?part_number=${encodeURIComponent(part)}`),
  fc.webPath().map((one) => `/${one}`),
);
const field = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('a.wav', 5, -1, 'https://127.0.0.1/', 'auto', 'fast', true, '.', '../a.wav'),
);
/** The body of a create request with fields of any kind. */
export const createBody = fc.record(
  {
    url: field,
    file_name: field,
    file_size: field,
    mime_type: field,
    language: field,
    accuracy_mode: field,
    translate_to_english: field,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 3, arbitrary: createBody.map((value) => JSON.stringify(value)) },
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('', '{', '{"__proto__":{"x":1}}', '[[[[', '"', 'null'),
  fc.uint8Array({ minLength: 1000, maxLength: 1000 }),
);
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=latin1',
      '*/*',
      ';;',
      'a',
    ),
    'idempotency-key': fc.oneof(fc.constantFrom('k', 'a b', ''), fc.stringMatching(/^[\x20-\x7e]{0,140}$/)),
    'x-other': fc.stringMatching(/^[\x20-\x7e]{0,60}$/),
  },
  { requiredKeys: [] },
);
/** A request of any shape; `ID` in its path stands for an existing job. */
export const hostileRequest = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
  path,
  headers,
  body,
  hasBody: fc.boolean(),
  hasKey: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
});
