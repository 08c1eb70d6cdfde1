import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { packWords } from '../../../electron/core/transcript/word-times.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

/** A segment of whole words, each of which takes half a second, after a pause of a second. */
function spoken(start: number, text: string): Segment {
  const starts = [...text.matchAll(/\S+/g)];
  const segment = { start, end: start + 1 + starts.length / 2, text };
  const words = starts.map(({ index, 0: word }, i) => ({
    from: index,
    to: index + word.length,
    start: start + 1 + i / 2,
    end: start + 1.5 + i / 2,
    probability: 0.9,
  }));
  const packed = packWords(segment, words);
  return packed === undefined ? segment : { ...segment, extras: { words: packed } };
}

const segments = [
  spoken(10, 'Thandeka Mbeki hauled nets'),
  spoken(20, 'for thirty years at the harbour'),
  { start: 30, end: 40, text: 'without times of its words' },
];

let page: Page;
beforeEach(async () => {
  page = await app.open({
    transcripts: [sampleTranscript({ id: 1, name: 'Talk', segments, durationSeconds: 60 })],
    recordings: {
      1: {
        kind: 'ready',
        media: 'audio',
        url: 'media://transcript/1',
        sizeBytes: 1000,
        stamp: '0'.repeat(32),
      },
    },
  });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  // Only the position of the player matters here.
  await page.evaluate(() => {
    HTMLMediaElement.prototype.play = () => Promise.resolve();
  });
});

const textbox = (text: string) => page.getByRole('textbox').filter({ hasText: text });
const rowTop = () => textbox('for thirty years').evaluate((row) => row.getBoundingClientRect().top);
const position = (): Promise<number> =>
  page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1);
const highlighted = (): Promise<string | null> =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('playing-word') ?? [];
    return range === undefined ? null : String(range);
  });

/** Clicks on a word with the key that plays from it. */
async function clickOn(word: string): Promise<void> {
  const box = await page.evaluate((wanted) => {
    for (const text of document.querySelectorAll('[role=textbox]')) {
      const at = text.textContent?.indexOf(wanted) ?? -1;
      if (at < 0 || text.firstChild === null) continue;
      const range = new Range();
      range.setStart(text.firstChild, at);
      range.setEnd(text.firstChild, at + wanted.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    throw new Error(`“${wanted}” is not on screen`);
  }, word);
  await page.keyboard.down('ControlOrMeta');
  await page.mouse.click(box.x, box.y);
  await page.keyboard.up('ControlOrMeta');
}

test.each([
  ['Thandeka', 11],
  ['hauled', 12],
  ['harbour', 23.5],
  ['of its', 30],
])('a click on “%s” with the key plays from %d s', async (word, seconds) => {
  await clickOn(word);
  await expect.poll(position).toBe(seconds);
});

test('a key plays from the word at the caret', async () => {
  await textbox('for thirty years').click();
  await page.keyboard.press('Home');
  for (let i = 0; i < 'for thirty ye'.length; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Alt+Enter');
  await expect.poll(position).toBe(22);
});

test('a key plays only the word at the caret, or the selected words', async () => {
  await page.evaluate(() => {
    for (const [name, paused] of Object.entries({ play: false, pause: true }))
      Object.assign(HTMLMediaElement.prototype, {
        async [name](this: HTMLMediaElement) {
          Object.defineProperty(this, 'paused', { configurable: true, value: paused });
          this.dispatchEvent(new Event(name));
        },
      });
  });
  const advanceTo = (seconds: number): Promise<void> =>
    page.evaluate((time) => {
      for (const audio of document.querySelectorAll('audio')) audio.currentTime = time;
    }, seconds);
  const isPlaying = () => page.getByRole('button', { name: 'Pause', exact: true }).isVisible();

  await textbox('for thirty years').click();
  await page.keyboard.press('Home');
  for (let i = 0; i < 'for thirty ye'.length; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Alt+Shift+Enter');
  await expect.poll(position).toBe(22);
  await advanceTo(22.4);
  await expect.poll(isPlaying).toBe(true);
  await advanceTo(22.5);
  await expect.poll(isPlaying).toBe(false);

  for (let i = 0; i < 'ears at'.length; i++) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+Shift+Enter');
  await expect.poll(position).toBe(22);
  await advanceTo(22.9);
  await expect.poll(isPlaying).toBe(true);
  await advanceTo(23);
  await expect.poll(isPlaying).toBe(false);
});

test('the word that is played is highlighted, and none where the words are not known', async () => {
  await clickOn('Mbeki');
  await expect.poll(highlighted).toBe('Mbeki');
  const before = await rowTop();
  await clickOn('years');
  await expect.poll(highlighted).toBe('years');
  expect(await rowTop()).toBe(before);
  await clickOn('without');
  await expect.poll(highlighted).toBeNull();
});

test('the highlight can be turned off', async () => {
  await clickOn('hauled');
  await expect.poll(highlighted).toBe('hauled');
  app.main.settings = { ...app.main.settings, highlightPlayingWord: false };
  app.main.onEvent('settings.changed', app.main.settings);
  await expect.poll(highlighted).toBeNull();
});

const stored = (): readonly string[] => app.main.edits(1)?.texts ?? [];

test('keys move an edge by one word, with the word; the only word of a segment stays', async () => {
  await textbox('for thirty years').focus();
  await page.keyboard.press('Alt+Shift+BracketLeft');
  await expect
    .poll(stored)
    .toStrictEqual([
      'Thandeka Mbeki hauled',
      'nets for thirty years at the harbour',
      'without times of its words',
    ]);
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect
    .poll(stored)
    .toStrictEqual([
      'Thandeka Mbeki hauled nets',
      'for thirty years at the',
      'harbour without times of its words',
    ]);
  // The word that has moved is played when it is said.
  await clickOn('harbour');
  await expect.poll(position).toBe(23.5);
  for (let key = 0; key < 6; key++) await page.keyboard.press('Alt+Shift+ArrowUp');
  await page.getByText('No word was moved').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => stored()[2]).toBe('its words');
});

test('where words have no times, the keys move a word by estimated times; where no word is, they say so', async () => {
  await textbox('without times').focus();
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await expect
    .poll(() => stored().slice(1))
    .toStrictEqual(['for thirty years at the harbour without', 'times of its words']);
  await page.keyboard.press('Alt+Shift+BracketRight');
  await page.getByText('There is no word to move there.').waitFor();
});

test('the playhead goes to the word that was found', async () => {
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('harb');
  await expect.poll(position).toBe(23.5);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('th');
  await page.getByText('1 of 4').waitFor();
  await expect.poll(position).toBe(11);
  await page.keyboard.press('Enter');
  await expect.poll(position).toBe(21.5);
});

test('a quote has the time of its first word', async () => {
  await textbox('for thirty years').focus();
  await page.keyboard.press('End');
  for (let letter = 0; letter < 'harbour'.length; letter++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ControlOrMeta+Shift+c');
  await expect
    .poll(() => app.main.callsOf('transcript.copy').map(({ text }) => text))
    .toStrictEqual(['“harbour” (Talk, 0:23)']);
});

test('a search hit of the library opens at its word: the playhead is there, and Enter puts the caret there', async () => {
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('searchbox').fill('harbour');
  await page.locator('mark').first().waitFor();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const caret = () =>
    page.evaluate(() => {
      const { anchorNode, anchorOffset = 0 } = getSelection() ?? {};
      return anchorNode?.textContent?.slice(anchorOffset);
    });
  await page.keyboard.press('Enter');
  await expect.poll(caret).toBe('harbour');
  await page.keyboard.press('Tab');
  await expect.poll(position).toBe(23.5);
});
