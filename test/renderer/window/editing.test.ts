import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openTranscript, segmentOf as segment, withRecording } from '../../support/window/open-transcript.ts';
import { segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const open = (transcript: Partial<Transcript> = {}, scene: Scene = {}): Promise<Page> =>
  openTranscript(app, { segments: segmentsOf(15), durationSeconds: 108, ...transcript }, scene);

const stored = (): readonly string[] => app.main.edits(4)?.texts ?? [];
const shown = (page: Page) => page.getByRole('textbox').allTextContents();
const saved = (page: Page) => page.getByText(/· saved$/).waitFor();

describe('by keyboard only', () => {
  test('typed text is saved', async () => {
    const page = await open();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.type('So: ');
    await saved(page);
    await expect
      .poll(() => stored()[1])
      .toBe(
        'So: Thandeka Mbeki. I hauled nets. Thirty-one years, at the harbour and, before that, in my mother’s kitchen.',
      );
    // One undo per letter: on a slow machine each may be an edit.
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => stored()[1]).toMatch(/^Thandeka Mbeki/);
  });

  test('Enter splits, and typing continues in the second part', async () => {
    const page = await open();
    await segment(page, 3).focus();
    await page.keyboard.press('Home');
    for (let letter = 0; letter < 9; letter += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Then: ');
    await page.keyboard.press('Escape');
    await saved(page);
    await expect
      .poll(() => stored().slice(2, 4))
      .toStrictEqual(['When did', 'Then: you first hear about the closure?']);
    await expect.poll(() => shown(page)).toStrictEqual(stored());
  });

  test('Backspace at the start merges, and the caret stays between the two parts', async () => {
    const page = await open();
    await segment(page, 8).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('well, ');
    await page.keyboard.press('Escape');
    await saved(page);
    await expect.poll(() => stored()[6]).toMatch(/^What did you do that day\? well, I went to work\./);
    await expect.poll(stored).toHaveLength(14);
  });

  test('everything is undone and redone, including letters that were not saved yet', async () => {
    const page = await open();
    const before = stored();
    await segment(page, 3).focus();
    await page.keyboard.press('End');
    // Typed in one event: slow typing makes more than one edit.
    await page.keyboard.insertText(' Tell me.');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => shown(page)).toStrictEqual(before);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+Delete');
    await page.keyboard.press('Alt+1');
    await page.getByRole('button', { name: 'Speaker 1' }).waitFor();
    await page.keyboard.press('Alt+i');
    await page.keyboard.insertText('New words');
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ControlOrMeta+z');
    await saved(page);
    await expect.poll(stored).toStrictEqual(before);
    await expect.poll(() => shown(page)).toStrictEqual(before);
  });

  test('an edit is undone and redone while the sidebar has the focus', async () => {
    const page = await open();
    const outside = page.locator('nav').getByRole('button', { name: 'Queue' });
    await segment(page, 8).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await expect.poll(stored).toHaveLength(14);
    await outside.press('ControlOrMeta+z');
    await expect.poll(stored).toHaveLength(15);
    await outside.press('ControlOrMeta+Shift+z');
    await expect.poll(stored).toHaveLength(14);
  });

  test('arrow keys move from segment to segment, and Escape leaves the text', async () => {
    const page = await open();
    await page.keyboard.press('Enter');
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => segment(page, 15).evaluate((element) => element === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Library' }).waitFor();
  });

  test('speakers get names and notes get text', async () => {
    const page = await open();
    await segment(page, 3).focus();
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Name speakers…' }).press('Enter');
    await page.getByLabel('Speaker 2', { exact: true }).fill('Mbeki');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mbeki', exact: true }).waitFor();
    await segment(page, 5).focus();
    await page.keyboard.press('Alt+4');
    await page.getByRole('button', { name: 'Speaker 4' }).click();
    await page.getByLabel('Speaker 4', { exact: true }).fill(' Mbeki');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Mbeki', exact: true }).count()).toBe(2);
    const colours = page.getByRole('button', { name: 'Mbeki', exact: true });
    await expect
      .poll(() => colours.evaluateAll((all) => new Set(all.map((one) => one.dataset['speaker'])).size))
      .toBe(1);
    await segment(page, 4).focus();
    await page.keyboard.press('Alt+n');
    // The first letter belongs to the note, however fast it follows.
    await page.keyboard.type('Check the year');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Check the year' }).count()).toBe(1);
  });

  test('text without a speaker is not attributed to the one before it', async () => {
    const page = await open();
    const noSpeaker = page.getByRole('button', { name: 'No speaker', exact: true });
    await segment(page, 3).focus();
    await page.keyboard.press('Alt+1');
    await page.getByRole('button', { name: 'Speaker 1', exact: true }).waitFor();
    await expect.poll(() => noSpeaker.count()).toBe(1);
    await expect
      .poll(() => page.getByRole('listitem').filter({ has: noSpeaker }).getAttribute('data-index'))
      .toBe('3');
    await segment(page, 4).focus();
    await page.keyboard.press('Alt+1');
    await expect
      .poll(() => page.getByRole('listitem').filter({ has: noSpeaker }).getAttribute('data-index'))
      .toBe('4');
    await noSpeaker.click();
    await page.getByLabel('Speaker 1', { exact: true }).waitFor();
  });

  test('a note belongs to the segment with the caret, and without one to that at the playhead', async () => {
    const page = await open({}, withRecording);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const notesIn = (number: number) =>
      page
        .getByRole('listitem')
        .filter({ has: segment(page, number) })
        .locator('[data-note]')
        .allTextContents();
    await page.getByRole('button', { name: 'Go to 00:18' }).click();
    await segment(page, 5).focus();
    await page.keyboard.press('Alt+n');
    await page.keyboard.type('At the caret');
    await page.keyboard.press('Enter');
    await expect.poll(() => notesIn(5)).toStrictEqual(['At the caret']);
    await segment(page, 3).focus();
    await page.keyboard.press('Alt+n');
    await page.keyboard.type('At both');
    await page.keyboard.press('Enter');
    await expect.poll(() => notesIn(3)).toStrictEqual(['At both']);
    await segment(page, 5).press('Escape');
    await page.keyboard.press('Alt+n');
    await page.keyboard.type(' of them');
    await page.keyboard.press('Enter');
    await expect.poll(() => notesIn(3)).toStrictEqual(['At both of them']);
  });
});

test('a segment that is being typed in stays rendered while the list is scrolled far away', async () => {
  const page = await open({ segments: segmentsOf(5000) });
  await segment(page, 2).focus();
  await page.keyboard.press('Home');
  await page.locator('section').evaluate((list) => list.scrollTo(0, 100_000));
  await page.waitForFunction(() => document.querySelectorAll('[data-index]').length > 20);
  await page.keyboard.type('Still here. ');
  await page.keyboard.press('Escape');
  await saved(page);
  await expect.poll(() => stored()[1]).toMatch(/^Still here\. Thandeka/);
});

test('pasted text is plain and on one line', async () => {
  const page = await open();
  await segment(page, 3).focus();
  await page.keyboard.press('End');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'one\r\ntwo');
    data.setData('text/html', '<b>one</b>');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await page.keyboard.press('Escape');
  await saved(page);
  await expect.poll(() => stored()[2]).toBe('When did you first hear about the closure?one two');
});

