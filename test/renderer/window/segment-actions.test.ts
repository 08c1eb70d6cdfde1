import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openTranscript, segmentOf as segment, withRecording } from '../../support/window/open-transcript.ts';
import { pressAtOnce } from '../../support/window/press-at-once.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const sentences = ['One net. Two nets.', 'Three nets.', 'And a boat?'];
const segments = sentences.map((text, index) => ({ start: index * 10, end: index * 10 + 10, text }));
const open = (): Promise<Page> =>
  openTranscript(app, { name: 'Nets', segments, durationSeconds: 30, text: sentences.join(' ') });
const stored = (): readonly string[] => app.main.edits(4)?.texts ?? [];
const entry = (page: Page, name: RegExp) => page.getByRole('menuitem', { name });
const quoted = () => app.main.callsOf('transcript.copy').map(({ text }) => text);
const openMenu = (page: Page) => page.keyboard.press('Shift+F10');

/** Moves the caret to an offset in the segment that is typed in. */
async function caretAt(page: Page, letters: number): Promise<void> {
  await page.keyboard.press('Home');
  for (let letter = 0; letter < letters; letter += 1) await page.keyboard.press('ArrowRight');
}

describe('the menu of a segment', () => {
  test('splits it at the caret', async () => {
    const page = await open();
    await segment(page, 1).focus();
    await caretAt(page, 8);
    await openMenu(page);
    await entry(page, /^Split at the caret(?!,)/).press('Enter');
    await expect.poll(stored).toStrictEqual(['One net.', 'Two nets.', 'Three nets.', 'And a boat?']);
    await expect.poll(() => segment(page, 2).evaluate((text) => text === document.activeElement)).toBe(true);
  });

  test('gets the keys that follow at once, and the text gets those that follow its end', async () => {
    const page = await open();
    await segment(page, 1).focus();
    await page.keyboard.press('End');
    for (let round = 1; round <= 5; round += 1) {
      await pressAtOnce(page, ['Shift+F10', 'x', 'Escape', '!']);
      await expect.poll(() => segment(page, 1).textContent()).toBe(`${sentences[0]}${'!'.repeat(round)}`);
    }
  });

  test('also splits it there by its button, and not without a caret', async () => {
    const page = await open();
    await segment(page, 1).focus();
    await caretAt(page, 8);
    await page.getByRole('button', { name: 'More actions for the segment at 00:10' }).click();
    await expect
      .poll(() => entry(page, /^Split at the caret(?!,)/).getAttribute('aria-disabled'))
      .toBe('true');
    await page.keyboard.press('Escape');
    await entry(page, /^Split at the caret(?!,)/).waitFor({ state: 'detached' });
    await segment(page, 1).focus();
    await caretAt(page, 8);
    await page.getByRole('button', { name: 'More actions for the segment at 00:00' }).click();
    await entry(page, /^Split at the caret, time from the playhead/).click();
    await expect.poll(stored).toHaveLength(4);
  });
});

describe('a quote', () => {
  test('contains the selection, with the time at which it starts', async () => {
    const page = await open();
    await segment(page, 1).focus();
    await page.keyboard.press('End');
    for (let letter = 0; letter < 9; letter += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await expect.poll(quoted).toStrictEqual(['“Two nets.” (Nets, 0:04)']);
    await openMenu(page);
    await entry(page, /^Copy as a quote/).press('Enter');
    await expect.poll(quoted).toStrictEqual(['“Two nets.” (Nets, 0:04)', '“Two nets.” (Nets, 0:04)']);
  });

  test('contains the whole segment without a selection', async () => {
    const page = await open();
    await segment(page, 2).focus();
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await expect.poll(quoted).toStrictEqual(['“Three nets.” (Nets, 0:10)']);
  });

  test('spans several segments', async () => {
    const page = await open();
    const list = page.getByRole('region', { name: 'Text of the transcript' });
    await list.focus();
    await list.evaluate((region) => {
      const [first, second] = [...region.querySelectorAll('[role=textbox]')].map((text) => text.firstChild);
      if (first && second) getSelection()?.setBaseAndExtent(first, 9, second, 5);
    });
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await expect.poll(quoted).toStrictEqual(['“Two nets. Three” (Nets, 0:04)']);
  });

  test('contains all selected segments, from the text and from the list', async () => {
    const page = await open();
    await segment(page, 2).focus();
    await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
    await page.getByText('2 segments selected').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+c');
    const both = '“Three nets. And a boat?” (Nets, 0:10)';
    await expect.poll(quoted).toStrictEqual([both]);
    const copied = await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
      return clipboardData.getData('text/plain');
    });
    expect(copied).toBe('Three nets. And a boat?');
  });
});

