import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { modelCatalog } from '../../electron/on-device/models/model-catalog.ts';
import { runCommand, startCommand, type RunOptions, type RunResult } from '../support/built-command.ts';
import { startProgram } from '../support/built-program.ts';
import { FileServer } from '../support/servers/file-server.ts';
import { kennedy, wordErrorRate } from '../support/speech/speech-audio.ts';
import { buildStandInTurbo } from '../support/speech/stand-in-turbo.ts';
import { testFolder } from '../support/test-folder.ts';

/** A mirror that serves a stand-in under the names of large-v3-turbo. */
let mirror: FileServer;
let sizes: Readonly<Record<string, { readonly sizeBytes: number; readonly sha256: string }>>;
/** Whether the mirror stops in the middle of a file. */
let isStalled = false;

beforeAll(async () => {
  const standIn = await buildStandInTurbo();
  const { repository, revision, files } = modelCatalog['large-v3-turbo'];
  const parts = Object.entries(files).map(([part, { path }]) => {
    const bytes = standIn[part as keyof typeof standIn];
    return { part, bytes, url: `/${repository}/resolve/${revision}/${path}` };
  });
  mirror = await FileServer.start(Object.fromEntries(parts.map(({ url, bytes }) => [url, bytes])), () =>
    isStalled ? { stallAfter: 300_000 } : {},
  );
  sizes = Object.fromEntries(
    parts.map(({ part, bytes }) => [
      part,
      { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  );
});
afterAll(() => mirror.stop());

/** Prepares folders and the environment of a program that downloads from the mirror. */
async function prepare(): Promise<RunOptions & { readonly environment: Readonly<Record<string, string>> }> {
  const root = await testFolder();
  const [dataFolder, folder, list] = ['data', 'work', 'files.json'].map((name) => join(root, name));
  await mkdir(folder!);
  await writeFile(list!, JSON.stringify({ 'large-v3-turbo': sizes }));
  const environment = { LONGHAND_MODEL_MIRRORS: mirror.origin, LONGHAND_MODEL_FILES: list! };
  return { dataFolder: dataFolder!, folder: folder!, environment };
}

const rowOf = (output: string): Record<string, unknown> =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ model }) => model === 'large-v3-turbo') ?? {};

it('downloads, checks, uses and removes a model by command line, also after a kill', async () => {
  const options = await prepare();
  const run = (...args: readonly string[]): Promise<RunResult> => runCommand(args, options);

  expect(rowOf((await run('models', 'list', '--json')).output)).toMatchObject({
    state: 'absent',
    usedFor: [],
  });
  isStalled = true;
  const killed = startCommand(['models', 'use', 'large-v3-turbo'], options);
  await expect.poll(() => mirror.requests.length, { timeout: 60_000 }).toBeGreaterThan(2);
  killed.kill('SIGKILL');
  await killed.ended;
  isStalled = false;
  expect(rowOf((await run('models', 'list', '--json')).output)).toMatchObject({
    state: 'absent',
    usedFor: [],
  });

  const used = await run('models', 'use', 'large-v3-turbo', '--json');
  expect(used.errors).toBe('');
  expect(used.code).toBe(0);
  expect(rowOf(used.output)).toMatchObject({
    state: 'ready',
    usedFor: ['accurate'],
    check: { passed: true, failure: null },
  });

  await copyFile(kennedy.wav, join(options.folder, 'speech.wav'));
  const transcribed = await run('transcribe', 'speech.wav', '--accuracy', 'accurate', '--to', 'txt');
  expect(transcribed.code).toBe(0);
  const text = await readFile(join(options.folder, 'speech.txt'), 'utf8');
  expect(wordErrorRate(kennedy.text, text)).toBeLessThan(0.15);

  expect((await run('models', 'remove', 'large-v3-turbo')).code).toBe(0);
  const { output } = await run('models', 'list');
  expect(output).toMatch(/small .*used for accurate/);
  expect(output).toMatch(/large-v3-turbo .*Not on this computer/);
  expect((await run('models', 'use', 'large-v4')).code).toBe(2);
});

it('downloads, checks, uses and removes a model in the window', async () => {
  const { dataFolder, environment } = await prepare();
  const program = await startProgram(dataFolder, [], undefined, environment);
  onTestFinished(() => program.close());
  const { page } = program;
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Change model…: Accurate' }).click();
  const turbo = page.getByRole('dialog').getByRole('listitem', { name: 'Whisper large-v3-turbo' });
  await turbo.getByRole('button', { name: /^Download .* and use/ }).click();
  await turbo.getByText('In use').waitFor({ timeout: 120_000 });
  await turbo.getByText('Checked here', { exact: false }).waitFor();
  await turbo.getByText('× real time here', { exact: false }).waitFor();
  await turbo.getByRole('button', { name: 'Delete from this computer' }).click();
  await turbo.getByText('Not on this computer').waitFor();
  const small = page.getByRole('dialog').getByRole('listitem', { name: 'Whisper small' });
  await expect.poll(() => small.getByText('In use').isVisible()).toBe(true);
});
