import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprintBy } from '../../electron/core/media/fingerprint.ts';
import { runCommand } from '../support/built-command.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { fillLibrary } from '../support/library-folder.ts';
import {
  answerOpenDialog,
  answerSaveDialog,
  startProgram,
  type RunningProgram,
} from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';
import { typeInFocus } from '../support/window/view.ts';

let folder: TemporaryFolder;
let programs: RunningProgram[];

beforeEach(async () => {
  folder = await temporaryFolder();
  programs = [];
});
afterEach(async () => {
  for (const program of programs) await program.close();
  await folder.remove();
});

/** Opens the program on its own data folder, at the library. */
async function openLibrary(name: string): Promise<RunningProgram> {
  const program = await startProgram(join(folder.path, name));
  programs.push(program);
  await program.page.getByRole('button', { name: 'Start' }).click();
  await program.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  return program;
}

/** Chooses a tool of the whole library by keyboard. */
async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions for the whole library' }).press('Enter');
  await page.getByRole('menuitem', { name }).press('Enter');
}

const subtitles = (lines: readonly string[]): string =>
  lines
    .map((line, index) => `${index + 1}\n00:00:0${index},000 --> 00:00:0${index + 1},000\n${line}\n`)
    .join('\n');

async function importTalks({ app, page }: RunningProgram, notes = 'Jon said so himself.\n'): Promise<void> {
  const paths = [
    join(folder.path, 'Harbour.srt'),
    join(folder.path, 'Radio.srt'),
    join(folder.path, 'Notes.txt'),
  ];
  await writeFile(paths[0] ?? '', subtitles(['Jon came late.', 'Nobody saw Jonas.', 'Then jon left.']));
  await writeFile(paths[1] ?? '', subtitles(['The radio was on.', 'It was Jon again.']));
  await writeFile(paths[2] ?? '', notes);
  await app.evaluate(({ dialog }, filePaths) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths });
  }, paths);
  await page.getByRole('button', { name: 'Import', exact: false }).first().click();
  await page.getByText('3 transcripts on this computer').waitFor();
}

it('a name is replaced in all transcripts by keyboard, with a preview, and restored by undo', async () => {
  const program = await openLibrary('data');
  const { page } = program;
  await importTalks(program);
  await chooseTool(page, 'Replace in all transcripts…');
  await typeInFocus(page, 'jon');
  await page.getByText('5 matches in 3 transcripts').waitFor();
  await page.getByRole('checkbox', { name: 'Whole words' }).check();
  await page.getByText('4 matches in 3 transcripts').waitFor();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('Joan');
  // Excludes the note: its line is the first.
  const list = page.getByRole('grid', { name: 'Matches' });
  await list.press('ArrowDown');
  const first = await list.getByRole('row').nth(1).textContent();
  await list.press('Space');
  const remaining = first?.includes('Harbour') === true ? 2 : 3;
  await page.getByText(`${remaining} matches in 2 transcripts`).waitFor();
  await page.getByRole('button', { name: `Replace ${remaining} matches` }).press('Enter');
  await page.getByText('“jon” replaced by “Joan” in 2 transcripts').waitFor();
  // The notice with the undo button stays while the pointer is over it.
  await page.getByRole('button', { name: 'Undo' }).hover();

  const search = page.getByRole('searchbox');
  await search.fill('joan');
  await page.getByText('2 transcripts found').waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByText('Change of “jon” undone in 2 transcripts').waitFor();
  await page.getByText('Nothing found for “joan”').waitFor();
  await search.fill('jon');
  await expect.poll(() => page.getByRole('grid').locator('[data-index]').count()).toBe(3);
});

