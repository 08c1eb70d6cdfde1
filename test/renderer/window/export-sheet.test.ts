import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ExportPreview, ExportReport } from '../../../electron/contract/export.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow, type Look } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

async function openSheet(scene: Scene = {}, look: Look = {}): Promise<Page> {
  const page = await app.open({ transcripts: [sampleTranscript({ id: 4 })], ...scene }, look);
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Interview' }).first().click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Save 2 files' }).waitFor();
  await page.getByText('More options').click();
  return page;
}

test('shows only the options of the chosen formats', async () => {
  const page = await openSheet();
  await page.getByRole('checkbox', { name: /^SRT/ }).uncheck();
  await expect.poll(() => page.getByLabel('Layout for').count()).toBe(0);
  await page.getByRole('checkbox', { name: /^TXT/ }).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /^DOCX/ }).check();
  const timestamps = page.getByRole('checkbox', { name: /^Timestamps before paragraphs/ });
  await timestamps.waitFor();
  await page.getByText('Lines with times').click();
  await timestamps.waitFor({ state: 'detached' });
  const words = page.getByRole('checkbox', { name: /^Times of words/ });
  expect(await words.count()).toBe(0);
  await page.getByRole('checkbox', { name: /^CSV/ }).check();
  await words.check();
  await page.getByRole('checkbox', { name: /^CSV/ }).uncheck();
  await page.getByRole('button', { name: 'Save 1 file' }).click();
  await expect.poll(() => app.main.callsOf('export.run')).toMatchObject([{ words: true, text: 'times' }]);
  await page.getByRole('heading', { name: '1 file saved' }).waitFor();
  await page.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => app.main.callsOf('export.showInFolder')).toHaveLength(1);
});

test('shows the layout of subtitles without any further option, and the fields of custom rules with it', async () => {
  const page = await openSheet();
  const more = page.getByText('More options');
  await more.click();
  const layout = page.getByLabel('Layout for');
  expect(await layout.isVisible()).toBe(true);
  expect(await layout.inputValue()).toBe('broadcast');
  await layout.selectOption({ label: 'Custom rules' });
  await page.getByLabel('Characters per line').waitFor();
  await page.getByRole('checkbox', { name: /^SRT/ }).uncheck();
  await expect.poll(() => layout.count()).toBe(0);
});

