import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addRecordings, startSecondInstance } from '../support/built-program.ts';
import { putSilentRecording } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('each');

const recording = (name: string): Promise<string> => putSilentRecording(program.path(), name);

const itemsInQueue = async (): Promise<number> => {
  const response = await program.page.evaluate(() =>
    window.longhand.invoke('queue.setViewport', { filter: 'all', search: '', offset: 0, limit: 0 }),
  );
  return response.ok ? response.value.total : -1;
};

/** Returns the number of recordings on the add sheet that can be added, and of those that cannot. */
const sheetCounts = async (): Promise<readonly [ready: number, rejected: number]> => {
  const response = await program.page.evaluate(() =>
    window.longhand.invoke('addSheet.setViewport', { group: 'ready', offset: 0, limit: 0 }),
  );
  const counts = response.ok ? response.value?.summary.counts : undefined;
  return [counts?.ready ?? 0, counts?.rejected ?? 0];
};

it('passes its recordings to the open window, which shows the add sheet', async () => {
  expect(await startSecondInstance(program.data, await recording('one.wav'))).toBe(0);
  await expect.poll(sheetCounts).toEqual([1, 0]);
  expect(await itemsInQueue()).toBe(0);
  await program.page.getByRole('button', { name: 'Start' }).click();
  await program.page.getByRole('button', { name: 'Start 1 recording' }).click();
  await expect.poll(itemsInQueue).toBe(1);
});

it('passes more than the single-instance lock can carry, and the window survives', async () => {
  const missing = Array.from({ length: 1000 }, (_, index) => program.path(`no such recording ${index}.wav`));
  expect(await startSecondInstance(program.data, ...missing, await recording('last one.wav'))).toBe(0);
  await expect.poll(sheetCounts).toEqual([1, 1000]);
  expect(program.app.process().exitCode).toBeNull();
});

it('passes the recordings of the command line, which waits until the window has transcribed them', async () => {
  await program.page.getByRole('button', { name: 'Start' }).click();
  const options = ['--language', 'en', '--accuracy', 'fast', '--to', 'json', '--out', program.path('texts')];
  const path = await recording('three.wav');
  expect(await startSecondInstance(program.data, 'transcribe', path, ...options)).toBe(0);
  const queue = await program.page.evaluate(() =>
    window.longhand.invoke('queue.setViewport', { filter: 'done', search: '', offset: 0, limit: 1 }),
  );
  const row = { options: { language: 'en', accuracy: 'fast' } };
  expect(queue).toMatchObject({ ok: true, value: { total: 1, rows: [row] } });
  expect(await readdir(program.path('texts'))).toEqual(['three.json']);
});

it('exits with its window, even while the off-screen decoder is open', async () => {
  const { app, page } = program;
  const ended = once(app.process(), 'exit');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.evaluate(() =>
    window.longhand.invoke('settings.change', { addWithoutAsking: true, keepWorkingWhenClosed: false }),
  );
  const path = await recording('decoded.wav');
  await addRecordings(page, [path]);
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2);
  await page.close();
  expect(await ended).toEqual([0, null]);
});