it('a regular expression replaces in all transcripts; one that never ends is given up', async () => {
  const program = await openLibrary('data');
  const { page } = program;
  await importTalks(program, `${'a'.repeat(60)}! Jon said so himself.\n`);
  await chooseTool(page, 'Replace in all transcripts…');
  await page.getByRole('checkbox', { name: 'Regular expression' }).check();
  const field = page.getByLabel('Find', { exact: true });
  await field.fill('(a+)+$');
  await page.getByText('“Notes”: This expression takes too long on this text.').waitFor();
  await field.fill(String.raw`[Jj]on (\w+)`);
  await page.getByText('4 matches in 3 transcripts').waitFor();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('$1, says Joan');
  await page.getByRole('grid', { name: 'Matches' }).getByText('came, says Joan').waitFor();
  await page.getByRole('button', { name: 'Replace 4 matches' }).press('Enter');
  await page.getByRole('button', { name: 'Undo' }).hover();
  const search = page.getByRole('searchbox');
  await search.fill('joan');
  await page.getByText('3 transcripts found').waitFor();
  await expect.poll(() => page.getByRole('grid').getByText('came, says Joan').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByText('Nothing found for “joan”').waitFor();
});

it('the whole library is backed up, and restored in another data folder with edits and tags', async () => {
  const before = await openLibrary('before');
  await importTalks(before);
  await before.page.getByRole('searchbox').fill('radio');
  // Another search clears the selection.
  await before.page.getByText('1 transcript found').waitFor();
  const row = before.page.getByRole('row', { name: 'Radio' });
  await row.click({ modifiers: ['ControlOrMeta'] });
  await before.page.getByRole('button', { name: 'Tags…' }).click();
  await typeInFocus(before.page, 'Evening');
  await before.page.keyboard.press('Enter');
  await before.page.keyboard.press('Enter');
  await before.page.getByRole('button', { name: 'Evening 1' }).waitFor();
  await row.getByRole('button', { name: /radio was on/ }).click();
  const segment = before.page.getByRole('textbox', { name: /^Segment/ }).first();
  await segment.fill('The wireless was on.');
  await before.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');

  const file = join(folder.path, 'library.longhand');
  await answerSaveDialog(before.app, file);
  await chooseTool(before.page, 'Back up library…');
  await before.page.getByText('3 transcripts backed up').waitFor();

  const after = await openLibrary('after');
  await answerOpenDialog(after.app, file);
  await after.page.getByRole('button', { name: 'Restore from backup…' }).click();
  await after.page.getByText('3 are not in the library and will be added.').waitFor();
  await after.page.getByRole('button', { name: 'Add 3 transcripts' }).press('Enter');
  await after.page.getByText('3 transcripts restored').waitFor();
  await after.page.getByRole('button', { name: 'Evening 1' }).waitFor();
  await after.page.getByRole('searchbox').fill('wireless');
  await after.page.getByText('1 transcript found').waitFor();
  await after.page
    .getByRole('row', { name: 'Radio' })
    .getByRole('button', { name: /wireless/ })
    .click();
  await after.page
    .getByRole('textbox', { name: /^Segment/ })
    .first()
    .waitFor();
  await after.page.keyboard.press('ControlOrMeta+z');
  await expect
    .poll(() =>
      after.page
        .getByRole('textbox', { name: /^Segment/ })
        .first()
        .textContent(),
    )
    .toBe('The radio was on.');

  await after.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await answerOpenDialog(after.app, join(folder.path, 'Radio.srt'));
  await chooseTool(after.page, 'Restore from backup…');
  // Once in the notice, and once for screen readers.
  await after.page.getByText('This is not a backup of a Longhand library').first().waitFor();
  await answerOpenDialog(after.app, file);
  await chooseTool(after.page, 'Restore from backup…');
  await after.page.getByText('Everything in it is already here. There is nothing to add.').waitFor();
});

/** Saves transcripts in a data folder, each with the recording that it was made from. */
async function saveWithRecordings(data: string, recordings: Readonly<Record<string, string>>): Promise<void> {
  const transcripts = Object.entries(recordings).map(async ([name, path]) => {
    const bytes = await readFile(path);
    const read = async (buffer: Uint8Array, length: number, position: number): Promise<void> =>
      buffer.set(bytes.subarray(position, position + length));
    const fingerprint = await fingerprintBy(read, bytes.length);
    return {
      name,
      durationSeconds: kennedy.seconds,
      recording: { path, sizeBytes: bytes.length, fingerprint },
      transcript: {
        language: 'en',
        text: kennedy.text,
        segments: [{ start: 0, end: 11, text: kennedy.text }],
      },
    };
  });
  await fillLibrary(data, await Promise.all(transcripts));
}

it('moved and renamed recordings are found by their content, and can be played again', async () => {
  const card = join(folder.path, 'card');
  const archive = join(folder.path, 'archive', 'november');
  await Promise.all([mkdir(card), mkdir(archive, { recursive: true })]);
  await copyFile(kennedy.wav, join(card, 'REC001.wav'));
  await copyFile(kennedy.mp3, join(card, 'REC002.mp3'));
  await writeFile(join(card, 'REC003.wav'), 'a recording that is lost permanently');
  const data = join(folder.path, 'data');
  await saveWithRecordings(data, {
    Speech: join(card, 'REC001.wav'),
    'The same speech': join(card, 'REC001.wav'),
    'Speech as MP3': join(card, 'REC002.mp3'),
    Lost: join(card, 'REC003.wav'),
  });
  await rename(join(card, 'REC001.wav'), join(archive, 'Kennedy, inauguration.wav'));
  await rename(join(card, 'REC002.mp3'), join(folder.path, 'archive', 'kennedy.mp3'));
  await rename(join(card, 'REC003.wav'), join(folder.path, 'elsewhere.wav'));
  // Of the same size as one of them, with different content.
  await writeFile(join(archive, 'noise.wav'), Buffer.alloc((await readFile(kennedy.wav)).length, 1));

  const program = await startProgram(data);
  programs.push(program);
  const { app, page } = program;
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await page.getByRole('row', { name: 'The same speech' }).click();
  await page.getByRole('button', { name: 'Locate file…' }).waitFor();
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');

  await answerOpenDialog(app, join(folder.path, 'archive'));
  await chooseTool(page, 'Find missing recordings…');
  await page.getByText('The recordings of 3 transcripts were found').first().waitFor();
  await page.getByText('1 is still missing').first().waitFor();
  await page.getByRole('row', { name: 'The same speech' }).click();
  const duration = (): Promise<number> =>
    page.evaluate(() => document.querySelector<HTMLMediaElement>('audio, video')?.duration ?? 0);
  await expect.poll(duration).toBeGreaterThan(10);
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');

  await answerOpenDialog(app, folder.path);
  await chooseTool(page, 'Find missing recordings…');
  await page.getByText('The recording of 1 transcript was found').first().waitFor();
  await chooseTool(page, 'Find missing recordings…');
  await page.getByText('No recordings are missing').first().waitFor();
});

it('the command line exports and backs up while the window is open, and restores once it is closed', async () => {
  const program = await openLibrary('data');
  await importTalks(program);
  const options = { dataFolder: join(folder.path, 'data'), folder: folder.path };
  const exported = await runCommand(
    ['export', '--search', 'radio', '--to', 'txt', '--out', 'texts'],
    options,
  );
  expect(exported).toMatchObject({ code: 0, output: `${join(folder.path, 'texts', 'Radio.txt')}\n` });
  expect(await readFile(join(folder.path, 'texts', 'Radio.txt'), 'utf8')).toContain('It was Jon again.');

  const backedUp = await runCommand(['library', 'backup', 'all.longhand'], options);
  expect(backedUp).toMatchObject({ code: 0, output: `${join(folder.path, 'all.longhand')}\n` });
  expect(backedUp.errors).toContain('3 transcripts are in the backup.');
  const refused = await runCommand(['library', 'restore', 'all.longhand'], options);
  expect(refused.code).toBe(3);
  expect(refused.errors).toContain('Longhand is open on this data folder');

  await program.close();
  const known = await runCommand(['library', 'restore', 'all.longhand'], options);
  expect(known.code).toBe(0);
  expect(known.errors).toContain('Everything in it is already here.');
  const other = { dataFolder: join(folder.path, 'other'), folder: folder.path };
  const restored = await runCommand(['library', 'restore', 'all.longhand', '--json'], other);
  expect(restored.code).toBe(0);
  expect(JSON.parse(restored.output.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'restored',
    added: 3,
  });
  const all = await runCommand(['export', '--all', '--to', 'srt', '--out', 'all'], other);
  expect(all.output.trim().split('\n')).toHaveLength(3);
});
