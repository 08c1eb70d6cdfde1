import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSync, Visitor } from 'vite';

/** The only files that may contain segment literals. */
const constructors = new Set(['electron/contract/segment-schema.ts', 'electron/core/transcript/segment.ts']);

/** Finds object literals with the times and text of a segment that drop its other properties. */
function segmentLiterals(path: string, code: string): readonly string[] {
  const found: string[] = [];
  new Visitor({
    ObjectExpression({ start, properties }) {
      const names = new Set(
        properties.map((one) =>
          one.type === 'Property' && one.key.type === 'Identifier' ? one.key.name : '...',
        ),
      );
      const isSegment = ['start', 'end', 'text'].every((name) => names.has(name));
      const keepsAll = names.has('extras') || names.has('...');
      // The words of services and files have a text and times too.
      const isWord = names.has('probability');
      if (isSegment && !keepsAll && !isWord) found.push(`${path}:${code.slice(0, start).split('\n').length}`);
    },
  }).visit(parseSync(path, code).program);
  return found;
}

test('a segment that drops its extras is found', () => {
  expect(segmentLiterals('a.ts', 'all.map(({ start, end, text }) =>\n ({ start, end, text }));')).toEqual([
    'a.ts:2',
  ]);
  expect(segmentLiterals('a.ts', 'const changed = { ...segment, start, end, text };')).toEqual([]);
});

test('segments are made by the functions of core/transcript/segment.ts', () => {
  const files = globSync('{electron,renderer}/**/*.{ts,tsx}');
  expect(files.length).toBeGreaterThan(100);
  const literals = files
    .filter((path) => !constructors.has(path.replaceAll('\\', '/')))
    .flatMap((path) => segmentLiterals(path, readFileSync(path, 'utf8')));
  expect(literals).toEqual([]);
});
