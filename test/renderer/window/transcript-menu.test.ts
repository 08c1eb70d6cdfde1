import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const talks = ['Talk', 'Lecture'].map((name, index) =>
  sampleTranscript({ id: index + 1, name, segments: [{ start: 0, end: 5, text: 'Hello there' }] }),
);

async function openTalk(): Promise<Page> {
  const page = await app.open({ transcripts: talks, tags: { 2: ['Season 1'] } });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  return page;
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

test('the menu of a transcript renames and tags it', async () => {
  const page = await openTalk();
  await choose(page, 'Rename…');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Town hall');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Town hall', level: 1 }).waitFor();
  await choose(page, 'Tags…');
  await page.getByRole('checkbox', { name: 'Season 1' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => app.main.callsOf('library.tag'))
    .toStrictEqual([{ ids: [1], add: ['Season 1'], remove: [] }]);
  // Each opening starts with the current name.
  await choose(page, 'Rename…');
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Town hall');
});

test('the recording of a transcript is transcribed again from its menu', async () => {
  const page = await openTalk();
  await choose(page, 'Transcribe again…');
  await expect.poll(() => app.main.callsOf('queue.addAgain')).toStrictEqual([{ transcript: 1, item: 1 }]);
});

test('a transcript that was renamed with its recording shows its new name and says so', async () => {
  const page = await app.open({
    transcripts: talks,
    answers: {
      'transcript.chooseRecording': () => ({
        recording: { kind: 'none' },
        renamedTo: 'Anna.wav',
        name: 'Anna.wav',
        before: 'REC0001.wav',
        isChanged: true,
        others: 0,
      }),
    },
  });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  await choose(page, 'Choose recording…');
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Anna.wav');
  await page.getByText('“Anna.wav” is its recording now, and the name of the transcript').first().waitFor();
});