test('a merge of two speakers says who speaks all of it, and can be undone', async () => {
  const page = await open();
  await segment(page, 1).focus();
  await page.keyboard.press('Alt+1');
  await segment(page, 2).focus();
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('The merged segment is assigned to Speaker 1').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(stored).toHaveLength(3);
});

test('a word that is moved across an edge and back restores the times, with the pause that was there', async () => {
  const page = await openTranscript(app, {
    segments: [
      { start: 0, end: 3, text: 'Nobody wanted to talk' },
      { start: 7, end: 10, text: 'about it at first' },
    ],
  });
  const before = [
    [0, 3],
    [7, 10],
  ];
  await segment(page, 2).focus();
  await page.keyboard.press('Alt+Shift+BracketLeft');
  await page.keyboard.press('Alt+Shift+BracketLeft');
  await expect.poll(() => segment(page, 2).textContent()).toBe('to talk about it at first');
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await expect.poll(() => segment(page, 1).textContent()).toBe('Nobody wanted to talk');
  await expect.poll(() => app.main.edits(4)?.times).toStrictEqual(before);
});

test('a moved boundary reports its new time, and what kept it from the playhead', async () => {
  const page = await openTranscript(app, { segments, durationSeconds: 30 }, withRecording);
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const waitForNotice = (words: string) => page.getByText(words, { exact: true }).first().waitFor();
  await segment(page, 3).focus();
  await page.keyboard.press('Alt+[');
  await waitForNotice('Start limited to 0:10.1');
  await waitForNotice('The previous segment would have no room.');
  await page.keyboard.press('Alt+[');
  await waitForNotice('The start stays at 0:10.1');
  await page.keyboard.press('Alt+]');
  await waitForNotice('End limited to 0:10.2');
  await waitForNotice('The segment would be too short.');
  // One message, however often the key is pressed.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText('End limited to 0:10.2').first().waitFor({ state: 'detached', timeout: 3000 });
});

test('where no segment can be inserted, a message says so', async () => {
  const page = await openTranscript(app, {
    segments: [0, 0.1, 0.2].map((start) => ({ start, end: start + 0.1, text: 'Net.' })),
    durationSeconds: 0.3,
  });
  await segment(page, 2).focus();
  await page.keyboard.press('Alt+i');
  await page.getByText('There is no room for another segment').first().waitFor();
  expect(stored()).toHaveLength(3);
});

test('names of speakers are undone at once', async () => {
  const page = await open();
  await segment(page, 1).focus();
  await page.keyboard.press('Alt+1');
  await page.getByRole('button', { name: 'Speaker 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Speakers' });
  await page.getByLabel('Speaker 1', { exact: true }).fill('Anna');
  await page.getByLabel('Speaker 2', { exact: true }).fill('Piet');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Anna' }).waitFor();
  expect(app.main.edits(4)?.open().speakers).toStrictEqual(['Anna', 'Piet']);
  await segment(page, 1).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Speaker 1' }).waitFor();
  await expect.poll(() => app.main.edits(4)?.open().speakers).toStrictEqual([]);
});

const speakers = () =>
  app.main
    .edits(4)
    ?.open()
    .segments.map(({ speaker }) => speaker);
const highlights = () =>
  app.main
    .edits(4)
    ?.open()
    .segments.map(({ extras }) => extras?.highlight ?? false);

