import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openTranscript, segmentOf as segment } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const sentences = ['One net. Two nets.', 'Three nets.', 'And a boat?'];
const segments = sentences.map((text, index) => ({ start: index * 10, end: index * 10 + 10, text }));
const open = (): Promise<Page> => openTranscript(app, { name: 'Nets', segments, durationSeconds: 30 });
const times = () => app.main.edits(4)?.times;
const unchanged = segments.map(({ start, end }) => [start, end]);
const caretIsIn = (page: Page, number: number) =>
  segment(page, number).evaluate((text) => text === document.activeElement);
const popover = (page: Page) => page.getByRole('dialog', { name: 'Times of the segment' });
const message = (page: Page) => page.getByRole('dialog').getByRole('status').textContent();

/** Opens the editor of the second segment's times by a key, with the caret in its text. */
async function openTimes(page: Page): Promise<void> {
  await segment(page, 2).focus();
  await page.keyboard.press('Alt+t');
  await popover(page).waitFor();
}

describe('the times of a segment', () => {
  test('are typed by keyboard alone and undone, and the caret returns to the text', async () => {
    const page = await open();
    await segment(page, 2).focus();
    // Keys that follow at once go to the fields.
    await page.keyboard.press('Alt+t');
    await page.keyboard.type('0:11.25');
    await page.keyboard.press('Tab');
    await page.keyboard.type('20,5');
    expect(await message(page)).toBe('The next segment will start at 0:20.5.');
    await page.keyboard.press('Enter');
    await expect.poll(times).toStrictEqual([
      [0, 10],
      [11.25, 20.5],
      [20.5, 30],
    ]);
    await expect.poll(() => caretIsIn(page, 2)).toBe(true);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(times).toStrictEqual(unchanged);
  });

  test('change by arrow keys', async () => {
    const page = await open();
    await openTimes(page);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(() => page.getByLabel('Start', { exact: true }).inputValue()).toBe('0:11.1');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await popover(page).waitFor({ state: 'detached' });
    await expect.poll(() => caretIsIn(page, 2)).toBe(true);
    expect(times()).toStrictEqual(unchanged);
  });

  test('are kept at a click elsewhere, with a button that undoes them', async () => {
    const page = await open();
    await openTimes(page);
    await page.keyboard.type('0:11.5');
    await segment(page, 1).click();
    await expect.poll(() => times()?.[1]).toStrictEqual([11.5, 20]);
    await popover(page).waitFor({ state: 'detached' });
    await page.getByText('Times saved').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(times).toStrictEqual(unchanged);
  });

  test('are discarded at Escape as by Cancel, with a button that saves them', async () => {
    const page = await open();
    await openTimes(page);
    await page.keyboard.type('0:11.5');
    await page.keyboard.press('Escape');
    await popover(page).waitFor({ state: 'detached' });
    await page.getByText('Times not saved').first().waitFor();
    expect(times()).toStrictEqual(unchanged);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => times()?.[1]).toStrictEqual([11.5, 20]);
  });

  test('that are invalid keep the popover open at a click elsewhere; the first Escape discards them', async () => {
    const page = await open();
    await openTimes(page);
    const start = page.getByLabel('Start', { exact: true });
    const isFocused = () => start.evaluate((field) => field === document.activeElement);
    await page.keyboard.type('soon');
    await segment(page, 1).click();
    await expect.poll(isFocused).toBe(true);
    expect(await start.inputValue()).toBe('soon');
    await page.keyboard.press('Escape');
    await popover(page).waitFor({ state: 'detached' });
    await expect.poll(() => caretIsIn(page, 2)).toBe(true);
    await page.getByText('Times not saved').first().waitFor();
    expect(times()).toStrictEqual(unchanged);
  });

  test.each([
    ['soon', 'Enter a time such as 1:02.5.'],
    ['0:61:00', 'Enter a time such as 1:02.5.'],
    ['20', 'The end must be at least 0.1 s after the start.'],
    ['-1', 'Enter a time such as 1:02.5.'],
  ])('a start of “%s” is refused with the reason', async (typed, reason) => {
    const page = await open();
    await openTimes(page);
    await page.keyboard.type(typed);
    await expect.poll(() => message(page)).toBe(reason);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Start', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(times()).toStrictEqual(unchanged);
  });

  test('are limited by the neighbours and the recording', async () => {
    const page = await open();
    await segment(page, 3).focus();
    await page.keyboard.press('Alt+t');
    await page.keyboard.type('9');
    await expect.poll(() => message(page)).toBe('The previous segment would have no room.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('31');
    await expect.poll(() => message(page)).toBe('The recording ends at 0:30.0.');
  });

  test('open from the menu as well', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'More actions for the segment at 00:10' }).click();
    await page.getByRole('menuitem', { name: /^Edit times/ }).click();
    await page.getByLabel('End', { exact: true }).fill('0:18');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => times()?.[1]).toStrictEqual([10, 18]);
  });
});
