import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/core.ts';
import { startAgain, startProgram, type RunningProgram } from '../support/program.ts';
import { speechlessWave } from '../support/quick-speech.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let program: RunningProgram;
let data: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  program = await startProgram(data);
});

afterEach(async () => {
  await program.close();
  await folder.remove();
});

async function recording(name: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, speechlessWave(name.length));
  return path;
}

const itemsInQueue = async (): Promise<number> => {
  const answer = await program.page.evaluate(() =>
    window.longhand.invoke('queue.watch', { filter: 'all', offset: 0, limit: 0 }),
  );
  return answer.ok ? answer.value.total : -1;
};

/** What the sheet before a batch shows: recordings that may be added, and what cannot be. */
const onSheet = async (): Promise<readonly [ready: number, leftOut: number]> => {
  const answer = await program.page.evaluate(() =>
    window.longhand.invoke('batch.watch', { group: 'ready', offset: 0, limit: 0 }),
  );
  const counts = answer.ok ? answer.value?.summary.counts : undefined;
  return [counts?.ready ?? 0, counts?.leftOut ?? 0];
};

async function untilShown(ready: number, leftOut: number): Promise<void> {
  for (let shown = await onSheet(); shown[0] < ready || shown[1] < leftOut; shown = await onSheet())
    await sleep(50);
}

async function untilQueued(count: number): Promise<void> {
  while ((await itemsInQueue()) < count) await sleep(50);
}

it('hands its recordings to the open window, which asks before it adds them', async () => {
  expect(await startAgain(data, await recording('one.wav'))).toBe(0);
  await untilShown(1, 0);
  expect(await itemsInQueue()).toBe(0);
  await program.page.getByRole('button', { name: 'Start' }).click();
  await program.page.getByRole('button', { name: 'Start 1 recording' }).click();
  await untilQueued(1);
});

it('hands over more than fits through the lock, and the window lives on', async () => {
  const missing = Array.from({ length: 1000 }, (_, index) =>
    join(folder.path, `no such recording ${index}.wav`),
  );
  expect(await startAgain(data, ...missing, await recording('last one.wav'))).toBe(0);
  await untilShown(1, 1000);
  expect(program.app.process().exitCode).toBeNull();
});

it('hands over the recordings of the command line, which says itself that they are to be added', async () => {
  expect(await startAgain(data, 'transcribe', await recording('three.wav'))).toBe(0);
  await untilQueued(1);
});

it('ends with its window, also when the off-screen decoder is open', async () => {
  const { app, page } = program;
  const ended = once(app.process(), 'exit');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.evaluate(() =>
    window.longhand.invoke('settings.change', { addWithoutAsking: true, closeKeepsWorking: false }),
  );
  const path = await recording('decoded.wav');
  await page.evaluate((file) => window.longhand.invoke('queue.add', { paths: [file], links: [] }), path);
  while ((await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) < 2)
    await sleep(50);
  await page.close();
  expect(await ended).toEqual([0, null]);
});
