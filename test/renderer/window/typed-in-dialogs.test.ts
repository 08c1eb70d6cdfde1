import { expect, test } from 'vitest';
import { newSegment } from '../../../electron/core/transcript/segment.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { useWindow } from '../../support/window/use-window.ts';
import { goTo, typeInFocus } from '../../support/window/view.ts';

// Escape keeps what was typed in a dialog; only Cancel discards it. Notes are in segment-actions.test.ts.

const window = useWindow();

const button = (name: string) => window.page.getByRole('button', { name, exact: true });
const isClosed = () => window.page.getByRole('dialog').waitFor({ state: 'detached' });
const speakers = () => window.main.edits(4)?.open().speakers;

async function cancel(): Promise<void> {
  await button('Cancel').click();
  await isClosed();
}

async function escape(): Promise<void> {
  await window.page.keyboard.press('Escape');
  await isClosed();
}

test('a new name of a transcript, and new tags', async () => {
  const page = await window.open({ transcripts: sampleLibrary(3) });
  await goTo('Library')(page);
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.press('ArrowDown');
  for (const [name, close] of [['Discarded', cancel] as const, ['Mbeki, first talk', escape] as const]) {
    await list.press('F2');
    await typeInFocus(page, name);
    await close();
  }
  await page.getByRole('row', { name: 'Mbeki, first talk' }).waitFor();
  expect(window.main.callsOf('library.rename')).toHaveLength(1);

  await list.press('Space');
  for (const [tag, close] of [['Discarded', cancel] as const, ['Harbour story', escape] as const]) {
    await button('Tags…').click();
    await typeInFocus(page, tag);
    await close();
  }
  await button('Harbour story 1').waitFor();
  expect(window.main.callsOf('library.tag')).toHaveLength(1);
});

test('names of speakers', async () => {
  const page = await openTranscript(window, { segments: [newSegment(0, 5, 'The harbour opened at dawn.')] });
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Alt+1');
  await button('Speaker 1').click();
  await page.getByLabel('Speaker 1', { exact: true }).waitFor();
  await escape();
  expect(speakers()).toStrictEqual([]);
  for (const [name, close] of [['Discarded', cancel] as const, ['Anna', escape] as const]) {
    await button('Speaker 1').click();
    await page.getByLabel('Speaker 1', { exact: true }).fill(name);
    await close();
  }
  await button('Anna').waitFor();
  await expect.poll(speakers).toStrictEqual(['Anna', '']);
});

test('links, also when another screen was open', async () => {
  const page = await window.open();
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

test('names and terms', async () => {
  const page = await window.open({ addSheet: { rows: seasonAddSheet } });
  const field = page.getByRole('textbox', { name: 'Names and terms' });
  await button('Names and terms…').click();
  await field.fill('Discarded');
  await button('Cancel').click();
  await button('Names and terms…').click();
  await field.fill('Quigley');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => window.main.callsOf('addSheet.setDefaultOptions'))
    .toStrictEqual([{ options: { terms: ['Quigley'] } }]);
});

test('a replacement in all transcripts', async () => {
  const page = await window.open({ transcripts: sampleLibrary(3) });
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
  await cancel();
  await open();
  await expect.poll(typed).toStrictEqual(['', '']);
});
