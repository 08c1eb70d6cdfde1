import { rename, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { overflow } from '../support/window/overflow.ts';
import { answerOpenDialog, dropFiles } from '../support/built-program.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';
import { dragAbove } from '../support/window/view.ts';

const program = useProgram('once');

const row = (name: string) => program.page.getByRole('row', { name });
const names = (): Promise<readonly string[]> =>
  program.page.getByRole('grid').locator('[data-index] bdi[title]').allTextContents();

beforeAll(async () => {
  const { page } = program;
  await program.button('Start').click();
  // So that nothing starts before the test has reordered it.
  await program.invoke('queue.pauseAll');
  const recordings = ['one.wav', 'two.wav', 'three.wav', 'four.wav'].map((name) => program.path(name));
  for (const [index, file] of recordings.entries()) await writeFile(file, silentWav(index + 1));
  await dropFiles(page, recordings);
  await program.button('Add 4 recordings').click();
  // The rows of the add sheet have the same names.
  await page.getByRole('dialog', { name: 'recordings to add' }).waitFor({ state: 'detached' });
  await row('four.wav').waitFor();
});

it('reorders the queue by mouse and by keyboard', async () => {
  const { page } = program;
  await dragAbove(page, row('four.wav'), row('two.wav'));
  await expect.poll(names).toEqual(['one.wav', 'four.wav', 'two.wav', 'three.wav']);
  await row('three.wav').click();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(names).toEqual(['one.wav', 'four.wav', 'three.wav', 'two.wav']);
  await page.getByText('Moved to position 3 of 4').waitFor();
});

it('changes the options of a waiting recording', async () => {
  const { page } = program;
  await row('four.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Change options…' }).click();
  const options = page.getByRole('dialog', { name: 'Options for four.wav' });
  await options.getByText('Fast', { exact: true }).click();
  await options.getByRole('button', { name: 'Change', exact: true }).click();
  await options.waitFor({ state: 'detached' });
  await expect.poll(() => row('four.wav').textContent()).toContain('Fast');
});

it('restores a removed recording at its old position', async () => {
  const before = await names();
  await row('three.wav').click();
  await program.page.keyboard.press('Delete');
  await row('three.wav').waitFor({ state: 'detached' });
  await program.button('Undo').click();
  await expect.poll(names).toEqual(before);
});

it('reports a missing file, and continues once it is located', async () => {
  await rename(program.path('two.wav'), program.path('moved.wav'));
  await program.button('Resume all').click();
  await program.button('Locate…: two.wav').waitFor({ timeout: 60_000 });
  await answerOpenDialog(program.app, program.path('moved.wav'));
  await program.button('Locate…: two.wav').click();
  await expect
    .poll(() => program.button('Open: moved.wav').or(program.button('Open: two.wav')).count(), {
      timeout: 60_000,
    })
    .toBe(1);
});

it('fits on screen at 200 %', async () => {
  const { app, page } = program;
  await app.evaluate(({ BrowserWindow }) => {
    const shown = BrowserWindow.getAllWindows().find((one) =>
      one.webContents.getURL().endsWith('longhand/index.html'),
    );
    shown?.setContentSize(1280, 820);
    shown?.webContents.setZoomFactor(2);
  });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(640);
  for (const screen of ['Queue', 'Library', 'Settings']) {
    await page.locator('nav').getByRole('button', { name: screen }).click();
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(overflow)).toEqual([]);
  }
});
