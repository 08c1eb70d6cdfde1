import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { useWindow } from '../../support/window/use-window.ts';
import { goTo } from '../../support/window/view.ts';

const window = useWindow();

/** Whether a notice covers the row that has the caret. */
const coversRow = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const row = document.activeElement?.getBoundingClientRect();
    const message = document.querySelector('[data-position]')?.getBoundingClientRect();
    if (row === undefined || message === undefined) throw new Error('both are there');
    return row.top < message.bottom && row.bottom > message.top;
  });

test('a notice moves away from the row that is typed in, in a small window too', async () => {
  const segments = Array.from({ length: 40 }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text: `Sentence ${index + 1}, with words up to the far end of its line, where messages are.`,
  }));
  const page = await openTranscript(window, { durationSeconds: 80, segments });
  await page.setViewportSize({ width: 720, height: 480 });
  await segmentOf(page, 1).focus();
  const place = () => page.locator('[data-position]').getAttribute('data-position');
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await page.getByText('Quote copied with its time').first().waitFor();
  await expect.poll(() => coversRow(page)).toBe(false);
  // Down to the position of the notice.
  await segmentOf(page, 1).press('Escape');
  await page.getByRole('region', { name: 'Text of the transcript' }).hover();
  await page.evaluate(() => {
    const notice = document.querySelector('[data-position]')?.getBoundingClientRect();
    const bottom = [...document.querySelectorAll<HTMLElement>('[role=textbox]')].find((row) => {
      const box = row.getBoundingClientRect();
      return notice !== undefined && box.bottom > notice.top && box.top < notice.bottom;
    });
    bottom?.focus();
  });
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await page.getByText('Quote copied with its time').first().waitFor();
  await expect.poll(place).toBe('above');
  await expect.poll(() => coversRow(page)).toBe(false);
});

test('tags that do not fit in a line are counted, and listed in a menu', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Subject ${index + 10}`);
  const page = await window.open({ transcripts: sampleLibrary(3), tags: { 1: names } });
  await goTo('Library')(page);
  await page.getByRole('button', { name: 'All 30 tags' }).click();
  await page.getByRole('menuitem', { name: 'Subject 39' }).click();
  const chosen = page.getByRole('button', { name: 'Subject 39', pressed: true });
  const inSight = (): Promise<boolean> =>
    chosen.evaluate((pill) => {
      const line = pill.parentElement?.getBoundingClientRect();
      const { left, right } = pill.getBoundingClientRect();
      return line !== undefined && left >= line.left - 1 && right <= line.right + 1;
    });
  await expect.poll(inSight).toBe(true);
});
