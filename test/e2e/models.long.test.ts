import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { modelCatalog, type ModelId, type ModelPart } from '../../electron/on-device/models/model-catalog.ts';
import { runCommand, startCommand, type RunOptions, type RunResult } from '../support/built-command.ts';
import { dropFiles, startProgram, type RunningProgram } from '../support/built-program.ts';
import { FileServer } from '../support/servers/file-server.ts';
import {
  join16k,
  kennedy,
  sampleRate,
  silence,
  wavFile,
  wordErrorRate,
} from '../support/speech/speech-audio.ts';
import { buildStandInRecognizer, transcribeWords } from '../support/speech/stand-in-recognizer.ts';
import { buildStandInTurbo } from '../support/speech/stand-in-turbo.ts';
import { testFolder } from '../support/test-folder.ts';

const models = ['large-v3-turbo', 'parakeet-v2', 'parakeet-v3'] as const;
type TestedModel = (typeof models)[number];

/** The recording of the check after a download; the stand-ins for Parakeet recognize nothing else. */
const checkFile = resolve(import.meta.dirname, '../../resources/sounds/model-check.wav');
/** That recording several times, with pauses that give each its own window, at the same offset within its frames. */
let repeated: Float32Array;
/** The duration of one of them, in samples. */
let period: number;
/** The words that the stand-ins for Parakeet return for it. They are Whisper tiny's, which depend a little on the processor. */
let spoken: Awaited<ReturnType<typeof transcribeWords>>;
const repetitions = 12;
/** Turbo's stand-in is slower: fewer repetitions leave enough time to kill it. */
const turboRepetitions = 4;
/** Samples after which both the frames of the voice detector and those of the encoder begin together. */
const framesPeriod = 2560 * 2;

/** A mirror that serves stand-ins under the names of the published files. */
let mirror: FileServer;
/** `LONGHAND_MODEL_FILES`. */
let sizes: Record<string, Record<string, { readonly sizeBytes: number; readonly sha256: string }>>;
/** Whether the mirror stops in the middle of the larger files, after {@link stalledAt} bytes. */
let isStalled = false;
const stalledAt = 300_000;