test('undo reverts what was done last, even a change that is not an edit', async () => {
  const page = await openTalk();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const undo = (): Promise<void> => page.getByRole('textbox').first().press('ControlOrMeta+z');
  const text = (): string | undefined => app.main.edits(1)?.texts[0];
  await page.getByRole('textbox').first().press('ControlOrMeta+End');
  await page.keyboard.type(' friend');
  await choose(page, 'Rename…');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Town hall');
  await page.keyboard.press('Enter');
  await page.getByText('Renamed to “Town hall”').waitFor();
  await choose(page, 'Tags…');
  await page.getByRole('checkbox', { name: 'Season 1' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tag “Season 1” added to 1 transcript').first().waitFor();
  await choose(page, 'Choose recording…');
  await page.getByText('“talk.mp3” is its recording now').waitFor();
  // On the button of the menu, Space would open it again.
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('textbox');

  await undo();
  await expect.poll(() => app.main.callsOf('transcript.undoRecording')).toEqual([{ id: 1 }]);
  await undo();
  await expect.poll(() => app.main.callsOf('library.changeTags').length).toBe(1);
  expect(await heading('Town hall').count()).toBe(1);
  await undo();
  await heading('Talk').waitFor();
  expect(text()).toBe('Hello there friend');
  await undo();
  await expect.poll(text).toBe('Hello there');

  // What the button of its notice has undone is not undone again.
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await page.keyboard.type('Oh. ');
  await choose(page, 'Choose recording…');
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => app.main.callsOf('transcript.undoRecording').length).toBe(2);
  await undo();
  await expect.poll(text).toBe('Hello there');
  expect(app.main.callsOf('transcript.undoRecording').length).toBe(2);
});

test('undo names the recording that it detaches, and redo attaches it again', async () => {
  const page = await openTalk();
  const text = page.getByRole('textbox').first();
  const stored = (): string | undefined => app.main.edits(1)?.texts[0];
  await choose(page, 'Choose recording…');
  await page.getByText('“talk.mp3” is its recording now').waitFor();
  await text.press('ControlOrMeta+End');
  await page.keyboard.insertText(' friend');
  await expect.poll(stored).toBe('Hello there friend');
  await text.press('ControlOrMeta+z');
  await expect.poll(stored).toBe('Hello there');
  expect(app.main.callsOf('transcript.undoRecording')).toStrictEqual([]);
  await text.press('ControlOrMeta+z');
  await page.getByText('“talk.mp3” is no longer its recording').waitFor();
  await page.getByText('The recording was not found.').waitFor({ state: 'detached' });
  await text.press('ControlOrMeta+Shift+z');
  await page.getByText('The recording was not found.').waitFor();
  await page.getByText('“talk.mp3” is its recording now').waitFor();
  await text.press('ControlOrMeta+Shift+z');
  await expect.poll(stored).toBe('Hello there friend');
  // Undone again, however fast the keys follow.
  for (const key of ['z', 'z', 'Shift+z', 'z']) await text.press(`ControlOrMeta+${key}`);
  await page.getByText('The recording was not found.').waitFor({ state: 'detached' });
  await expect.poll(stored).toBe('Hello there');
});

test('names have one history, which undo and redo follow in the transcript and in the list', async () => {
  const page = await openTalk();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const row = (name: string) => page.getByRole('row', { name });
  for (const name of ['First', 'Second']) {
    await choose(page, 'Rename…');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.keyboard.press('Enter');
    await heading(name).waitFor();
  }
  const text = page.getByRole('textbox').first();
  await text.press('ControlOrMeta+z');
  await heading('First').waitFor();
  await text.press('ControlOrMeta+Shift+z');
  await heading('Second').waitFor();
  await goTo('Library')(page);
  await row('Second').waitFor();
  for (const [key, name] of [
    ['ControlOrMeta+z', 'First'],
    ['ControlOrMeta+z', 'Talk'],
    ['ControlOrMeta+Shift+z', 'First'],
    ['ControlOrMeta+y', 'Second'],
  ] as const) {
    await page.getByRole('grid').press(key);
    await row(name).waitFor();
    await page.getByText(`Renamed to “${name}”`).first().waitFor();
  }
  const names = app.main.callsOf('library.rename').map(({ name }) => name);
  expect(names).toEqual(['First', 'Second', 'First', 'Second', 'First', 'Talk', 'First', 'Second']);
});

test('all times are shifted by the number that is typed, unless a segment would leave the recording', async () => {
  const page = await openTalk();
  await choose(page, 'Shift all times…');
  await page.getByRole('dialog', { name: 'Shift all times' }).waitFor();
  const offset = page.getByRole('textbox', { name: 'Shift by, in seconds' });
  // What is typed replaces the number in the field.
  await page.keyboard.type('-2');
  await page.getByRole('alert').filter({ hasText: 'The first segment starts at 0 s' }).waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  await offset.fill('2');
  await page.keyboard.press('Enter');
  await expect.poll(() => app.main.edits(1)?.times).toStrictEqual([[2, 7]]);
  const notice = page.getByRole('region', { name: 'Notifications' });
  await notice.getByText('All times changed').waitFor();
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.main.edits(1)?.times).toStrictEqual([[0, 5]]);
});

test('the Undo of an edit is gone once the transcript has another name, which it would revert', async () => {
  const page = await openTalk();
  await choose(page, 'Shift all times…');
  await page.getByRole('textbox', { name: 'Shift by, in seconds' }).fill('2');
  await page.keyboard.press('Enter');
  const notices = page.getByRole('region', { name: 'Notifications' });
  await notices.getByText('All times changed').waitFor();
  await choose(page, 'Rename…');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Town hall');
  await page.keyboard.press('Enter');
  // Under the pointer, notices stay.
  await notices.getByText('Renamed to “Town hall”').hover();
  await notices.getByText('All times changed').waitFor({ state: 'detached' });
  await notices.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Talk', level: 1 }).waitFor();
  expect(app.main.edits(1)?.times).toStrictEqual([[2, 7]]);
});

