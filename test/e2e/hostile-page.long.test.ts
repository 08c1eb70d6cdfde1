import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { commands, type CommandName } from '../../electron/contract/commands.ts';
import { publicMirrors } from '../../electron/on-device/models/model-download.ts';
import { speakerModelFiles } from '../../electron/on-device/speakers/speaker-models.ts';
import { answerQuestions, giveFiles } from '../support/built-program.ts';
import { useProgram } from '../support/use-program.ts';

// A page that runs foreign code sends all commands that the contract allows, while the user answers every question with no.
// It can change the queue and the library, but it must not read, write or contact anything else.

const program = useProgram('once');

/** Inputs per command. */
const inputsPerCommand = 40;

const names = Object.keys(commands) as readonly CommandName[];

/** Commands that change how the program ends, take bytes, or transcribe. */
const notSent: readonly CommandName[] = [
  'app.readyToQuit',
  'app.unsaved',
  'transcript.keepWaveform',
  'models.measure',
];
/** Commands that would repeat their requests without end; another test sends them. */
const downloads = names.filter((name) => commands[name].downloads);
/** The hosts that publish models. */
const publishers = [...publicMirrors, ...Object.values(speakerModelFiles).map(({ url }) => url)].map(
  (url) => new URL(url).hostname,
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
    case 'number': {
      const min = schema.minimum ?? 0;
      return fc.double({ min, max: Math.min(schema.maximum ?? Infinity, min + 5), noNaN: true });
    }
    case 'integer': {
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

/** Ends the wait for a command that hangs; otherwise the test's own time limit would end it and name none. */
async function failAfterTimeout(): Promise<never> {
  await setTimeout(60_000, undefined, { ref: false });
  throw new Error('no answer');
}

/** Returns inputs of a command that its schema accepts. */
function samplesOf(name: CommandName): readonly unknown[] {
  const { input } = commands[name];
  const schema = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }) as Schema;
  if (input.safeParse(undefined).success && schema.type === undefined) return [undefined];
  return fc.sample(inputsOf(schema, texts), inputsPerCommand).filter((one) => input.safeParse(one).success);
}

/** Called with the host of each connection that the main process tries to open to another computer. */
let onContact: (host: string) => void = () => undefined;

/** Refuses all connections of the main process to other computers from now on, so that no command waits for one. */
async function refuseConnections(): Promise<void> {
  program.app.on('console', (message) => {
    const [, host] = /^contacts (\S+)$/.exec(message.text()) ?? [];
    if (host !== undefined) onContact(host);
  });
  await program.app.evaluate(() => {
    const { Socket } = process.getBuiltinModule('node:net');
    const { connect } = Socket.prototype;
    Socket.prototype.connect = function refusing(this: InstanceType<typeof Socket>, ...args: unknown[]) {
      const [options] = args.flat() as [{ readonly host?: string } | undefined];
      const { host = 'localhost' } = options ?? {};
      if (['127.0.0.1', '::1', 'localhost'].includes(host))
        return Reflect.apply(connect, this, args) as typeof this;
      // oxlint-disable-next-line no-console -- the test reads it
      console.info(`contacts ${host}`);
      // Nothing listens on this port. Like a real connection, this one fails only after the caller has its socket.
      return Reflect.apply(connect, this, [{ ...options, host: '127.0.0.1', port: 9 }]) as typeof this;
    } as typeof connect;
  });
}

/** Returns the next host that the main process tries to contact. */
const nextContact = (): Promise<string> =>
  new Promise((resolve) => {
    onContact = resolve;
  });

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
  await refuseConnections();
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
  const contact = nextContact().then((host) => Promise.reject(new Error(`contacted ${host}`)));
  contact.catch(() => undefined);
  for (const name of names) {
    if (notSent.includes(name) || downloads.includes(name)) continue;
    for (const input of samplesOf(name)) {
      const answering = Promise.race([program.invoke(name, input), contact, failAfterTimeout()]);
      const answer = JSON.stringify(
        await answering.catch((error: unknown) => {
          throw new Error(`${name} did not answer, or contacts what it does not declare`, { cause: error });
        }),
      );
      expect({ name, isSecret: answer.includes(secret) }).toStrictEqual({ name, isSecret: false });
      sent.add(name);
    }
  }
  // Every command was sent with valid input.
  expect(new Set(names.filter((name) => !sent.has(name)))).toStrictEqual(new Set([...notSent, ...downloads]));
  expect(await filesOutside()).toStrictEqual(before);
  expect(requestCount).toBe(0);
  const opened = await program.app.evaluate(() => Reflect.get(globalThis, 'opened') as readonly string[]);
  expect(opened.filter((path) => !path.startsWith(program.data))).toStrictEqual([]);
  expect(await program.invoke('app.info')).toMatchObject({ ok: true });
});

it.each(downloads)('%s contacts only the publishers of models', async (name) => {
  const contact = nextContact();
  const [input] = samplesOf(name);
  // What is installed is not downloaded.
  const answer = program.invoke(name, input).then(() => setTimeout(1000, null));
  expect([null, ...publishers]).toContain(await Promise.race([contact, answer]));
});