test('nothing changes behind an open dialog: the menu is off, and a navigation waits until it is closed', async () => {
  const page = await openSheet();
  await expect.poll(() => app.main.callsOf('app.setModal')).toEqual([{ isModal: false }, { isModal: true }]);
  await app.push('navigate', { to: 'settings' });
  await page.getByRole('checkbox', { name: /^SRT/ }).uncheck();
  await page.getByRole('button', { name: 'Save 1 file' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Settings', includeHidden: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(app.main.callsOf('app.setModal').at(-1)).toEqual({ isModal: false });
});

test('says which field of a file name does not exist, and saves nothing until it is corrected', async () => {
  const page = await openSheet();
  const name = page.getByLabel('File name');
  await name.fill('{nam}');
  await page.getByText('There is no field {nam}.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await name.fill('{name}');
  await page.getByRole('button', { name: 'Save 2 files' }).waitFor();
});

test('remembers its options, except for replacing files', async () => {
  const page = await openSheet({
    answers: {
      'export.preview': () => ({
        files: 2,
        examples: ['a.srt'],
        folder: 'Out',
        existing: 2,
        withoutRecording: 0,
        withoutHighlights: 0,
        estimated: 0,
      }),
    },
  });
  await page.getByLabel('File name').fill('{date} ');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByText('Replace').click();
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByRole('heading', { name: '2 files saved' }).waitFor();
  await expect
    .poll(() => app.main.callsOf('export.run'))
    .toMatchObject([{ template: '{date} {language}', existing: 'replace' }]);
  await expect
    .poll(() => app.main.settings.exporting)
    .toMatchObject({
      template: '{date} {language}',
      existing: 'number',
    });
});

const previewOf = (files: number): ExportPreview => ({
  files,
  examples: ['a.srt'],
  folder: 'Out',
  existing: 0,
  withoutRecording: 0,
  withoutHighlights: 0,
  estimated: 0,
});

test('saves nothing that it has not counted', async () => {
  const slow = Promise.withResolvers<ExportPreview>();
  const page = await openSheet({
    answers: {
      'export.preview': ({ template }) => (template.includes('{language}') ? slow.promise : previewOf(2)),
    },
  });
  const save = (files: number) => page.getByRole('button', { name: `Save ${files} files`, exact: true });
  await expect.poll(() => save(2).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Language' }).click();
  expect(await save(2).isEnabled()).toBe(false);
  const counting = page.getByText('Counting files…');
  await counting.waitFor();
  slow.resolve(previewOf(5));
  await expect.poll(() => save(5).isEnabled()).toBe(true);
  expect(await counting.count()).toBe(0);
});

test('the smallest window shows what happens to existing files without scrolling', async () => {
  const preview = {
    files: 2,
    examples: ['a.srt'],
    folder: 'Out',
    existing: 2,
    withoutRecording: 1,
    withoutHighlights: 0,
    estimated: 1,
  };
  const page = await openSheet({ answers: { 'export.preview': () => preview } }, { width: 720, height: 480 });
  await page
    .getByRole('group', { name: 'What is exported and how' })
    .evaluate((form) => form.scrollTo({ top: 0 }));
  const replace = page.getByRole('radio', { name: 'Replace' });
  await replace.waitFor({ state: 'attached' });
  const box = await page.getByText('Replace', { exact: true }).boundingBox();
  const save = await page.getByRole('button', { name: 'Save 2 files' }).boundingBox();
  expect(box!.y).toBeGreaterThan(0);
  expect(box!.y + box!.height).toBeLessThan(save!.y);
  expect(save!.y + save!.height).toBeLessThan(480);
  await page.mouse.click(box!.x + box!.width / 2, box!.y + box!.height / 2);
  expect(await replace.isChecked()).toBe(true);
});

test('says before and after saving that the times of some subtitles are estimated', async () => {
  const page = await openSheet({
    answers: {
      'export.preview': ({ formats, scope }) => ({
        files: formats.length,
        examples: ['a.srt'],
        folder: 'Out',
        existing: 0,
        withoutRecording: 0,
        withoutHighlights: scope.highlightsOnly ? 100 : 0,
        estimated: formats.includes('srt') && !scope.highlightsOnly ? 100 : 0,
      }),
      'export.run': () => ({
        run: 1,
        count: 1,
        written: ['a.srt'],
        skippedCount: 0,
        skipped: [],
        failed: [],
        withoutHighlights: 0,
        estimated: 100,
        cancelled: false,
      }),
    },
  });
  const warning = page.getByText(
    '100 transcripts have no times. The times of their subtitles are estimated.',
  );
  await warning.waitFor();
  await page.getByRole('checkbox', { name: /^SRT/ }).uncheck();
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: /^SRT/ }).check();
  await warning.waitFor();
  await page.getByRole('checkbox', { name: 'Only highlighted passages' }).check();
  await warning.waitFor({ state: 'detached' });
  await page.getByText('100 transcripts have no highlights and are left out.').waitFor();
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByRole('heading', { name: '1 file saved' }).waitFor();
  await expect.poll(() => warning.count()).toBe(1);
});

test('exports notes only if that is chosen for this export, in any format that can hold them', async () => {
  const page = await openSheet();
  const notes = page.getByRole('checkbox', { name: 'Notes' });
  expect(await notes.count()).toBe(0);
  await page.getByRole('checkbox', { name: /^JSON/ }).check();
  // The choice is not hidden among the other options.
  await page.getByText('More options').click();
  await notes.check();
  await page.getByRole('button', { name: 'Save 3 files' }).click();
  await expect.poll(() => app.main.callsOf('export.run')).toMatchObject([{ scope: { notes: true } }]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  expect(await notes.isChecked()).toBe(false);
});

test('counts again with custom rules, and reports a rule that is out of range', async () => {
  const page = await openSheet();
  await page.getByLabel('Layout for').selectOption({ label: 'Custom rules' });
  const columns = page.getByLabel('Characters per line');
  await columns.fill('9');
  await page.getByText('From 10 to 100.').waitFor();
  await columns.fill('32');
  await expect
    .poll(() => app.main.callsOf('export.assess').at(-1))
    .toMatchObject({
      formats: ['srt', 'txt'],
      subtitles: 'own',
      speakers: true,
      rules: { columnsPerLine: 32 },
    });
  await page.getByRole('checkbox', { name: /^Speaker names/ }).uncheck();
  await expect.poll(() => app.main.callsOf('export.assess').at(-1)).toMatchObject({ speakers: false });
});

test('shows the number of skipped files, of which it names only the first ones', async () => {
  const page = await openSheet({
    answers: {
      'export.run': () => ({
        run: 1,
        count: 0,
        written: [],
        skippedCount: 2000,
        skipped: Array.from({ length: 500 }, (_, index) => `Talk ${index}.srt`),
        failed: [],
        withoutHighlights: 0,
        estimated: 0,
        cancelled: false,
      }),
    },
  });
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByRole('heading', { name: 'Nothing was saved' }).waitFor();
  await expect
    .poll(() => page.getByRole('dialog').innerText())
    .toContain('2,000 already existed and were skipped');
  await expect.poll(() => page.getByRole('dialog').innerText()).toContain('and 1,500 more');
});

test('a list keeps the focus when an entry is chosen', async () => {
  const page = await openSheet();
  const list = page.getByLabel('Layout for');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('OPTION');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => list.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => list.inputValue()).toBe('raw');
});

test('Escape closes an open list, and the sheet around it only after that', async () => {
  const page = await openSheet();
  const list = page.getByLabel('Layout for');
  const isOpen = () => list.evaluate((field) => field.matches(':open'));
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(isOpen).toBe(true);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('OPTION');
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => list.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

const saved = { skippedCount: 0, skipped: [], withoutHighlights: 0, estimated: 0, cancelled: false };
const partlySaved: ExportReport = {
  ...saved,
  run: 4,
  count: 1,
  written: ['Talk.srt'],
  failed: [{ name: 'Talk.txt', problem: { code: 'disk_full' } }],
};
const allSaved = { ...saved, run: 5, count: 2, written: ['Talk.srt', 'Talk.txt'], failed: [] };

test('says how many of all files were saved, and retries the others', async () => {
  const page = await openSheet({
    answers: { 'export.run': () => partlySaved, 'export.retry': () => allSaved },
  });
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByRole('heading', { name: '1 of 2 files saved' }).waitFor();
  await page.getByRole('button', { name: 'Show in folder' }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: '2 files saved', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
});

test('counts only what will be written if existing files are skipped', async () => {
  const page = await openSheet({ answers: { 'export.preview': () => ({ ...previewOf(2), existing: 1 }) } });
  await page.getByText('Skip', { exact: true }).click();
  await expect
    .poll(() => page.getByRole('button', { name: 'Save 1 file', exact: true }).isEnabled())
    .toBe(true);
});

test('says once why many files were not saved, and Enter closes the result', async () => {
  const problem = { code: 'export_failed' } as const;
  const names = ['Talk 1.srt', 'Talk 2.srt', 'Talk 3.srt'];
  const nothingSaved = {
    ...saved,
    run: 6,
    count: 0,
    written: [],
    failed: names.map((name) => ({ name, problem })),
  };
  const page = await openSheet({ answers: { 'export.run': () => nothingSaved } });
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByText('Talk 3.srt').waitFor();
  expect(await page.getByText('The file could not be written.').count()).toBe(1);
  await page.getByRole('button', { name: 'Save elsewhere…' }).click();
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByText('Talk 3.srt').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('leads to the subtitles that violate a rule, in the preview with the options of the dialog', async () => {
  const recording = {
    kind: 'ready',
    media: 'audio',
    url: 'media://transcript/4',
    sizeBytes: 1000,
    stamp: '0'.repeat(32),
  } as const;
  const page = await openSheet({ recordings: { 4: recording } });
  await page.getByLabel('Layout for').selectOption({ label: 'Vertical video' });
  const places = page.getByRole('group', { name: 'Show in the transcript:' });
  await places.getByRole('button', { name: '0:07' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Subtitle at the playhead' }).waitFor();
  await page.getByText('0:07 /').waitFor();
  expect(app.main.callsOf('settings.change')).toMatchObject([
    { showSubtitlePreview: true, exporting: { subtitles: 'vertical' } },
  ]);
  expect(app.main.callsOf('export.run')).toEqual([]);
  // The arrow keys move on from there, and the same place can be shown again.
  await page.keyboard.press('ArrowRight');
  await page.getByText('0:12 /').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('More options').click();
  await places.getByRole('button', { name: '0:07' }).click();
  await page.getByText('0:07 /').waitFor();
});

// The last test of the file: the clock stays in the page, and no other window finishes loading with it.
test('the notice of an export whose dialog was closed stays, and retries what was not saved', async () => {
  const { promise, resolve } = Promise.withResolvers<ExportReport>();
  const page = await openSheet({
    answers: { 'export.run': () => promise, 'export.retry': () => allSaved },
  });
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await expect.poll(() => app.main.callsOf('export.run')).toHaveLength(1);
  await app.push('export.progress', { done: 0, total: 2 });
  await page.getByRole('heading', { name: 'Exporting…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.clock.install();
  resolve(partlySaved);
  await page.getByText('1 of 2 files saved').first().waitFor();
  await page.clock.fastForward('10:00');
  await page.clock.resume();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: '2 files saved', exact: true }).waitFor();
  expect(app.main.callsOf('export.retry')).toEqual([{ run: 4 }]);
});
