import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTranscript, segmentOf as segment } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const sentences = ['One net. Two nets.', 'Three nets.', 'And a boat?'];
const segments = sentences.map((text, index) => ({ start: index * 10, end: index * 10 + 10, text }));
const open = (): Promise<Page> => openTranscript(app, { name: 'Nets', segments, durationSeconds: 30 });
const stored = () => app.main.edits(4)?.open().segments ?? [];
const texts = () => stored().map(({ text }) => text);
const speakers = () => stored().map(({ speaker }) => speaker);
const highlights = () => stored().map(({ extras }) => extras?.highlight ?? false);
const quoted = () => app.main.callsOf('transcript.copy').map(({ text }) => text);

/** The times of the segments that look active. */
const activeTimes = (page: Page) =>
  page
    .getByRole('listitem')
    .evaluateAll((rows) =>
      rows
        .filter((row) => getComputedStyle(row).outlineStyle === 'solid')
        .map((row) => row.querySelector('[data-act=seek]')?.textContent),
    );

test('the active segment is the one with the caret, while its times are edited and after the caret has left it', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Go to 00:10' }).click();
  await expect.poll(() => activeTimes(page)).toStrictEqual(['00:10']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => activeTimes(page)).toStrictEqual(['00:20']);
  await page.keyboard.press('Alt+t');
  await page.getByRole('textbox', { name: 'Start' }).waitFor();
  expect(await activeTimes(page)).toStrictEqual(['00:20']);
  await page.keyboard.press('Escape');
  await expect.poll(() => segment(page, 3).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => activeTimes(page)).toStrictEqual(['00:20']);
});

test('the active segment is what the keys with Alt act on while the user reads', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Go to 00:10' }).click();
  await page.keyboard.press('Alt+h');
  await expect.poll(highlights).toStrictEqual([false, true, false]);
  await page.keyboard.press('Alt+1');
  await expect.poll(speakers).toStrictEqual([null, 0, null]);
  await page.keyboard.press('ControlOrMeta+Shift+c');
  await expect.poll(quoted).toStrictEqual(['“Three nets.” (Speaker 1, Nets, 0:10)']);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Remove highlight/ }).press('Enter');
  await expect.poll(highlights).toStrictEqual([false, false, false]);
  await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
  await page.getByText('2 segments selected').waitFor();
  await page.keyboard.press('Escape');
  // A key that scrolls on some systems deletes or merges nothing that the caret is not in.
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+Delete');
  await page.keyboard.press('Alt+t');
  await expect.poll(() => page.getByRole('textbox', { name: 'Start' }).inputValue()).toMatch(/^0?0:10/);
  expect(texts()).toStrictEqual(sentences);
});

const many = Array.from({ length: 200 }, (_, index) => ({
  start: index,
  end: index + 1,
  text: `Net ${index}.`,
}));
const openMany = (): Promise<Page> =>
  openTranscript(app, { name: 'Nets', segments: many, durationSeconds: 200 });

test('Ctrl+Home and Ctrl+End make the first and the last segment the active one while the user reads', async () => {
  const page = await openMany();
  await page.keyboard.press('ControlOrMeta+End');
  await expect.poll(() => activeTimes(page)).toStrictEqual(['03:19']);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Last: ');
  await expect.poll(() => texts().at(-1)).toBe('Last: Net 199.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Enter');
  await page.keyboard.type('First: ');
  await expect.poll(() => texts()[0]).toBe('First: Net 0.');
});

test('the active segment stays on screen when the window becomes smaller, with the caret and without', async () => {
  const page = await openMany();
  const isVisible = () =>
    segment(page, 12).evaluate((text) => {
      const { top, bottom } = text.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
  await segment(page, 12).click();
  for (const key of ['Tab', 'Escape']) {
    await page.setViewportSize({ width: 1280, height: 793 });
    await page.keyboard.press(key);
    await page.setViewportSize({ width: 720, height: 400 });
    await expect.poll(isVisible).toBe(true);
  }
});

test('the active segment is shown first if it is not on screen', async () => {
  const page = await openMany();
  await page.keyboard.press('End');
  await segment(page, 200).waitFor();
  await page.keyboard.press('Alt+h');
  await segment(page, 1).waitFor();
  expect(highlights().includes(true)).toBe(false);
  await page.keyboard.press('Alt+h');
  await expect.poll(() => highlights().indexOf(true)).toBe(0);
});

test('the keys that move a boundary to the playhead change nothing without a recording', async () => {
  const page = await open();
  await segment(page, 2).click();
  await page.keyboard.press('Alt+]');
  await page.getByText('There is no recording. Type the times instead.').waitFor();
  expect(stored().map(({ start, end }) => [start, end])).toEqual(
    segments.map(({ start, end }) => [start, end]),
  );
});

test('selected words are highlighted, and removed from a highlight; without a selection, the whole segment', async () => {
  const page = await open();
  const painted = () =>
    page.evaluate(() => [...(CSS.highlights.get('highlighted-words') ?? [])].map(String).toSorted());
  await segment(page, 1).press('Home');
  await page.keyboard.press('Alt+h');
  await page.locator('li[data-highlighted]').waitFor();
  expect(await painted()).toStrictEqual([]);
  // “n” of “net.”
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+h');
  await page.locator('li[data-highlighted]').waitFor({ state: 'detached' });
  await expect.poll(painted).toStrictEqual(['One', 'Two nets.']);
  await segment(page, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Highlight/ }).press('Enter');
  await page.locator('li[data-highlighted]').waitFor();
  await segment(page, 1).press('Alt+h');
  await page.locator('li[data-highlighted]').waitFor({ state: 'detached' });
  await expect.poll(painted).toStrictEqual([]);
  await segment(page, 2).press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+h');
  await expect.poll(painted).toStrictEqual(['Three']);
  await page.getByText('highlighted: Three').waitFor({ state: 'attached' });
  await segment(page, 2).press('Home');
  await page.keyboard.type('No. ');
  await expect.poll(painted).toStrictEqual(['Three']);
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(painted).toStrictEqual([]);
});
