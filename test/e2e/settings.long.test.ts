import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addRecordings, answerOpenDialog, openSettings } from '../support/built-program.ts';
import { putSilentRecording } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('each', 'Users', 'ann-okafor', 'data');

it('every choice takes effect at once, in the window and in the system, and survives a restart', async () => {
  const { app, page } = program;
  await openSettings(program.page);
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  // An open dialog changes with the rest.
  await page.keyboard.press('F1');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  const paper = (): Promise<string> => help.evaluate((element) => getComputedStyle(element).backgroundColor);
  const dark = await paper();
  await program.invoke('settings.change', { theme: 'light' });
  await expect.poll(paper).not.toBe(dark);
  await page.keyboard.press('Escape');

  await page.getByLabel('Display language').selectOption({ label: 'Deutsch' });
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  const menu = (): Promise<readonly string[]> =>
    app.evaluate(
      ({ Menu }) =>
        Menu.getApplicationMenu()?.items.flatMap(({ label, submenu }) => [
          label,
          ...(submenu?.items.map((item) => item.label) ?? []),
        ]) ?? [],
    );
  await expect.poll(menu).toContain('Protokolldatei speichern …');
  expect(await menu()).not.toContain('Add recordings…');

  await program.close();
  await program.start();
  await program.page.getByRole('button', { name: 'Einstellungen' }).click();
  await program.page.getByRole('radiogroup', { name: 'Farbschema' }).waitFor();
  expect(await program.page.getByRole('radio', { name: 'Hell' }).isChecked()).toBe(true);
  expect(await program.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light');
});

/** Chromium's comment on our policy: `sandbox` only takes rights from the page here, such as dialogs and downloads. */
const sandboxComment =
  'An iframe which has both allow-scripts and allow-same-origin for its sandbox attribute can escape its sandboxing.';

it('the window logs nothing to the console, however many components listen', async () => {
  const { page } = program;
  const messages: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) messages.push(message.text());
  });
  await page.reload();
  await openSettings(page);
  await page.getByRole('heading', { name: 'Watched folders' }).waitFor();
  for (const name of ['Library', 'Queue']) await page.locator('nav').getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Queue', exact: true }).waitFor();
  expect(messages.filter((text) => text !== sandboxComment)).toEqual([]);
});

describe('what is saved after each transcript', () => {
  it('is named as in the preview, overwrites nothing, and is reported when it cannot be saved', async () => {
    const { page } = program;
    const texts = program.path('texts');
    await writeFile(texts, 'not a folder');
    await openSettings(program.page);
    await page.getByRole('checkbox', { name: 'Data (JSON)' }).click();
    await page.getByLabel('File name').fill('notes/{name}?{folder}');
    await page.getByText('notes/Interview-Recordings.json').waitFor();
    await answerOpenDialog(program.app, texts);
    await program.button('Choose folder…').click();
    await page.getByText(texts).waitFor();

    const recording = await putSilentRecording(program.path('Users', 'ann-okafor'), 'talk.wav');
    await program.invoke('settings.change', { addWithoutAsking: true });
    await addRecordings(program.page, [recording]);
    await page.getByText('1 file could not be saved in “texts”.').first().waitFor({ timeout: 60_000 });

    // The user fixes the cause elsewhere: existing files stay unchanged.
    const other = program.path('other');
    await mkdir(join(other, 'notes'), { recursive: true });
    await writeFile(join(other, 'notes', 'talk-ann-okafor.json'), 'mine');
    await answerOpenDialog(program.app, other);
    await program.button('Save elsewhere…').click();
    await page.getByText('1 file saved').first().waitFor();
    expect((await readdir(join(other, 'notes'))).toSorted()).toEqual([
      'talk-ann-okafor 2.json',
      'talk-ann-okafor.json',
    ]);
    expect(await readFile(join(other, 'notes', 'talk-ann-okafor.json'), 'utf8')).toBe('mine');
    expect(await readFile(texts, 'utf8')).toBe('not a folder');
  });
});