describe('several segments', () => {
  test('are selected by dragging from the text of one to another, and only text within one', async () => {
    const page = await open();
    const centre = async (index: number): Promise<readonly [number, number]> => {
      const box = (await segment(page, index).boundingBox())!;
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const selectedText = (): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '');
    await page.mouse.move(...(await centre(2)));
    await page.mouse.down();
    await page.mouse.move(...(await centre(3)), { steps: 4 });
    await page.getByText('2 segments selected').waitFor();
    await page.mouse.move(...(await centre(1)), { steps: 4 });
    await page.mouse.up();
    await page.getByText('2 segments selected').waitFor();
    expect(await selectedText()).toBe('');
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await expect.poll(quoted).toStrictEqual([`“${sentences.slice(0, 2).join(' ')}” (Nets, 0:00)`]);
    // Within a segment, text is selected.
    const [x, y] = await centre(1);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.getByText('segments selected').count()).toBe(0);
    expect(await selectedText()).not.toBe('');
  });

  test('are selected by keyboard, get a speaker at once, and one undo takes it back', async () => {
    const page = await open();
    await segment(page, 1).focus();
    await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
    await page.getByText('3 segments selected').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+ArrowUp');
    await page.getByText('2 segments selected').waitFor();
    await page.keyboard.press('Alt+2');
    await expect.poll(speakers).toStrictEqual([1, 1, null]);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(speakers).toStrictEqual([null, null, null]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('segments selected').count()).toBe(0);
    // Without a selection, only the segment with the caret.
    await page.keyboard.press('Alt+1');
    await expect.poll(speakers).toStrictEqual([0, null, null]);
  });

  test('are deleted or merged at once by keyboard, and one undo takes it back', async () => {
    const page = await open();
    const select = async (): Promise<void> => {
      await segment(page, 1).focus();
      await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
      await page.getByText('2 segments selected').waitFor();
    };
    for (const key of ['Alt+Delete', 'Delete', 'Backspace']) {
      await select();
      await page.keyboard.press(key);
      await page.getByText('2 segments deleted').first().waitFor();
      await expect.poll(stored).toStrictEqual(sentences.slice(2));
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(stored).toStrictEqual(sentences);
    }
    for (const key of ['Alt+ArrowUp', 'Alt+ArrowDown']) {
      await select();
      await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
      await page.keyboard.press(key);
      await expect.poll(stored).toStrictEqual([sentences.join(' ')]);
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(stored).toStrictEqual(sentences);
    }
    await select();
    await openMenu(page);
    await entry(page, /^Merge 2 segments/).press('Enter');
    await expect.poll(stored).toStrictEqual([sentences.slice(0, 2).join(' '), sentences[2]]);
  });

  test('are deleted without a caret, and the list keeps the focus', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Go to 00:00' }).click();
    await page.getByRole('button', { name: 'Go to 00:10' }).click({ modifiers: ['Shift'] });
    const list = page.getByRole('region', { name: 'Text of the transcript' });
    await list.press('Delete');
    await expect.poll(stored).toStrictEqual(sentences.slice(2));
    await expect.poll(() => list.evaluate((region) => region === document.activeElement)).toBe(true);
  });

  test('are selected with the mouse; typing ends the selection', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Go to 00:00' }).click();
    await page.getByRole('button', { name: 'Go to 00:20' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 segments selected').waitFor();
    await segment(page, 2).click({ button: 'right' });
    await entry(page, /^Speaker 1/).press('Enter');
    await expect.poll(speakers).toStrictEqual([0, 0, 0]);
    await segment(page, 2).focus();
    await page.keyboard.type('x');
    await expect.poll(() => page.getByText('segments selected').count()).toBe(0);
  });

  test('are highlighted, listed with the notes, found again by keyboard, and copied as a list', async () => {
    const page = await open();
    await segment(page, 2).focus();
    await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
    await page.keyboard.press('Alt+h');
    await expect.poll(highlights).toStrictEqual([false, true, true]);
    await page.keyboard.press('Escape');
    await segment(page, 1).focus();
    await page.keyboard.press('Alt+n');
    await page.getByLabel('Note', { exact: true }).fill('Which net?');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Notes and highlights…' }).press('Enter');
    const list = page.getByRole('dialog', { name: 'Notes and highlights' });
    const isReading = () =>
      page
        .getByRole('region', { name: 'Text of the transcript' })
        .evaluate((text) => text === document.activeElement);
    await list.getByRole('button', { name: 'Copy list' }).press('Enter');
    await expect.poll(quoted).toStrictEqual(['[00:00] Note: Which net?\n[00:10] Three nets. And a boat?']);
    await list.getByRole('listitem').last().getByRole('button').press('Enter');
    await expect.poll(isReading).toBe(true);
    await page.keyboard.press('Alt+h');
    await expect.poll(highlights).toStrictEqual([false, false, true]);
    // By keyboard only; Escape goes back to the text, not to the button of the menu.
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Notes and highlights…' }).press('Enter');
    const focusedEntry = () => list.locator('button:focus').textContent();
    await expect.poll(focusedEntry).toBe('00:00Note: Which net?');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focusedEntry).toBe('00:20And a boat?');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focusedEntry).toBe('00:00Note: Which net?');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect.poll(isReading).toBe(true);
  });

  test('of different speakers are listed and copied as passages that name them', async () => {
    const page = await open();
    for (const [number, key] of [1, 2, 2].entries()) {
      await segment(page, number + 1).focus();
      await page.keyboard.press(`Alt+${key}`);
      await page.keyboard.press('Alt+h');
    }
    await expect.poll(highlights).toStrictEqual([true, true, true]);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Notes and highlights…' }).press('Enter');
    const list = page.getByRole('dialog', { name: 'Notes and highlights' });
    await list.getByRole('button', { name: 'Copy list' }).press('Enter');
    await expect
      .poll(quoted)
      .toStrictEqual(['[00:00] Speaker 1: One net. Two nets.\n[00:10] Speaker 2: Three nets. And a boat?']);
    await expect
      .poll(() => list.getByRole('listitem').allTextContents())
      .toStrictEqual(['00:00Speaker 1: One net. Two nets.', '00:10Speaker 2: Three nets. And a boat?']);
  });
});
