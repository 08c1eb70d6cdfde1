import { expect, test } from 'vitest';
import { newSegment } from '../../../electron/core/transcript/segment.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo, typeInFocus } from '../../support/window/view.ts';

// Escape discards what an edit would store, as Cancel does, and says so with a button that saves it; a click outside keeps
// it. Of other texts, Escape keeps what was typed until the dialog is opened again.

const app = setUpTestWindow();

const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const waitUntilClosed = () => app.page.getByRole('dialog').waitFor({ state: 'detached' });
const speakers = () => app.main.edits(4)?.open().speakers;

async function cancel(): Promise<void> {
  await button('Cancel').click();
  await waitUntilClosed();
}

async function escape(): Promise<void> {
  await app.page.keyboard.press('Escape');
  await waitUntilClosed();
}

const notes = () =>
  app.main
    .edits(4)
    ?.open()
    .notes.map(({ text }) => text);

test('a rename without a name says what is missing', async () => {
  const page = await openTranscript(app, { segments: [newSegment(0, 5, 'One net.')] });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename transcript' });
  await dialog.getByRole('textbox').fill(' ');
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.getByRole('alert').textContent()).toBe('Enter a name.');
  await page.keyboard.type('Talk');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
});

/** Clicks outside of the dialog. */
const clickOutside = (): Promise<void> => app.page.mouse.click(5, 5);

test('a note that is too long is rejected with a message, and what was typed before is stored', async () => {
  const page = await openTranscript(app, { segments: [newSegment(0, 5, 'One net.')] });
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Alt+n');
  await page.keyboard.type('Check');
  await page.keyboard.insertText('x'.repeat(100_000));
  await page.getByRole('alert').getByText('A note holds up to 100,000 characters.').waitFor();
  await expect.poll(() => page.getByLabel('Note', { exact: true }).inputValue()).toBe('Check');
  await page.keyboard.type('!');
  await page.getByRole('alert').getByText('A note holds').waitFor({ state: 'detached' });
  await expect.poll(notes).toEqual(['Check!']);
});

test('a note is stored as it is typed: a click outside keeps it, Escape and Cancel discard it', async () => {
  const page = await openTranscript(app, {
    segments: [newSegment(0, 5, 'One net.'), newSegment(5, 10, 'Two nets.')],
  });
  const field = page.getByLabel('Note', { exact: true });
  const closed = () => field.waitFor({ state: 'detached' });
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Alt+n');
  await page.keyboard.type('Discarded');
  await expect.poll(notes).toEqual(['Discarded']);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await closed();
  await expect.poll(notes).toEqual([]);
  await page.keyboard.press('Alt+n');
  expect(await field.inputValue()).toBe('');
  await page.keyboard.type('Check the month');
  await expect.poll(notes).toEqual(['Check the month']);
  await page.keyboard.press('Escape');
  await closed();
  await expect.poll(notes).toEqual([]);
  await page.getByText('Note not saved').first().waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect.poll(notes).toEqual(['Check the month']);
  await segmentOf(page, 1).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(notes).toEqual([]);
  await page.keyboard.press('Alt+n');
  await page.keyboard.type('Check the year');
  await clickOutside();
  await field.waitFor({ state: 'detached' });
  await expect.poll(notes).toEqual(['Check the year']);
  await page.getByRole('dialog').getByText('Note saved').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(notes).toEqual([]);
  await segmentOf(page, 1).focus();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(notes).toEqual(['Check the year']);
  // The only note of a segment is opened, and closed without a message when nothing was typed.
  await page.keyboard.press('Alt+n');
  expect(await field.inputValue()).toBe('Check the year');
  await page.keyboard.press('Escape');
  await closed();
  // Nothing is left of a new note whose text was removed again; Enter makes a bookmark of it.
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Add a note…' }).press('Enter');
  await field.waitFor();
  await page.keyboard.type('No');
  await expect.poll(notes).toHaveLength(2);
  await field.fill('');
  await page.keyboard.press('Escape');
  await closed();
  await expect.poll(notes).toEqual(['Check the year']);
  await page.getByRole('button', { name: 'Check the year' }).click();
  await field.fill('Wrong');
  await expect.poll(notes).toEqual(['Wrong']);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await closed();
  await expect.poll(notes).toEqual(['Check the year']);
  await page.getByRole('button', { name: 'Check the year' }).click();
  // A stray key is added to the note, and does not replace it.
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('?');
  await expect.poll(notes).toEqual(['Check the year?']);
  await field.fill('Check the month');
  await page.keyboard.press('ControlOrMeta+Enter');
  await closed();
  await expect.poll(notes).toEqual(['Check the month']);
  // A note goes to a neighbour when its segment is deleted.
  await segmentOf(page, 1).press('Alt+Backspace');
  await page.getByText('1 segment deleted').first().waitFor();
  await page.getByText('Its note is now beside the neighbouring segment.').first().waitFor();
});

