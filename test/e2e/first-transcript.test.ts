import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseText } from 'media-captions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOpenDialog, dropFiles, startProgram, type RunningProgram } from '../support/built-program.ts';
import { skipAfterFailedStep } from '../support/journey.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { kennedy, wordErrorRate } from '../support/speech/speech-audio.ts';

describe('from the first start to the first transcript', () => {
  skipAfterFailedStep();
  let folder: TemporaryFolder;
  let program: RunningProgram;

  beforeAll(async () => {
    folder = await temporaryFolder();
    program = await startProgram(join(folder.path, 'data'));
  });

  afterAll(async () => {
    await program.close();
    await folder.remove();
  });

  it('preselects this computer and names the model it uses', async () => {
    const { page } = program;
    await page.getByRole('heading', { name: 'Where should your recordings be transcribed?' }).waitFor();
    expect(await page.getByRole('radio', { name: 'On this computer' }).isChecked()).toBe(true);
    await page.getByText(/Whisper base/).waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
  });

  it('transcribes a dropped recording with the real model', async () => {
    const { page } = program;
    await dropFiles(page, [kennedy.mp3]);
    await page.getByRole('dialog', { name: '1 recording to add' }).waitFor();
    await page.getByText('11 s', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start 1 recording' }).press('Enter');
    await page.getByRole('grid', { name: 'Recordings in the queue' }).and(page.locator(':focus')).waitFor();
    await page.getByText('Done', { exact: false }).and(page.getByText(/words/)).waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Open: jfk.mp3' }).click();
    const text = page.getByLabel('Text of the transcript');
    await text.waitFor();
    expect(wordErrorRate(kennedy.text, (await text.innerText()).replaceAll(/\d+:\d\d/g, ' '))).toBe(0);
  });

  it('shows the recording on the sheet again, from the menu of its transcript', async () => {
    const { page } = program;
    const sheet = page.getByRole('dialog', { name: '1 recording to add' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Transcribe again…' }).click();
    await sheet.getByText('Makes a second transcript; “jfk.mp3” stays unchanged').waitFor();
    expect(await sheet.getByRole('checkbox', { name: 'Add jfk.mp3' }).isChecked()).toBe(true);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Text of the transcript').waitFor();
  });

  it('was decoded by a page whose session serves no recordings', async () => {
    const served = await program.app.evaluate(({ webContents }) =>
      ['decoder/', 'index.html'].map((path) =>
        webContents
          .getAllWebContents()
          .filter((contents) => contents.getURL().startsWith(`app://longhand/${path}`))
          .map((contents) => contents.session.protocol.isProtocolHandled('media')),
      ),
    );
    expect(served).toEqual([[false], [true]]);
  });

  it('was decoded by a page that has no file dialogs, like that of the window', async () => {
    const found = await program.app.evaluate(({ webContents }) =>
      Promise.all(
        webContents
          .getAllWebContents()
          .filter((contents) => contents.getURL().startsWith('app://longhand/'))
          .map((contents) => contents.executeJavaScript('typeof showSaveFilePicker + alert("text")', true)),
      ),
    );
    expect(found).toEqual(['undefinedundefined', 'undefinedundefined']);
  });

  it('saves the chosen files into the chosen folder, readable for other programs', async () => {
    const { app, page } = program;
    const out = join(folder.path, 'out');
    await mkdir(out);
    await answerOpenDialog(app, out);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('More options').click();
    await page.getByText('After layout: all').waitFor();
    await page.getByRole('checkbox', { name: /^DOCX/ }).check();
    await page.getByRole('radio', { name: /^Into a folder/ }).click();
    await page.getByText('in “out”').waitFor();
    await page.getByRole('button', { name: 'Save 3 files' }).click();
    await page.getByRole('heading', { name: '3 files saved' }).waitFor();
    expect((await readdir(out)).toSorted()).toEqual(['jfk.docx', 'jfk.srt', 'jfk.txt']);
    const { cues, errors } = await parseText(await readFile(join(out, 'jfk.srt'), 'utf8'), { type: 'srt' });
    expect(errors).toEqual([]);
    expect(wordErrorRate(kennedy.text, cues.map((cue) => cue.text).join(' '))).toBe(0);
    expect(cues.every((cue) => cue.endTime > cue.startTime && cue.endTime < 11.5)).toBe(true);
    expect((await readFile(join(out, 'jfk.docx'))).subarray(0, 2).toString()).toBe('PK');
  });
});