test('a transcript is moved to the trash with what was just typed, and undo brings it back to the list', async () => {
  const page = await openTalk();
  await page.getByRole('textbox').first().press('ControlOrMeta+End');
  await page.keyboard.type(' friend');
  await choose(page, 'Move to trash');
  await page.getByText('“Talk” moved to the trash').waitFor();
  expect(app.main.edits(1)?.texts).toStrictEqual(['Hello there friend']);
  await expect.poll(() => page.getByRole('row', { name: 'Talk' }).count()).toBe(0);
  // The list can undo it, as if it had been moved from there.
  await page.getByRole('row', { name: 'Lecture' }).press('ControlOrMeta+z');
  await page.getByRole('row', { name: 'Talk' }).waitFor();
});

test('the menu bar exports what is open or selected, and says what to do when nothing is', async () => {
  const page = await openTalk();
  await app.push('libraryCommand', 'export');
  await page.getByRole('dialog', { name: 'Export 1 transcript' }).waitFor();
  // Another press keeps what was chosen there.
  await page.getByRole('checkbox', { name: /SRT/ }).uncheck();
  await app.push('libraryCommand', 'export');
  expect(await page.getByRole('checkbox', { name: /SRT/ }).isChecked()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('grid').press('ControlOrMeta+a');
  await app.push('libraryCommand', 'export');
  await page.getByRole('dialog', { name: 'Export 2 transcripts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
  await app.push('libraryCommand', 'export');
  await page.getByText('Select what to export').waitFor();
  await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
});

test('the export sheet over an original says that it exports the current version', async () => {
  const page = await openTalk();
  const note = page.getByText('Your version is exported, not the original.');
  const exportBothWays = async (expected: number): Promise<void> => {
    for (const openSheet of [
      () => page.getByRole('button', { name: 'Export', exact: true }).click(),
      () => app.push('libraryCommand', 'export'),
    ]) {
      await openSheet();
      await page.getByRole('dialog', { name: 'Export 1 transcript' }).waitFor();
      expect(await note.count()).toBe(expected);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  };
  await page.getByRole('textbox').first().press('End');
  await page.keyboard.type(' friend');
  await page.getByRole('button', { name: 'Original', exact: true }).waitFor();
  await exportBothWays(0);
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByRole('button', { name: 'Your version' }).waitFor();
  await exportBothWays(1);
});

test('messages with an action on a transcript close when it is left', async () => {
  const page = await openTalk();
  const redo = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Redo' });
  await page.getByRole('textbox').first().press('End');
  await page.keyboard.type(' friend');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().press('ControlOrMeta+z');
  await redo.waitFor();
  await app.push('navigate', { to: { transcript: 2 } });
  await page.getByRole('heading', { name: 'Lecture', level: 1 }).waitFor();
  // Sooner than its own timeout.
  await expect.poll(() => redo.count(), { timeout: 4000 }).toBe(0);
});

test('the menu bar imports, backs up, restores, and opens a recent transcript from every screen', async () => {
  const page = await app.open({ transcripts: talks });
  await app.push('libraryCommand', 'import');
  await expect.poll(() => app.main.callsOf('library.pickImport')).toStrictEqual([{ what: 'files' }]);
  await app.push('libraryCommand', 'importFolder');
  await expect.poll(() => app.main.callsOf('library.pickImport').at(-1)).toEqual({ what: 'folder' });
  await app.push('libraryCommand', 'restore');
  await expect.poll(() => app.main.callsOf('backup.open')).toMatchObject([{ path: null }]);
  await app.push('libraryCommand', 'backUp');
  await expect.poll(() => app.main.callsOf('backup.write').length).toBe(1);
  await app.push('navigate', { to: { transcript: 2 } });
  await page.getByRole('heading', { name: 'Lecture', level: 1 }).waitFor();
  await app.push('navigate', { to: { transcript: 1 } });
  await page.getByRole('heading', { name: 'Talk', level: 1 }).waitFor();
});

test('the shortcuts of a segment work on the button of its menu, which has the focus after the menu', async () => {
  const page = await openTalk();
  await page.getByRole('button', { name: /^More actions for the segment at/ }).click();
  await page.getByRole('menuitem', { name: /^Copy as a quote/ }).click();
  await expect.poll(() => app.main.callsOf('transcript.copy')).toHaveLength(1);
  await page.keyboard.press('Alt+h');
  await expect.poll(() => app.main.edits(1)?.open().segments[0]?.extras?.highlight).toBe(true);
});
