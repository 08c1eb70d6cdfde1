import { expect, test } from 'vitest';
import { newSegment } from '../../../electron/core/transcript/segment.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo, typeInFocus } from '../../support/window/view.ts';

// Escape changes nothing; long texts that were typed before it are there again. Notes, which are stored as they are typed, are in segment-actions.test.ts.

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

test('Escape leaves the names of a transcript, its tags and its speakers as they were', async () => {
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
  await openTranscript(app, { segments: [newSegment(0, 5, 'The harbour opened at dawn.')] });
  await segmentOf(app.page, 1).focus();
  await app.page.keyboard.press('Alt+1');
  await button('Speaker 1').click();
  await app.page.getByLabel('Speaker 1', { exact: true }).fill('Discarded');
  await escape();
  expect(speakers()).toStrictEqual([]);
  expect(app.main.callsOf('library.rename')).toHaveLength(0);
  expect(app.main.callsOf('library.tag')).toHaveLength(0);
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
