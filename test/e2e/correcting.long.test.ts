import { copyFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipAfterFailedStep } from '../support/journey.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { dropFiles, startProgram, type RunningProgram } from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';

const textOf = async (page: Page): Promise<string> =>
  (await page.getByRole('textbox', { name: /^Segment/ }).allTextContents()).join(' | ');

async function openTranscript(page: Page): Promise<void> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.getByRole('row', { name: /speech/ }).waitFor();
  await list.press('ArrowDown');
  await list.press('Enter');
  await page
    .getByRole('textbox', { name: /^Segment/ })
    .first()
    .waitFor();
}

/** Returns the position of the player in seconds. */
const playhead = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector<HTMLMediaElement>('audio, video')?.currentTime ?? -1);

/** Closes the window as its close button does, and with it the program. */
async function closeWindow({ app }: RunningProgram): Promise<void> {
  const ended = new Promise<void>((done) => {
    app.process().once('exit', () => done());
  });
  const close = app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close();
  });
  // The page may be gone before it can respond.
  await Promise.all([ended, close.catch(() => undefined)]);
}

describe('a transcript can be played and corrected by keyboard only', () => {
  skipAfterFailedStep();
  let folder: TemporaryFolder;
  let recording: string;
  let data: string;
  let program: RunningProgram;

  beforeAll(async () => {
    folder = await temporaryFolder();
    data = join(folder.path, 'data');
    recording = join(folder.path, 'speech.mp3');
    await copyFile(kennedy.mp3, recording);
    program = await startProgram(data);
    const { page } = program;
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await dropFiles(page, [recording]);
    await page.getByRole('button', { name: 'Start 1 recording' }).click();
    await page.getByText('Done', { exact: false }).and(page.getByText(/words/)).waitFor({ timeout: 120_000 });
  });

  afterAll(async () => {
    await program.close();
    await folder.remove();
  });

  it('plays with a waveform, and skips back a little when it resumes', async () => {
    const { page } = program;
    await openTranscript(page);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.keyboard.press('Space');
    await expect.poll(() => playhead(page), { timeout: 20_000 }).toBeGreaterThan(2);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const pausedAt = await playhead(page);
    // Checks the seek itself: by the time of a later query, playback would have moved on.
    await page.locator('audio').evaluate((player: HTMLAudioElement) => {
      const time = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime');
      Object.defineProperty(player, 'currentTime', {
        get: () => time?.get?.call(player) as number,
        set: (seconds: number) => {
          player.dataset['seekedTo'] = String(seconds);
          time?.set?.call(player, seconds);
        },
      });
    });
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    expect(pausedAt - Number(await page.locator('audio').getAttribute('data-seeked-to'))).toBeCloseTo(1.5, 1);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.keyboard.press('>');
    await page.getByRole('button', { name: 'Speed: 1.25 times' }).waitFor();
    await expect.poll(() => page.locator('[aria-current=time]').count()).toBe(1);
    await expect
      .poll(() => readdir(join(data, 'waveforms')).catch(() => []), { timeout: 30_000 })
      .toHaveLength(1);
  });

  it('is corrected, split and merged while it plays', async () => {
    const { page } = program;
    const before = await textOf(page);
    // To the start, however far a busy computer has played.
    for (let back = 0; back < 3; back += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => playhead(page)).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.type('Listen: ');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByText(/· saved$/).waitFor();
    await expect.poll(() => textOf(page)).toBe(`Listen: | ${before}`);
    // One undo per letter and one for the split: on a slow computer each letter may be an edit.
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => textOf(page)).toBe(before);
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(() => textOf(page)).toBe(`Listen: | ${before}`);
    await page.getByText(/· saved$/).waitFor();
  });

  it.each([
    ['quit', 'Now. ', () => program.close()],
    ['closed', 'Then. ', () => closeWindow(program)],
  ])('keeps the last typed text when it was %s at once', async (_how, words, end) => {
    // Enter would lead back to where an earlier step had the caret.
    await program.page.getByRole('textbox', { name: /^Segment 1,/ }).focus();
    await program.page.keyboard.press('Home');
    await program.page.keyboard.type(words);
    await end();
    program = await startProgram(data);
    await openTranscript(program.page);
    await expect.poll(async () => (await textOf(program.page)).startsWith(words)).toBe(true);
  });

  it('undoes edits made before it was closed', async () => {
    // At most twenty edits: one per letter, and the split.
    for (let step = 0; step < 20; step += 1) await program.page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => textOf(program.page)).not.toMatch(/Then|Now|Listen/);
  });

  it('can be read although its recording is missing', async () => {
    await rename(recording, join(folder.path, 'elsewhere.mp3'));
    const { page } = program;
    await page.keyboard.press('Escape');
    await openTranscript(page);
    await page.getByText('The recording was not found.').waitFor();
    await program.app.evaluate(
      ({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
      },
      join(folder.path, 'elsewhere.mp3'),
    );
    await page.getByRole('button', { name: 'Locate file…' }).press('Enter');
    await page.getByRole('button', { name: 'Play', exact: true }).press('Enter');
    await expect.poll(() => playhead(page), { timeout: 20_000 }).toBeGreaterThan(0.5);
  });

  it('gives the window access to no other file', async () => {
    const statuses = await program.page.evaluate(async () => {
      const urls = [
        'media://transcript/999',
        'media://transcript/..%2f..%2fetc%2fpasswd',
        'media://etc/passwd',
      ];
      const answers = await Promise.all(
        urls.map((url) =>
          fetch(url).then(
            ({ status }) => status,
            () => 'refused',
          ),
        ),
      );
      return answers;
    });
    expect(statuses.every((status) => status === 404 || status === 'refused')).toBe(true);
  });
});
