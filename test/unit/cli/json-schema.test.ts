import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  commandNames,
  commands,
  type CliCommandName,
  type CommandSpec,
} from '../../../electron/cli/command-table.ts';
import { exportFormats } from '../../../electron/contract/choices.ts';
import { jsonSchemaVersion } from '../../../electron/cli/reporting/json-reporter.ts';
import { startCommandLine } from '../../support/command-line-here.ts';
import { jsonLines } from '../../support/json-lines.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';

interface LineSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<
    Record<string, { readonly const?: unknown; readonly enum?: readonly unknown[] }>
  >;
}

const schema = JSON.parse(readFileSync('docs/command-line.schema.json', 'utf8')) as {
  readonly title: string;
  readonly oneOf: readonly LineSchema[];
};
const typeOf = ({ properties }: LineSchema): unknown => properties['type']?.const;
const lineOf = (type: string): LineSchema | undefined => schema.oneOf.find((line) => typeOf(line) === type);

it('has the version and the formats of the program, and the types of the document', () => {
  expect(schema.title).toContain(`version ${jsonSchemaVersion}`);
  expect(lineOf('status')?.properties['schema']?.const).toBe(jsonSchemaVersion);
  expect(lineOf('file')?.properties['format']?.enum).toEqual(exportFormats);
  const document = readFileSync('docs/command-line.md', 'utf8').split('## JSON')[1] ?? '';
  const documented = [...document.matchAll(/^\| `([a-z-]+)` +\| /gm)].map(([, type]) => type);
  expect(documented.filter((type) => type !== 'type').toSorted()).toEqual(
    schema.oneOf.map(typeOf).toSorted(),
  );
});

it('rejects a line of an unknown type, without a field, or with a value of another kind', () => {
  expect(jsonLines('{"type":"added","count":1}\n')).toEqual([{ type: 'added', count: 1 }]);
  for (const line of ['{"type":"other"}', '{"type":"added"}', '{"type":"added","count":"1"}'])
    expect(() => jsonLines(line)).toThrow('not in the schema');
});

/** For each command with `--json`: its arguments, on a library with a transcript `talk.wav` and a file `caption.srt`. */
const given: Partial<Record<CliCommandName, readonly string[]>> = {
  transcribe: ['talk.wav', 'gone.wav', '--partial', '--again'],
  watch: ['inbox'],
  retry: ['--all'],
  cancel: ['--all'],
  import: ['caption.srt', 'gone.srt'],
  search: ['word'],
  export: ['--all', '--existing', 'skip'],
  speakers: ['talk'],
  'models download': ['tiny'],
  'models remove': ['tiny'],
  'models use': ['tiny'],
  'library backup': ['all.longhand'],
  'library restore': ['all.longhand'],
  'key set': ['--service', 'https://example.org'],
  'key remove': ['--service', 'https://example.org'],
  'key status': ['--service', 'https://example.org'],
};

it('describes every line of every command that has --json', async () => {
  const { folder, run } = await startCommandLine();
  await mkdir(join(folder, 'inbox'));
  await writeFile(join(folder, 'talk.wav'), silentWav(1));
  await writeFile(join(folder, 'caption.srt'), '1\n00:00:00,000 --> 00:00:01,000\nA word.\n');
  const silent: string[] = [];
  for (const name of commandNames) {
    const { options }: CommandSpec = commands[name];
    if (!options.includes('json')) continue;
    const interrupted = name === 'watch' ? AbortSignal.timeout(300) : new AbortController().signal;
    const args = [...name.split(' '), ...(given[name] ?? []), '--json'];
    const { json, code, stderr } = await run(args, { interrupted, typed: 'key' });
    expect({ name, code, stderr }).not.toMatchObject({ code: 2 });
    if (json.length === 0) silent.push(name);
  }
  // Nothing arrives, there are no models to tell voices apart, and a stored key needs no line.
  expect(silent).toEqual(['watch', 'speakers', 'key set']);
});
