import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { commands, type CommandName } from '../../electron/contract/commands.ts';
import { answerQuestions, giveFiles } from '../support/built-program.ts';
import { useProgram } from '../support/use-program.ts';

// A page that runs foreign code sends all commands that the contract allows, while the user answers every question with no.
// It can change the queue and the library, but it must not read, write or contact anything else.

const program = useProgram('once');

/** Inputs per command. */
const inputsPerCommand = 40;

const names = Object.keys(commands) as readonly CommandName[];

/** These end the program, take bytes, measure a model, or download from the addresses that are fixed in it. */
const left = names.filter(
  (name) =>
    name.endsWith('.download') ||
    ['app.readyToQuit', 'transcript.keepWaveform', 'models.measure'].includes(name),
);

/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns inputs that match a schema, with these texts. */
function inputsOf(schema: Schema, texts: readonly string[]): fc.Arbitrary<unknown> {
  const of = (part: Schema): fc.Arbitrary<unknown> => inputsOf(part, texts);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(of));
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [], additionalProperties } = schema;
      if (typeof additionalProperties === 'object')
        return fc.dictionary(fc.constantFrom(...texts), of(additionalProperties), { maxKeys: 3 });
      const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, of(part)]));
      return fc.record(parts, { requiredKeys: [...required] });
    }
    case 'array':
      return fc.array(of(schema.items ?? {}), { maxLength: 3 });
    case 'integer':
    case 'number': {
      // The ids of rows that exist are small.
      const min = Math.ceil(Math.max(schema.minimum ?? 0, -5));
      return fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? Infinity, min + 5)) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom(...texts);
  }
}

const secret = 'words that are secret 0815';
let requestCount = 0;
const trap = createServer((socket) => {
  requestCount += 1;
  socket.destroy();
});
let texts: readonly string[] = [];

/** Returns the content of each file outside the data folder, by its path. */
async function filesOutside(): Promise<Readonly<Record<string, string>>> {
  const all = await readdir(program.path(), { recursive: true, withFileTypes: true });
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const outside = paths.filter((path) => !path.startsWith(program.data));
  return Object.fromEntries(
    await Promise.all(outside.map(async (path) => [path, await readFile(path, 'utf8')])),
  );
}

/** Names the command that hangs; otherwise the test's own time limit would end it and name none. */
async function noAnswer(name: CommandName): Promise<never> {
  await setTimeout(60_000, undefined, { ref: false });
  throw new Error(`${name} did not answer`);
}

beforeAll(async () => {
  await once(trap.listen(0, '127.0.0.1'), 'listening');
  const origin = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const folder = program.path('private');
  const given = program.path('given');
  await mkdir(folder);
  await mkdir(given);
  for (const name of ['diary.txt', 'diary.srt', 'diary.json', 'diary.wav'])
    await writeFile(join(folder, name), secret);
  await writeFile(join(given, 'talk.txt'), 'words that were given');
  texts = [
    join(folder, 'diary.txt'),
    folder,
    `${given}/../private/diary.srt`,
    `${given}/../private`,
    `../../private/diary`,
    `file://${folder}/diary.txt`,
    `https://${origin}/talk.mp3`,
    `http://${origin}`,
    `https://${origin}`,
    'on-device',
    '{name}',
    'given',
    '0'.repeat(32),
    '',
  ];
  await program.button('Start').click();
  await program.invoke('queue.pauseAll');
  await giveFiles(program.page, [given]);
  await program.invoke('library.import', { paths: [given], task: 'first' });
  await answerQuestions(program.app, 'no');
  await program.app.evaluate(({ dialog, shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    Object.assign(dialog, {
      showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
      showSaveDialog: async () => ({ canceled: true, filePath: '' }),
    });
    const note = async (what: string): Promise<string> => String(opened.push(what));
    Object.assign(shell, { openPath: note, openExternal: note, showItemInFolder: note });
  });
});

afterAll(() => trap.close());

it('reads, writes and contacts nothing that the user did not give', async () => {
  const before = await filesOutside();
  const sent = new Set<string>();
  for (const name of names) {
    if (left.includes(name)) continue;
    const { input } = commands[name];
    const schema = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }) as Schema;
    const inputs =
      input.safeParse(undefined).success && schema.type === undefined
        ? [undefined]
        : fc.sample(inputsOf(schema, texts), inputsPerCommand).filter((one) => input.safeParse(one).success);
    for (const one of inputs) {
      const answer = JSON.stringify(await Promise.race([program.invoke(name, one), noAnswer(name)]));
      expect({ name, isSecret: answer.includes(secret) }).toStrictEqual({ name, isSecret: false });
      sent.add(name);
    }
  }
  // Every command was sent with valid input.
  expect(new Set(names.filter((name) => !sent.has(name)))).toStrictEqual(new Set(left));
  expect(await filesOutside()).toStrictEqual(before);
  expect(requestCount).toBe(0);
  const opened = await program.app.evaluate(() => Reflect.get(globalThis, 'opened') as readonly string[]);
  expect(opened.filter((path) => !path.startsWith(program.data))).toStrictEqual([]);
  expect(await program.invoke('app.info')).toMatchObject({ ok: true });
});