test('an undone change scrolls into view, with the caret in it while typing', async () => {
  const page = await open({ segments: segmentsOf(300), durationSeconds: 2160 });
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  await segment(page, 2).focus();
  await page.keyboard.press('Home');
  await page.keyboard.type('So: ');
  await page.keyboard.press('Escape');
  await list.press('End');
  await segment(page, 300).waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await segment(page, 2).waitFor();
  await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
  await list.press('End');
  await segment(page, 300).focus();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => segment(page, 2).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.type('yes, ');
  await expect.poll(() => segment(page, 2).textContent()).toMatch(/^So: yes, /);
});

test('undoing a merge of speakers leaves the view where it is', async () => {
  const segments = segmentsOf(300);
  const page = await openTranscript(
    app,
    { segments, durationSeconds: 2160 },
    {
      drafts: {
        4: {
          speakers: ['Ann', 'Mbecki'],
          segments: segments.map((one, id) => ({ ...one, id, speaker: id < 10 ? 1 : 0 })),
        },
      },
    },
  );
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  await page.getByRole('button', { name: 'Mbecki', exact: true }).first().click();
  await page.getByLabel('Speaker 2', { exact: true }).fill('Ann');
  await page.keyboard.press('Enter');
  await expect.poll(() => app.main.edits(4)?.open().speakers).toStrictEqual(['Ann', '']);
  await list.press('End');
  await segment(page, 300).waitFor();
  const top = (): Promise<number> => list.evaluate((element) => element.scrollTop);
  const before = await top();
  await list.press('ControlOrMeta+z');
  await expect.poll(() => app.main.edits(4)?.open().speakers).toStrictEqual(['Ann', 'Mbecki']);
  expect(await top()).toBe(before);
});

