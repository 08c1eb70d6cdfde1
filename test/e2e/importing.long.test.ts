import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import {
  answerOpenDialog,
  dropFiles,
  invokeIn,
  startProgram,
  type RunningProgram,
} from '../support/built-program.ts';

const subtitles =
  'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Anna>Good morning.\n\n00:03.000 --> 00:05.000\n<v Ben>Good night.\n';
const youTube = '0:00:01.000,0:00:03.000\nThe nets do not know.\n';
const broken = '1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n00:00:03,000 -->\nGone.\n';

const rows = (page: Page) => page.getByRole('grid', { name: 'Saved transcripts' }).getByRole('row');

describe('transcripts of other programs', () => {
  let folder: TemporaryFolder;
  let program: RunningProgram;
  const file = async (name: string, content: string): Promise<string> => {
    const path = join(folder.path, name);
    await writeFile(path, content);
    return path;
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    program = await startProgram(join(folder.path, 'data'));
    const { page } = program;
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  });

  afterAll(async () => {
    await program.close();
    await folder.remove();
  });

  it('are imported through the dialog and open with their speakers', async () => {
    const { app, page } = program;
    await answerOpenDialog(app, await file('Talk.vtt', subtitles));
    await page.getByRole('button', { name: 'Import…' }).first().click();
    await page.getByText('Imported Talk').waitFor();
    await rows(page).filter({ hasText: 'Talk' }).click();
    await page
      .getByRole('textbox', { name: /^Segment/ })
      .first()
      .waitFor();
    expect(await page.getByRole('textbox', { name: /^Segment/ }).allTextContents()).toEqual([
      'Good morning.',
      'Good night.',
    ]);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await page.getByText('Ben', { exact: true }).first().waitFor();
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  });

  it('are dropped: new ones are imported, known ones reported, broken ones reported with their line', async () => {
    const { page } = program;
    await dropFiles(page, [
      await file('Harbour.sbv', youTube),
      await file('Talk again.vtt', subtitles),
      await file('Cut.srt', broken),
    ]);
    await page.getByText('Imported Harbour').waitFor();
    await page.getByText('1 was already in the library').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: '1 was skipped' });
    await details.getByText('Cut.srt').waitFor();
    await details.getByText('Line 6 of this file cannot be read', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('[data-index]:visible').count()).toBe(2);
  });

  it('are offered when a dropped folder contains nothing else, with the add sheet and without it', async () => {
    const { page } = program;
    const folders = ['Season', 'Another'].map((name) => join(folder.path, name));
    for (const [index, path] of folders.entries()) {
      await mkdir(path);
      await file(
        join(basename(path), 'One.sbv'),
        `${youTube}\n0:00:0${index + 4}.000,0:00:09.000\nOne of ${index}.\n`,
      );
      await file(join(basename(path), 'Two.srt'), `1\n00:00:01,000 --> 00:00:02,000\nTwo of ${index}.\n`);
      await file(join(basename(path), 'cover.jpg'), 'a picture');
    }
    await dropFiles(page, folders.slice(0, 1));
    const sheet = page.getByRole('dialog', { name: '2 transcripts to import' });
    await sheet.getByRole('button', { name: 'Import 2 transcripts' }).click();
    await sheet.waitFor({ state: 'hidden' });
    await page.getByText('2 transcripts imported').first().waitFor();
    await expect.poll(() => page.locator('[data-index]:visible').count()).toBe(4);

    await invokeIn(page, 'settings.change', { addWithoutAsking: true });
    await dropFiles(page, folders.slice(1));
    await page.getByRole('button', { name: 'Import 2 transcripts' }).click();
    await expect.poll(() => page.locator('[data-index]:visible').count()).toBe(6);
  });
});
