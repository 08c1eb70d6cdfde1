import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { resultsTable, withTable } from '../../../scripts/bench-suite.mjs';

const performanceDocument = readFileSync(
  resolve(import.meta.dirname, '../../../docs/performance.md'),
  'utf8',
);

it('lists what was measured with goal and other program, and names what was not', () => {
  const upload = {
    longhandGBPerSecond: 0.9,
    curlForEachPartGBPerSecond: 0.3,
    oneCurlForAllGBPerSecond: 0.6,
    mibAboveIdle: 24.7,
  };
  const table = resultsTable((bench) => (bench === 'upload' ? JSON.stringify(upload) : null));
  expect(table.split('\n').slice(2)).toEqual([
    '| Upload of 2 GiB | twice as fast as one `curl -T` per part | 0.9 GB/s | curl: 0.3 GB/s, one process for all parts 0.6 GB/s |',
    '| Memory of an upload above idle | at most 120 MiB | 25 MiB |  |',
    '',
    'Not measured in this run: speech, queue, export, search, window, transcript.',
  ]);
});

it('replaces the table of an earlier run, and nothing else', () => {
  const once = withTable(performanceDocument, 'FIRST');
  const twice = withTable(once, 'SECOND');
  expect(twice).toBe(once.replace('FIRST', 'SECOND'));
  expect(twice.replaceAll(/<!--.*-->/gs, '')).toBe(performanceDocument.replaceAll(/<!--.*-->/gs, ''));
});

it('refuses a document without the markers', () => {
  expect(() => withTable('# Performance', 'TABLE')).toThrow(/needs <!-- benchmarks: start -->/);
});