const segmentAt = (start: number, end: number, text: string) => ({ start, end, text });

test('a fix is applied once, however fast its button is pressed, and the focus stays in the review', async () => {
  const page = await open({
    segments: [
      segmentAt(0, 2, 'One net.'),
      segmentAt(2, 2.1, 'Two nets.'),
      segmentAt(2.1, 4, 'Three.'),
      segmentAt(4, 6, 'Four.'),
      segmentAt(20, 22, 'Five.'),
    ],
    durationSeconds: 22,
  });
  const review = page.getByRole('group', { name: 'Review' });
  const focusedIn = () => review.evaluate((bar) => bar.contains(document.activeElement));
  await page.getByRole('button', { name: 'Review 2' }).waitFor();
  await page.keyboard.press('F8');
  await page.getByText('1 of 2.').waitFor();
  await review.getByRole('button', { name: 'Merge with neighbour' }).evaluate((button: HTMLElement) => {
    for (let press = 0; press < 3; press += 1) button.click();
  });
  await page.getByText('1 of 1. Gap of 14 s').waitFor();
  await expect.poll(focusedIn).toBe(true);
  await saved(page);
  await expect.poll(stored).toStrictEqual(['One net.', 'Two nets. Three.', 'Four.', 'Five.']);
  await review.getByRole('button', { name: 'Looks right' }).press('ControlOrMeta+z');
  await expect.poll(stored).toHaveLength(5);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(stored).toHaveLength(4);
  await page.getByText('1 of 1. Gap of 14 s').waitFor();
  await review.getByRole('button', { name: 'Add missing text' }).press('Enter');
  await page.keyboard.insertText('And a half.');
  await page.getByText('There is nothing left to review.').waitFor();
  await page.keyboard.press('Escape');
  await saved(page);
  await expect.poll(() => stored()[3]).toBe('And a half.');
  await segment(page, 4).focus();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Review 2' }).waitFor();
});

test('when every segment is deleted, the undo button has the focus', async () => {
  const page = await open({ segments: segmentsOf(2), durationSeconds: 20 });
  await segment(page, 1).focus();
  await page.keyboard.press('Alt+Delete');
  await page.keyboard.press('Alt+Delete');
  await page.getByText('All segments are deleted.').waitFor();
  await page.keyboard.press('Enter');
  await segment(page, 1).waitFor();
  await expect.poll(() => shown(page)).toHaveLength(1);
});

