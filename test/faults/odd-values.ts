import type { ScriptedResponse } from '../support/scripted-service/shape.ts';

/** Placeholders for numbers that `JSON.stringify` cannot write. */
const rawNumbers = { '@1e999': '1e999', '@400 digits': '9'.repeat(400), '@-0': '-0' } as const;

const nestedArrays = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Replacements for a value of a response; `undefined` removes it. */
export const oddValues: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  0.1,
  1e21,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  ...Object.keys(rawNumbers),
  '',
  ' ',
  '0',
  '1',
  '12.5',
  '-3',
  'NaN',
  'Infinity',
  'null',
  'completed',
  'failed',
  'deleted',
  'uploading',
  'no such status',
  'x'.repeat(100_000),
  'word '.repeat(50_000),
  '\u0000',
  '\u001B[31mred\u001B]0;title\u0007',
  '\u0085\u009B1m',
  '\u202Edesrever',
  '\uD800',
  '\uDC00 \uD83D',
  '👩‍👩‍👧‍👦'.repeat(100),
  '%zz',
  '%',
  '%00',
  '%2e%2e%2f',
  '.',
  '..',
  '../../..',
  '/api/v1/transcriptions/%zz',
  '//other.example/x',
  'https://other.example/api/v1/transcriptions/j',
  'http://[',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'C:\\Windows',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  "'; DROP TABLE items; --",
  '(a+)+$',
  'en_US',
  'auto',
  'pt_BR',
  'Norwegian (Bokmål)',
  'x-',
  '2026-02-30T99:99:99Z',
  'offline',
  'refused',
  [],
  [[]],
  [null],
  [1, 'a', {}],
  nestedArrays(5000),
  Array.from({ length: 10_000 }, () => null),
  {},
  { kind: 'offline' },
  { kind: 'refused', message: 'x' },
  { id: '..' },
  { text: 1, segments: 'none' },
  { segments: [{ start: 'a', end: null, text: 'x' }] },
  { segments: [{ start: 1e9, end: 1e308, text: 'x' }] },
  { segments: [{ start: 5, end: 1, text: '\uD800' }], language: 'en_US' },
  { segments: [{ start: '1.5', end: '2', text: 'numeric' }] },
  { text: 'x'.repeat(300_000), language: '\u0000' },
  JSON.parse('{"__proto__":{"id":"x","status":"completed"}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":1}}}'),
  JSON.parse('{"then":"not a promise","toString":1,"valueOf":null}'),
  { part_size: 1, part_count: 1e9, part_url: '/x', complete_url: '/y' },
  { part_size: 1, part_count: 2500, part_url: '/x', complete_url: '/y' },
  { part_size: 1e15, part_count: 1, part_url: 'http://[', complete_url: '//' },
];

type Path = readonly (string | number)[];

/** The path of every value in a body, the body itself first. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function withReplaced(value: unknown, path: Path, odd: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return odd;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string | number, unknown>)
    : { ...(value as Record<string, unknown>) };
  if (rest.length === 0 && odd === undefined) delete copy[name];
  else copy[name] = withReplaced(copy[name], rest, odd);
  return copy;
}

/** Serializes a body with numbers that JavaScript does not have. */
function serialized(body: unknown): unknown {
  const text = JSON.stringify(body);
  if (text === undefined) return null;
  return Object.entries(rawNumbers).reduce((json, [name, raw]) => json.replaceAll(`"${name}"`, raw), text);
}

/**
 * Replaces one header or one value of the body.
 *
 * @param which selects the header or value, modulo their number in this response.
 */
export function alter(response: ScriptedResponse, which: number, odd: unknown): ScriptedResponse {
  const headers = Object.keys({ location: '', 'retry-after': '', ...response.headers });
  const paths = pathsIn(response.body);
  const index = which % (headers.length + paths.length);
  const header = headers[index];
  const json = { 'content-type': 'application/json' };
  if (header === undefined) {
    const body = serialized(withReplaced(response.body, paths[index - headers.length] ?? [], odd));
    return { ...response, headers: { ...json, ...response.headers }, body };
  }
  const { [header]: _replaced, ...others } = response.headers;
  // Node refuses to send other characters.
  const text =
    typeof odd === 'string'
      ? odd.slice(0, 4000).replaceAll(/[^\t\u0020-\u007E\u0080-\u00FF]/gu, '?')
      : JSON.stringify(odd);
  return {
    ...response,
    headers: { ...json, ...others, ...(odd !== undefined && { [header]: text.slice(0, 4000) }) },
    body: serialized(response.body),
  };
}
