import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { invokeIn, startProgram } from '../support/built-program.ts';
import { runCommand, startCommand, type RunOptions, type RunResult } from '../support/built-command.ts';
import { fillLibrary } from '../support/library-folder.ts';
import { silence, wavFile } from '../support/speech/speech-audio.ts';
import { standInSegmentation, writeStandInModels } from '../support/speech/stand-in-speaker-models.ts';
import { audioOf, inTurn } from '../support/speech/tone-voices.ts';
import { testFolder } from '../support/test-folder.ts';

const interview = inTurn([0, 1, 0, 1, 1, 0, 1, 0]);
const seconds = 36;
const killer = resolve(import.meta.dirname, '../support/kill-at.cjs');
/** A segment for each two turns, each of which is a sentence. */
const segments = Array.from({ length: 4 }, (_, i) => ({
  start: interview[2 * i]!.start,
  end: interview[2 * i + 1]!.end,
  text: `What do you say to that, number ${2 * i}? This is what I say, number ${2 * i + 1}.`,
}));

let options: RunOptions;
let models: string;
const at = (name: string): string => join(options.folder, name);
const run = (...args: readonly string[]): Promise<RunResult> => runCommand(args, options);

beforeEach(async () => {
  const root = await testFolder();
  options = { dataFolder: join(root, 'data'), folder: join(root, 'work') };
  models = await writeStandInModels(join(root, 'models'));
  await mkdir(options.folder);
});

/** Fills the library with one transcript, and its recording's file. */
async function prepare(samples: Float32Array, name = 'interview.wav', length = seconds): Promise<void> {
  await writeFile(at(name), wavFile(samples));
  const recording = { path: at(name), sizeBytes: 44 + 2 * samples.length, fingerprint: null };
  const transcript = { text: '', segments, language: 'en' };
  await fillLibrary(options.dataFolder, [{ name, recording, transcript, durationSeconds: length }]);
}

/** Lets the window identify speakers with the stand-in models. */
async function useStandIns(): Promise<void> {
  await mkdir(join(options.dataFolder, 'models'), { recursive: true });
  await writeFile(join(options.dataFolder, 'models/speakers.json'), JSON.stringify({ ownFolder: models }));
}

/** Fills the library with one transcript of half an hour. */
async function prepareLong(): Promise<void> {
  const long = inTurn(Array.from({ length: 400 }, (_, i) => i % 2));
  await prepare(audioOf(long, 1720), 'interview.wav', 1720);
}

/** Returns the processes that identify speakers in this data folder; none where the system does not list them. */
async function processes(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      return line.includes(options.dataFolder) && line.includes('node.mojom.NodeService')
        ? [Number(name)]
        : [];
    });
  return (await Promise.all(found)).flat();
}

const task = (page: Page): Locator => page.getByRole('button', { name: /Identifying speakers/ });

interface Stored {
  readonly segments: readonly (readonly [number | null, string])[];
  readonly revision: number;
}