test('a text without times is edited as one, and undone', async () => {
  const page = await open({ segments: [], text: 'One net.\n\nTwo nets.' });
  const text = page.getByRole('textbox', { name: 'Text of the transcript' });
  // The user reads at first: Enter only leads to the caret, as in a text with times.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' <b>Three</b>');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Four.');
  await saved(page);
  const typed = 'One net.\n\nTwo nets. <b>Three</b>\nFour.';
  await expect.poll(() => app.main.edits(4)?.text).toBe(typed);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => text.inputValue()).not.toBe(typed);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => text.inputValue()).toBe(typed);
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByRole('button', { name: 'Use the original' }).click();
  await expect.poll(() => text.inputValue()).toBe('One net.\n\nTwo nets.');
  const reading = page.getByRole('region', { name: 'Text of the transcript' });
  await expect.poll(() => reading.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('in a text without times, keys that need times say why they do nothing', async () => {
  const page = await open({ segments: [], text: 'One net.' });
  const notice = page.getByRole('heading', { name: 'This text has no timestamps' });
  await page.keyboard.press('Enter');
  for (const key of ['Alt+n', 'Alt+h', 'Alt+t', 'Alt+1', 'Alt+Shift+2', 'Alt+Enter', 'Alt+[', 'Alt+i']) {
    await page.keyboard.press(key);
    await notice.waitFor();
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });
  }
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('One net.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+n');
  await notice.waitFor();
});

test.each(['at once', 'when saved'] as const)(
  'in a text without times, undo takes back what was just typed (%s)',
  async (moment) => {
    const before = 'One net.\n\nTwo nets.';
    const page = await open({ segments: [], text: before });
    const text = page.getByRole('textbox', { name: 'Text of the transcript' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+End');
    // Typed in one event: slow typing makes more than one edit.
    await page.keyboard.insertText(' one');
    if (moment === 'when saved') await saved(page);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => text.inputValue()).toBe(before);
    await saved(page);
    expect(app.main.edits(4)?.text).toBe(before);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(() => text.inputValue()).toBe(`${before} one`);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => text.inputValue()).toBe(before);
    // The field shows what is stored, and typing continues from there.
    await page.keyboard.insertText('!');
    await saved(page);
    await expect.poll(() => app.main.edits(4)?.text).toBe(`${before}!`);
  },
);

test('the original is one click away, and can be restored', async () => {
  const page = await open();
  const before = stored();
  await segment(page, 3).focus();
  await page.keyboard.press('Alt+Delete');
  await saved(page);
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByText('This is the original.').waitFor();
  await page.locator('main').getByRole('listitem').first().waitFor();
  await expect.poll(() => page.locator('main').getByRole('listitem').count()).toBe(15);
  await page.getByRole('button', { name: 'Use the original' }).click();
  await page.getByRole('textbox').first().waitFor();
  await saved(page);
  await expect.poll(stored).toStrictEqual(before);
  await page.getByText('The original has replaced your version').first().waitFor();
  await page.getByText('Speakers, highlights and notes stay.').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(stored).toHaveLength(before.length - 1);
});

test('the original and the changes offer neither find nor review, which would appear only after them', async () => {
  const page = await open();
  const tools = page.getByRole('button', { name: /^(Find|Review)/ });
  await expect.poll(() => tools.count()).toBe(2);
  for (const version of ['Original', 'Changes since the original']) {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: version, exact: true }).click();
    await page.getByRole('button', { name: 'Your version' }).waitFor();
    expect(await tools.count()).toBe(0);
    const keys = version === 'Original' ? ['ControlOrMeta+f', 'F3', 'F8'] : ['ControlOrMeta+f', 'F3'];
    for (const key of keys) await page.getByRole('button', { name: 'More', exact: true }).press(key);
    await page.getByRole('button', { name: 'Your version' }).click();
    await expect.poll(() => tools.count()).toBe(2);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await tools.and(page.locator('[aria-pressed=true]')).count()).toBe(0);
  }
});