beforeAll(async () => {
  const check = Float32Array.from((await readFile(checkFile)).subarray(44), (byte) => (byte - 128) / 128);
  period = framesPeriod * Math.ceil((check.length + 6 * sampleRate) / framesPeriod);
  const padded = join16k(check, silence((period - check.length) / sampleRate));
  repeated = join16k(...Array.from({ length: repetitions }, () => padded));
  spoken = await transcribeWords(check);
  const allWords = Array.from({ length: repetitions }, (_, i) =>
    spoken.map(({ word, start }) => ({ word, start: start + (i * period) / sampleRate })),
  ).flat();
  const known = [
    { samples: check, words: spoken },
    { samples: repeated, words: allWords },
  ];
  const standIns: Readonly<Record<TestedModel, Readonly<Partial<Record<ModelPart, Uint8Array>>>>> = {
    'large-v3-turbo': await buildStandInTurbo(),
    'parakeet-v2': await buildStandInRecognizer(known, false),
    'parakeet-v3': await buildStandInRecognizer(known, true),
  };
  const served: Record<string, Uint8Array> = {};
  sizes = {};
  for (const model of models) {
    const { repository, revision, files } = modelCatalog[model];
    sizes[model] = {};
    for (const [part, { path }] of Object.entries(files)) {
      const bytes = standIns[model][part as ModelPart]!;
      served[`/${repository}/resolve/${revision}/${path}`] = bytes;
      sizes[model][part] = {
        sizeBytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    }
  }
  mirror = await FileServer.start(served, () => (isStalled ? { stallAfter: stalledAt } : {}));
});
afterAll(() => mirror.stop());

type Prepared = RunOptions & { readonly environment: Readonly<Record<string, string>> };

/** Prepares folders and the environment of a program that downloads from the mirror. */
async function prepare(): Promise<Prepared> {
  const root = await testFolder();
  const [dataFolder, folder, list] = ['data', 'work', 'files.json'].map((name) => join(root, name));
  await mkdir(folder!);
  await writeFile(list!, JSON.stringify(sizes));
  const environment = { LONGHAND_MODEL_MIRRORS: mirror.origin, LONGHAND_MODEL_FILES: list! };
  return { dataFolder: dataFolder!, folder: folder!, environment };
}

const runner =
  (options: Prepared) =>
  (...args: readonly string[]): Promise<RunResult> =>
    runCommand(args, options);

function rowOf(output: string, model: ModelId): Record<string, unknown> {
  const rows = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return rows.find((row) => row['model'] === model) ?? {};
}

/**
 * Returns a check whether a text is what a stand-in returns. Those for Parakeet write in lower case without punctuation, so
 * that the text of Whisper, which may transcribe windows for them, is not mistaken for theirs.
 */
const isTextOf =
  (model: TestedModel, times = 1) =>
  (text: string): boolean => {
    const singleText = model === 'large-v3-turbo' ? kennedy.text : spoken.map(({ word }) => word).join(' ');
    const expected = Array.from({ length: times }, () => singleText).join(' ');
    return model === 'large-v3-turbo'
      ? wordErrorRate(expected, text) < 0.15
      : text.trim().split(/\s+/).join(' ') === expected;
  };

describe.each(models)('%s', (model) => {
  it('is downloaded, checked, used and removed by command line', async () => {
    const options = await prepare();
    const run = runner(options);
    expect(rowOf((await run('models', 'list', '--json')).output, model)).toMatchObject({
      state: 'absent',
      usedFor: [],
    });
    const downloaded = await run('models', 'download', model, '--json');
    expect(rowOf(downloaded.output, model)).toMatchObject({ state: 'ready', usedFor: [], check: null });

    const used = await run('models', 'use', model, '--json');
    expect(used.errors).toBe('');
    expect(used.code).toBe(0);
    const row = rowOf(used.output, model);
    expect(row).toMatchObject({
      state: 'ready',
      usedFor: ['accurate'],
      check: { passed: true, failure: null },
    });
    expect((row['check'] as { heard: string }).heard).toSatisfy(isTextOf(model));

    await copyFile(checkFile, join(options.folder, 'speech.wav'));
    const transcribed = await run('transcribe', 'speech.wav', '--accuracy', 'accurate', '--to', 'txt');
    expect(transcribed.code).toBe(0);
    expect(await readFile(join(options.folder, 'speech.txt'), 'utf8')).toSatisfy(isTextOf(model));

    expect((await run('models', 'remove', model)).code).toBe(0);
    const list = (await run('models', 'list')).output.split('\n');
    expect(list.find((line) => line.startsWith('small '))).toContain('used for accurate');
    expect(list.find((line) => line.startsWith(`${model} `))).toContain('Not on this computer');
    expect(await filesIn(options.dataFolder)).toEqual(['models.json']);
  });

  it('is downloaded, checked, used and removed in the window, even after a kill', async () => {
    const { dataFolder, folder, environment } = await prepare();
    const start = async (): Promise<RunningProgram> => {
      const program = await startProgram(dataFolder, { needs: 'checkout', environment });
      onTestFinished(() => program.close());
      return program;
    };
    isStalled = true;
    const first = await start();
    await first.page.getByRole('button', { name: 'Start' }).click();
    await (await openModel(first.page, model)).getByRole('button', { name: /^Download .* and use/ }).click();
    await expect.poll(() => partialBytes(dataFolder), { timeout: 60_000 }).toBe(stalledAt);
    await first.kill();
    isStalled = false;

    const { page } = await start();
    const entry = await openModel(page, model);
    await entry.getByRole('button', { name: /^Resume download and use/ }).click();
    await entry.getByText('In use').waitFor({ timeout: 120_000 });
    await entry.getByText('Checked here', { exact: false }).waitFor();
    await entry.getByText('× real time here', { exact: false }).waitFor();
    await page.keyboard.press('Escape');

    const recording = join(folder, 'speech.wav');
    await copyFile(checkFile, recording);
    await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
    await dropFiles(page, [recording]);
    await page.getByRole('button', { name: 'Start 1 recording' }).click();
    await page.getByRole('button', { name: 'Open: speech.wav' }).click({ timeout: 120_000 });
    const text = page.getByLabel('Text of the transcript');
    await text.waitFor();
    expect((await text.innerText()).replaceAll(/\d+:\d\d|⋯/g, ' ')).toSatisfy(isTextOf(model));

    const reopened = await openModel(page, model);
    await reopened.getByRole('button', { name: 'Delete from this computer' }).click();
    await reopened.getByText('Not on this computer').waitFor();
    const base = page.getByRole('dialog').getByRole('listitem', { name: 'Whisper base' });
    await expect.poll(() => base.getByText('In use').isVisible()).toBe(true);
    await expect.poll(() => filesIn(dataFolder)).toEqual(['models.json']);
  });
});

it.each(['large-v3-turbo', 'parakeet-v3'] as const)('a kill in any step does no harm: %s', async (model) => {
  const options = await prepare();
  const run = runner(options);
  const killAt = async (step: string, ...args: readonly string[]): Promise<void> => {
    const preload = resolve(import.meta.dirname, '../support/kill-model-step.cjs');
    const environment = { ...options.environment, KILL_AT: step };
    const { code } = await runCommand(args, { ...options, environment, preload });
    // Otherwise the program was not killed.
    expect(code).toBeNull();
    await expect.poll(() => processesOf(options.dataFolder)).toEqual([]);
  };
  const state = async (): Promise<Record<string, unknown>> =>
    rowOf((await run('models', 'list', '--json')).output, model);
  const incomplete = { state: 'absent', usedFor: [], check: null };

  isStalled = true;
  const killed = startCommand(['models', 'use', model], options);
  await expect.poll(() => partialBytes(options.dataFolder), { timeout: 60_000 }).toBe(stalledAt);
  killed.kill('SIGKILL');
  await killed.ended;
  isStalled = false;
  expect(await state()).toMatchObject(incomplete);
  const [interrupted] = await partialFiles(options.dataFolder);

  let earlierRequests = mirror.requests.length;
  await killAt('between-files', 'models', 'use', model);
  const [{ path = '', from = 0 } = {}] = mirror.requests.slice(earlierRequests);
  expect(from).toBeGreaterThan(0);
  expect(`${basename(path)}.part`).toBe(basename(interrupted!));
  expect(await state()).toMatchObject(incomplete);

  await killAt('verified', 'models', 'use', model);
  expect(await state()).toMatchObject(incomplete);
  const [verified] = await partialFiles(options.dataFolder);

  earlierRequests = mirror.requests.length;
  await killAt('checking', 'models', 'use', model);
  // What was complete is not requested again.
  expect(mirror.requests.slice(earlierRequests).map((one) => `${basename(one.path)}.part`)).not.toContain(
    basename(verified!),
  );
  expect(await state()).toMatchObject({ state: 'ready', usedFor: [], check: null });

  await killAt('recording', 'models', 'use', model);
  expect(await state()).toMatchObject({ state: 'ready', usedFor: [], check: null });

  expect((await run('models', 'use', model)).code).toBe(0);
  expect(await state()).toMatchObject({ state: 'ready', usedFor: ['accurate'], check: { passed: true } });

  const times = model === 'large-v3-turbo' ? turboRepetitions : repetitions;
  await writeFile(join(options.folder, 'speech.wav'), wavFile(repeated.subarray(0, times * period)));
  const task = [
    'speech.wav',
    '--accuracy',
    'accurate',
    '--language',
    'en',
    '--to',
    'txt',
    '--json',
    '--partial',
  ];
  const transcribing = startCommand(['transcribe', ...task], options);
  await transcribing.untilOutput('"type":"text"');
  transcribing.kill('SIGKILL');
  await transcribing.ended;
  await expect.poll(() => processesOf(options.dataFolder)).toEqual([]);
  expect(existsSync(join(options.folder, 'speech.txt'))).toBe(false);
  expect((await run('resume')).code).toBe(0);
  expect(await readFile(join(options.folder, 'speech.txt'), 'utf8')).toSatisfy(isTextOf(model, times));

  await killAt('removing', 'models', 'remove', model);
  expect(await state()).toMatchObject(incomplete);
  // The next program that has the data folder for itself deletes the rest.
  expect((await run('resume')).code).toBe(0);
  expect(await filesIn(options.dataFolder)).toEqual(['models.json']);
  expect((await run('models', 'list')).output).toMatch(/^small .*used for accurate/m);
});

/** Opens the models that transcriptions with normal accuracy can use, and returns the entry of one. */
async function openModel(page: Page, model: TestedModel) {
  await page.locator('nav').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Change model…: Balanced' }).click();
  return page.getByRole('dialog').getByRole('listitem', { name: modelCatalog[model].name });
}

/** Returns the running processes of a program, its helpers included; none where they cannot be listed. */
async function processesOf(dataFolder: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const environments = ids.map(
    async (id) => [id, await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')] as const,
  );
  const found = (await Promise.all(environments)).filter(([, text]) => text.includes(dataFolder));
  return found.map(([id]) => id);
}

/** Returns how much of the file has been downloaded. */
async function partialBytes(dataFolder: string): Promise<number> {
  const [path] = await partialFiles(dataFolder);
  return path === undefined ? 0 : (await stat(join(dataFolder, 'models', path))).size;
}

/** Returns the files in the folder of downloaded models. */
async function filesIn(dataFolder: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'models');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

const partialFiles = async (dataFolder: string): Promise<readonly string[]> =>
  existsSync(join(dataFolder, 'models'))
    ? (await filesIn(dataFolder)).filter((path) => path.endsWith('.part'))
    : [];