/** Returns the transcript as it is stored, and optionally changes it. */
async function stored(change: (store: Store) => void = () => undefined): Promise<Stored> {
  const store = new Store({
    folder: options.dataFolder,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
  try {
    change(store);
    const document = store.edits.open(1);
    const shown = document?.segments.map(({ speaker, text }) => [speaker, text] as const) ?? [];
    return { segments: shown, revision: document?.revision ?? -1 };
  } finally {
    await store.close();
  }
}

/** Expects every turn to have its speaker, and returns the transcript. */
async function expectComplete(): Promise<Stored> {
  const found = await stored();
  expect(found.segments.map(([speaker]) => speaker)).toEqual([0, 1, 0, 1, 1, 0, 1, 0]);
  return found;
}

const unchanged: Stored = { segments: segments.map(({ text }) => [null, text]), revision: 0 };

describe('longhand speakers', () => {
  it('assigns a conversation to its two voices as one edit, and again to the given number of speakers', async () => {
    await prepare(audioOf(interview, seconds));
    const { code, output, errors } = await run('speakers', 'Interview', '--models', models);
    expect(errors).toBe('');
    expect(output).toBe('interview.wav: 2 speakers\n');
    expect(code).toBe(0);
    const found = await stored();
    expect(found.segments.map(([speaker]) => speaker)).toEqual([0, 1, 0, 1, 1, 0, 1, 0]);
    expect(found.segments.map(([, text]) => Number(/\d/.exec(text)?.[0]))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(found.revision).toBe(1);

    const again = await run('speakers', 'interview', '--count', '1', '--models', models, '--json');
    const lines = again.output
      .trim()
      .split('\n')
      .map((line): object => JSON.parse(line));
    expect(lines.at(-1)).toEqual({
      type: 'speakers',
      transcript: 1,
      name: 'interview.wav',
      speakers: 1,
      changed: true,
    });
    expect(new Set((await stored()).segments.map(([speaker]) => speaker))).toEqual(new Set([0]));
    const undone = await stored((store) => {
      store.edits.undo(1, 2);
      store.edits.undo(1, 3);
    });
    expect(undone.segments).toEqual(unchanged.segments);
  });

  it.each<[string, () => Promise<readonly string[]>, number, string]>([
    [
      'the recording has disappeared',
      async () => {
        await rm(at('interview.wav'));
        return ['--models', models];
      },
      1,
      'The file was not found',
    ],
    [
      'the recording is damaged',
      async () => {
        await writeFile(at('interview.wav'), 'This is not audio.');
        return ['--models', models];
      },
      1,
      'This type of file is not supported',
    ],
    [
      'a model has other shapes',
      async () => {
        await writeStandInModels(models, { segmentation: standInSegmentation('audio') });
        return ['--models', models];
      },
      1,
      'segmentation.onnx has the input "audio"',
    ],
    ['there are no models', async () => [], 3, 'are not on this computer'],
  ])('leaves the transcript unchanged when %s, and says so', async (_, makeCause, expectedCode, message) => {
    await prepare(audioOf(interview, seconds));
    const { code, errors } = await run('speakers', 'interview', ...(await makeCause()));
    expect(errors).toContain(message);
    expect(code).toBe(expectedCode);
    expect(await stored()).toEqual(unchanged);
  });

  it('says when nobody speaks', async () => {
    await prepare(silence(20), 'quiet.wav', 20);
    const { code, output } = await run('speakers', 'quiet', '--models', models);
    expect(output).toBe('quiet.wav: no speech found; unchanged\n');
    expect(code).toBe(0);
    expect(await stored()).toEqual(unchanged);
  });

  it.runIf(process.platform === 'linux')('says so when its process is killed', async () => {
    await prepareLong();
    const command = startCommand(['speakers', 'interview', '--models', models, '--json'], options);
    expect(await command.firstLine).toContain('"speakers"');
    const [pid] = await processes();
    process.kill(pid!, 'SIGKILL');
    const { code, output } = await command.ended;
    expect(output).toContain('"speakers_not_identified"');
    expect(code).toBe(1);
    expect(await stored()).toEqual(unchanged);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('leaves nothing behind after %s', async (signal) => {
    await prepareLong();
    const before = await readdir(options.dataFolder);
    const command = startCommand(['speakers', 'interview', '--models', models, '--json'], options);
    // The first line reports progress.
    expect(await command.firstLine).toContain('"speakers"');
    command.kill(signal);
    expect((await command.ended).code).toBe(signal === 'SIGINT' ? 130 : null);
    expect(await stored()).toEqual(unchanged);
    await expect.poll(processes).toEqual([]);
    const ours = (await readdir(options.dataFolder)).filter((name) => /speaker|voice|turn/i.test(name));
    expect(ours).toEqual(before.filter((name) => /speaker|voice|turn/i.test(name)));
    const { output } = await run('speakers', 'interview', '--models', models);
    expect(output).toBe('interview.wav: 2 speakers\n');
  });
});

it('identifies speakers from the window, which names and undoes them', async () => {
  await prepare(audioOf(interview, seconds));
  await useStandIns();
  const program = await startProgram(options.dataFolder);
  onTestFinished(() => program.close());
  const { page } = program;
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: /interview/ }).click();
  const rows = page.locator('main').getByRole('listitem');
  await rows.first().waitFor();
  const speakersOf = async (): Promise<readonly string[]> =>
    (await rows.allInnerTexts()).map((row) => /Speaker \d|Anna/.exec(row)?.[0] ?? '');
  const choose = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Identify speakers…');
  await page.getByRole('button', { name: 'Identify', exact: true }).click();
  await page.getByText('2 speakers found').waitFor();
  // A speaker is named once for adjacent segments.
  const inTurns = ['1', '2', '1', '2', '', '1', '2', '1'].map((n) => (n === '' ? '' : `Speaker ${n}`));
  await expect.poll(speakersOf).toEqual(inTurns);

  await choose('Name speakers…');
  await page.getByLabel('Speaker 1', { exact: true }).fill('Anna');
  await page.getByRole('button', { name: 'Save' }).click();
  const named = inTurns.map((name) => (name === 'Speaker 1' ? 'Anna' : name));
  await expect.poll(speakersOf).toEqual(named);
  await choose('Undo');
  await expect.poll(speakersOf).toEqual(inTurns);
  await choose('Undo');
  await expect.poll(speakersOf).toEqual(['', '', '', '']);
});

it('continues after a kill with the transcripts that were requested in the library, including the one in progress', async () => {
  await prepareLong();
  await useStandIns();
  const first = await startProgram(options.dataFolder);
  await first.page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await first.page.getByRole('row', { name: /interview/ }).click({ button: 'right' });
  await first.page.getByRole('menuitem', { name: 'Identify speakers…' }).click();
  await first.page.getByText('Exact number').click();
  await first.page.getByRole('button', { name: 'Identify', exact: true }).click();
  await task(first.page).waitFor();
  await first.kill();
  expect(await stored()).toEqual(unchanged);

  const second = await startProgram(options.dataFolder);
  onTestFinished(() => second.close());
  await task(second.page).click();
  await second.page
    .getByRole('dialog', { name: 'Identifying speakers' })
    .getByText('interview.wav')
    .waitFor();
  await task(second.page).waitFor({ state: 'detached', timeout: 120_000 });
  await second.page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await second.page.getByRole('row', { name: /interview/ }).click();
  await second.page.locator('main').getByText('Speaker 2').first().waitFor();
});

describe.each([
  'loading',
  'segmentation',
  'clustering',
  'found',
  'before the commit',
  'after the commit',
] as const)('killed while identifying, at the step %s', (step) => {
  it('leaves all or nothing of the edit, and finishes at the next start', async () => {
    await prepare(audioOf(interview, seconds));
    await useStandIns();
    const killed = await startProgram(options.dataFolder, {
      preload: killer,
      environment: { LONGHAND_KILL_AT: step, LONGHAND_KILL_SECONDS: String(seconds) },
    });
    const ended = once(killed.app.process(), 'exit');
    await invokeIn(killed.page, 'speakers.identifyAll', { ids: [1], count: null }).catch(() => undefined);
    await ended;
    const afterKill = await stored();
    expect(afterKill).toEqual(step === 'after the commit' ? await expectComplete() : unchanged);
    await expect.poll(processes).toEqual([]);

    const next = await startProgram(options.dataFolder);
    const idle = { ok: true, value: { current: null, waiting: 0, postponedBy: null, failed: null } };
    await expect.poll(() => invokeIn(next.page, 'speakers.queue'), { timeout: 60_000 }).toEqual(idle);
    await next.close();
    // One edit, however often it was started.
    expect(await expectComplete()).toMatchObject({ revision: 1 });
    expect((await stored((store) => store.edits.undo(1, 1))).segments).toEqual(unchanged.segments);
  });
});

/** Returns the names of the speakers as they are stored. */
async function storedNames(): Promise<unknown> {
  let found: unknown;
  await stored((store) => void (found = store.edits.open(1)?.speakers));
  return found;
}

it('leaves all or nothing of the names when it is killed while they are stored', async () => {
  await prepare(audioOf(interview, seconds));
  await run('speakers', 'interview', '--models', models);
  const killed = await startProgram(options.dataFolder, {
    preload: killer,
    environment: { LONGHAND_KILL_AT: 'before the commit' },
  });
  const ended = once(killed.app.process(), 'exit');
  const operation = { kind: 'name-speakers', names: ['Anna', 'Ben'] };
  const input = { id: 1, revision: 1, operation };
  await invokeIn(killed.page, 'transcript.edit', input).catch(() => undefined);
  await ended;
  expect(await storedNames()).toEqual([]);
  const next = await startProgram(options.dataFolder);
  await invokeIn(next.page, 'transcript.edit', input);
  await next.kill();
  expect(await storedNames()).toEqual(['Anna', 'Ben']);
});