test('Escape leaves the names of a transcript and its tags as they were', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3) });
  await goTo('Library')(page);
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.press('ArrowDown');
  await list.press('F2');
  await typeInFocus(page, 'Discarded');
  await escape();
  await list.press('Space');
  await button('Tags…').click();
  await typeInFocus(page, 'Discarded');
  await escape();
  expect(app.main.callsOf('library.rename')).toHaveLength(0);
  expect(app.main.callsOf('library.tag')).toHaveLength(0);
});

test('names of speakers are kept at a click outside, and discarded at Escape and Cancel, with a button that saves them', async () => {
  const page = await openTranscript(app, { segments: [newSegment(0, 5, 'The harbour opened at dawn.')] });
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Alt+1');
  await button('Speaker 1').click();
  const dialog = page.getByRole('dialog', { name: 'Speakers', exact: true });
  const field = page.getByLabel('Speaker 1', { exact: true });
  await field.fill('Discarded');
  await button('Cancel').click();
  await dialog.waitFor({ state: 'detached' });
  expect(speakers()).toStrictEqual([]);
  await button('Speaker 1').click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await button('Speaker 1').click();
  await field.fill('Maria');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Speakers not saved').first().waitFor();
  expect(speakers()).toStrictEqual([]);
  await button('Save').last().click();
  await expect.poll(speakers).toStrictEqual(['Maria', '']);
  await segmentOf(page, 1).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(speakers).toStrictEqual([]);
  await button('Speaker 1').click();
  await field.fill('Maria');
  await clickOutside();
  await expect.poll(speakers).toStrictEqual(['Maria', '']);
  await page.getByText('Speakers saved').first().waitFor();
  await button('Undo').click();
  await expect.poll(speakers).toStrictEqual([]);
  // A stray key continues a name.
  await button('Speaker 1').click();
  await field.fill('Maria');
  await field.press('Enter');
  await button('Maria').click();
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('n');
  expect(await field.inputValue()).toBe('Marian');
});

test('links typed before Escape are there again, even when another screen was open', async () => {
  const page = await app.open();
  await button('Enter links…').click();
  await typeInFocus(page, 'https://a.example/1.mp3');
  await escape();
  await goTo('Library')(page);
  await goTo('Queue')(page);
  await button('Enter links…').click();
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('https://a.example/1.mp3');
  await cancel();
  await button('Enter links…').click();
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('');
});

test('names and terms typed before Escape are there again', async () => {
  const page = await app.open({ addSheet: { rows: seasonAddSheet } });
  const field = page.getByRole('textbox', { name: 'Names and terms' });
  await button('Names and terms…').click();
  await field.fill('Discarded');
  await button('Cancel').click();
  await button('Names and terms…').click();
  await expect.poll(() => field.inputValue()).toBe('');
  await field.fill('Quigley');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await button('Names and terms…').click();
  await expect.poll(() => field.inputValue()).toBe('Quigley');
  expect(app.main.callsOf('addSheet.setDefaultOptions')).toHaveLength(0);
  await field.press('ControlOrMeta+Enter');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => app.main.callsOf('addSheet.setDefaultOptions')).toHaveLength(1);
});

test('a replacement in all transcripts typed before Escape is restored', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3) });
  await goTo('Library')(page);
  const open = async (): Promise<void> => {
    await button('More actions for the whole library').click();
    await page.getByRole('menuitem', { name: 'Replace in all transcripts…' }).click();
  };
  const typed = () =>
    Promise.all(['Find', 'Replace with'].map((name) => page.getByLabel(name, { exact: true }).inputValue()));
  await open();
  await page.getByLabel('Find', { exact: true }).fill('Mbecki');
  await page.getByLabel('Replace with').fill('Mbeki');
  await escape();
  await open();
  await expect.poll(typed).toStrictEqual(['Mbecki', 'Mbeki']);
  await typeInFocus(page, 'Mbeky');
  await expect.poll(typed).toStrictEqual(['Mbeky', 'Mbeki']);
  await cancel();
  await open();
  await expect.poll(typed).toStrictEqual(['', '']);
});
