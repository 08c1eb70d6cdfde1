import { expect, it } from 'vitest';
import {
  readBalance,
  readCreated,
  readError,
  readJob,
  readJobInProgress,
  readList,
  readJobWithRecord,
} from '../../../../electron/core/api/wire.ts';
import { parseJobId } from '../../../../electron/contract/identifiers.ts';

const link = 'https://api.example.com/upload';
const upload = { part_size: 65_536, part_count: 2, part_url: link, complete_url: `${link}/complete` };
const word = { text: 'Hello.', start: 0, end: 0.5, probability: 0.9 };
const segment = { start: 0, end: 1, text: 'Hello.', words: [word] };
const job = {
  id: 'job',
  status: 'completed',
  progress: 50,
  duration_seconds: 60,
  unreadable_seconds: 20,
  omitted_seconds: 8,
  credits_charged: 2,
  language: 'de',
  file_name: 'a.mp3',
  created_at: '2026-01-02T03:04:05Z',
  transcript: { text: 'Hello.', language: 'en', segments: [segment] },
  error: { code: 'internal', message: 'broken' },
};

/** Each reader with bodies that it understands. */
const readers: readonly (readonly [string, (body: unknown) => unknown, readonly unknown[]])[] = [
  ['readCreated', readCreated, [{ data: { id: 'job' }, upload }, { id: 'job', data: { upload } }, upload]],
  ['readJob', readJob, [{ data: job }, { status: 'queued', transcript: { segments: [segment] } }]],
  [
    'readJobInProgress',
    readJobInProgress,
    [{ status: 'active', partial_transcript: { from: 3, language: 'en', segments: [segment] } }],
  ],
  [
    'readJobWithRecord',
    readJobWithRecord,
    [{ data: job }, { ...job, created_at: undefined, createdAt: 1e12 }],
  ],
  [
    'readList',
    readList,
    [{ data: { items: [{ id: 'a' }, {}] } }, { data: [{ id: 'a', created: 5 }] }, [job]],
  ],
  ['readError', readError, [{ error: { code: 'not_found', message: 'gone' } }, { error: 'not_found' }]],
  ['readBalance', readBalance, [{ meta: { balance_credits: 5 } }]],
  ['parseJobId', parseJobId, ['job', 7]],
];

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  ' ',
  '.',
  '..',
  'text',
  ' not_found ',
  'not_found',
  'two\n\u0000lines\u009b',
  'lone \ud800 surrogate',
  '12',
  '1e3',
  '2026-01-02T03:04:05+02:00',
  -1,
  0,
  0.25,
  1,
  64,
  65,
  65_535,
  65_536,
  100,
  100_000,
  100_001,
  360_000,
  360_001,
  3_600_001,
  99_999_999_999,
  100_000_000_000,
  1e12,
  1e12 + 1,
  8.64e15,
  8.65e15,
  2 ** 53,
  1e308,
  'x'.repeat(100),
  'x'.repeat(256),
  'x'.repeat(257),
  `${'x'.repeat(1990)} ${'y'.repeat(60)}`,
  'https://x.example/'.padEnd(10_000, 'x'),
  [],
  {},
  [segment, { start: 1, text: 'No end.' }],
  [
    { start: -3, end: -1, text: ' Early. ' },
    { start: '5', end: '4', text: 'Backwards.', speaker: 'A' },
  ],
  { id: 'other', status: 'queued', code: 'rate_limited', message: 'slow' },
];

/** The paths of all values in a body, with the body itself first. */
function pathsOf(body: unknown): readonly (readonly string[])[] {
  if (typeof body !== 'object' || body === null) return [[]];
  return [
    [],
    ...Object.entries(body).flatMap(([key, value]) => pathsOf(value).map((path) => [key, ...path])),
  ];
}

/** A copy of a body with one value replaced. */
function replaced(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((one, i) => (String(i) === key ? replaced(one, rest, value) : one));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, one]) => [name, name === key ? replaced(one, rest, value) : one]),
  );
}

/** A value on one line, long texts abbreviated. */
function show(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'string' && one.length > 60
      ? `${one.slice(0, 8)}… (${one.length} characters, ${one.at(-1)})`
      : one,
  );
  return text ?? 'missing';
}

/** What a reader returns, by path; an error has no path. */
function read(reader: (body: unknown) => unknown, body: unknown): ReadonlyMap<string, string> {
  try {
    const result = reader(body);
    return new Map(leavesOf(result).map((path) => [path.join('.'), show(valueAt(result, path))]));
  } catch (error) {
    return new Map([['throws', String(error)]]);
  }
}

const leavesOf = (value: unknown): readonly (readonly string[])[] =>
  pathsOf(value).filter((path) => typeof valueAt(value, path) !== 'object' || isEmpty(valueAt(value, path)));

const isEmpty = (value: unknown): boolean => value === null || Object.keys(Object(value)).length === 0;

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  return key === undefined ? value : valueAt(Object(value)[key], rest);
}

/** What differs from the result for the original body. */
function difference(
  usual: ReadonlyMap<string, string>,
  result: ReadonlyMap<string, string>,
  value: string,
): string {
  const changed = [...result].filter(([path, one]) => usual.get(path) !== one);
  const gone = [...usual.keys()].filter((path) => !result.has(path) && !result.has('throws'));
  const parts = changed.map(
    ([path, one]) => `${path}: ${one === value || one === `"${value}"` ? 'the value' : one}`,
  );
  return [...parts, ...(gone.length > 0 ? [`without ${gone.join(', ')}`] : [])].join('; ');
}

// The table is to be read: it shows what each field of a response may be, and what becomes of anything else.
it('reads every field of every response as written in wire-table.txt', async () => {
  const lines: string[] = [];
  for (const [name, reader, bodies] of readers) {
    for (const body of bodies) {
      const usual = read(reader, body);
      lines.push(`## ${name} ${show(body)}`, ...[...usual].map(([path, value]) => `    ${path}: ${value}`));
      for (const path of pathsOf(body)) {
        const results = values.map(
          (value) =>
            [show(value), difference(usual, read(reader, replaced(body, path, value)), show(value))] as const,
        );
        for (const [result, same] of Map.groupBy(results, ([, one]) => one)) {
          if (result === '') continue;
          lines.push(`${path.join('.')} = ${same.map(([value]) => value).join(' or ')}`, `    ${result}`);
        }
      }
      lines.push('');
    }
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('wire-table.txt');
});
