import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { InterruptedTask } from '../../../electron/contract/interrupted-task.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const interruptedExport: InterruptedTask = {
  task: { kind: 'export', journalNumber: 3 },
  name: 'Subtitles',
  count: { done: 412, total: 1840 },
};

/** Whether a notice covers the row that has the caret, or another one. */
const coversRow = (page: Page, selector = ':focus'): Promise<boolean> =>
  page.evaluate((rowSelector) => {
    const row = document.querySelector(rowSelector)?.getBoundingClientRect();
    const message = document.querySelector('[data-position]')?.getBoundingClientRect();
    if (row === undefined || message === undefined) throw new Error('both are there');
    return row.top < message.bottom && row.bottom > message.top;
  }, selector);

/** The controls above and below the text that a notice covers. */
const coveredControls = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const message = document.querySelector('[data-position]')?.getBoundingClientRect();
    return [...document.querySelectorAll('main :is(button, input):not([data-segment] *)')]
      .filter((control) => {
        const { top, bottom, right } = control.getBoundingClientRect();
        return message && top < message.bottom && bottom > message.top && right > message.left;
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent);
  });

test('a notice moves away from the row that is typed in, and covers no controls, in a small window too', async () => {
  const segments = Array.from({ length: 40 }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text: `Sentence ${index + 1}, with words up to the far end of its line, where messages are.`,
  }));
  const page = await openTranscript(app, { durationSeconds: 80, segments });
  await page.setViewportSize({ width: 720, height: 480 });
  await page.keyboard.press('ControlOrMeta+f');
  await segmentOf(page, 1).focus();
  const position = () => page.locator('[data-position]').getAttribute('data-position');
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await page.getByText('Quote copied with its time').first().waitFor();
  await expect.poll(() => coversRow(page)).toBe(false);
  expect(await coveredControls(page)).toStrictEqual([]);
  // Down to the position of the notice.
  await segmentOf(page, 1).press('Escape');
  await page.getByRole('region', { name: 'Text of the transcript' }).hover();
  await page.evaluate(() => {
    const notice = document.querySelector('[data-position]')?.getBoundingClientRect();
    const bottom = [...document.querySelectorAll<HTMLElement>('[role=textbox]')].find((row) => {
      // The caret will be in its first line.
      const [box] = row.getClientRects();
      return notice !== undefined && box !== undefined && box.bottom > notice.top && box.top < notice.bottom;
    });
    bottom?.focus();
  });
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await page.getByText('Quote copied with its time').first().waitFor();
  await expect.poll(position).toBe('top');
  await expect.poll(() => coversRow(page)).toBe(false);
  expect(await coveredControls(page)).toStrictEqual([]);
  // It says the same as the one before, and takes its place among the recent messages.
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const recent = page.getByRole('dialog', { name: 'Recent messages' }).getByRole('listitem');
  await expect.poll(() => recent.count()).toBe(1);
});

test('a lasting notice covers no button of a banner in a small window', async () => {
  const segments = Array.from({ length: 40 }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text: `Sentence ${index + 1}.`,
  }));
  const scene: Scene = {
    recordings: { 4: { kind: 'missing', name: 'talk.mp3' } },
    answers: { 'library.interrupted': () => [interruptedExport] },
  };
  const page = await openTranscript(app, { durationSeconds: 80, segments }, scene);
  await page.setViewportSize({ width: 720, height: 480 });
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Locate file…' }).waitFor();
  expect(await coveredControls(page)).toStrictEqual([]);
  await page.evaluate(() => {
    const notice = document.querySelector('[data-position]')?.getBoundingClientRect();
    const bottom = [...document.querySelectorAll<HTMLElement>('[role=textbox]')].find((row) => {
      const [box] = row.getClientRects();
      return notice !== undefined && box !== undefined && box.bottom > notice.top && box.top < notice.bottom;
    });
    bottom?.focus();
  });
  await expect.poll(() => page.locator('[data-position]').getAttribute('data-position')).toBe('top');
  await expect.poll(() => coveredControls(page)).toStrictEqual([]);
});

test.each(['queue', 'library'])('the last row of the %s can be scrolled above a notice', async (screen) => {
  const page = await app.open(
    {
      rows: Array.from({ length: 30 }, (_, index) => sampleRow({ id: index + 1 })),
      transcripts: sampleLibrary(30),
      answers: { 'library.interrupted': () => [interruptedExport] },
    },
    { width: 720, height: 480 },
  );
  if (screen === 'library') await goTo('Library')(page);
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.getByRole('grid').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const last = page.getByRole('grid').locator('[data-index="29"]');
  await last.waitFor();
  await expect
    .poll(async () => {
      const [row, notice] = [await last.boundingBox(), await page.locator('[data-position]').boundingBox()];
      return row !== null && notice !== null && row.y + row.height <= notice.y;
    })
    .toBe(true);
});

test('a notice moves away from the active row of a list', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => sampleRow({ id: index + 1 }));
  const page = await app.open({ rows }, { width: 720, height: 480 });
  const list = page.getByRole('grid');
  await list.press('End');
  await page.keyboard.press('Alt+Home');
  await page.getByText('Runs next').first().waitFor();
  for (const key of ['ArrowUp', 'End', 'PageUp', 'PageUp', 'Home', 'End']) {
    await list.press(key);
    await expect.poll(() => coversRow(page, '[data-active]'), { message: key }).toBe(false);
  }
});
