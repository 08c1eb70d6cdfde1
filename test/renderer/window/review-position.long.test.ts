import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { segmentWithUnsureWords } from '../../support/segment-with-unsure-words.ts';
import { openTranscript, segmentOf, withRecording } from '../../support/window/open-transcript.ts';
import { pressAtOnce } from '../../support/window/press-at-once.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

let page: Page;

beforeEach(async () => {
  page = await openTranscript(
    app,
    {
      name: 'Talk',
      segments: [
        segmentWithUnsureWords(0, 'They hauled nets', ['hauled']),
        segmentWithUnsureWords(2, 'and wrote letters.', ['wrote']),
        segmentWithUnsureWords(4, 'They left the old harbour', ['left', 'old', 'harbour']),
        segmentWithUnsureWords(8, 'for the sea', []),
      ],
      durationSeconds: 10,
    },
    withRecording,
  );
  await page.getByRole('button', { name: 'Review 4' }).waitFor();
});

const review = () => page.getByRole('group', { name: 'Review' });
const statusText = (): Promise<string | null> => review().getByRole('status').textContent();
const texts = () => app.main.edits(4)?.texts;
const unsure = (text: string): string => `${text}: the model was unsure.`;

/** Puts the caret before a word. */
async function clickAt(number: number, word: string): Promise<void> {
  const text = segmentOf(page, number);
  await text.evaluate((element, sought) => {
    element.focus();
    getSelection()?.collapse(element.firstChild, (element.textContent ?? '').indexOf(sought));
  }, word);
}

async function reopen(): Promise<void> {
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Review 4' }).waitFor();
}

test('the review begins at the caret, and says when it continues at the other end', async () => {
  await clickAt(3, 'the old');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('4 of 4. “old harbour”'));
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('1 of 4, from the start. “hauled”'));
  await page.keyboard.press('Shift+F8');
  await expect.poll(statusText).toBe(unsure('4 of 4, from the end. “old harbour”'));
  await page.keyboard.press('Shift+F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
});

test('after a click in another segment, F8, Shift+F8 and “Next” go on from there', async () => {
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('1 of 4. “hauled”'));
  await clickAt(3, 'They');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
  await clickAt(1, 'They');
  await review().getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(statusText).toBe(unsure('1 of 4. “hauled”'));
  await clickAt(3, 'They');
  await page.keyboard.press('Shift+F8');
  await expect.poll(statusText).toBe(unsure('2 of 4. “wrote”'));
  await clickAt(4, 'for');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('1 of 4, from the start. “hauled”'));
});

test('a click on the time of a segment, or on “Review” after one in the text, decides where the review goes on', async () => {
  await segmentOf(page, 3).locator('xpath=../..').locator('[data-act=seek]').click();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
  await page.keyboard.press('Escape');
  await clickAt(2, 'and');
  await page.getByRole('button', { name: 'Review 4' }).click();
  await expect.poll(statusText).toBe(unsure('2 of 4. “wrote”'));
});

test('within a segment, the review goes on from the caret, and does not return to what was passed', async () => {
  await clickAt(3, 'left');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
  await page.keyboard.press('F2');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('4 of 4. “old harbour”'));
  await clickAt(3, 'They');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
});

test('words that are typed over a place with F2 are none any more, even those that stay the same', async () => {
  for (const key of ['Shift+F8', 'Shift+F8']) await page.keyboard.press(key);
  await expect.poll(statusText).toBe(unsure('4 of 4, from the end. “old harbour”'));
  await page.keyboard.press('F2');
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('old harbour');
  await page.keyboard.type('old harbor');
  await page.keyboard.press('Enter');
  await expect.poll(() => app.main.edits(4)?.texts[2]).toBe('They left the old harbor');
  const marked = (): Promise<readonly string[]> =>
    page.evaluate(() => [...(CSS.highlights.get('unsure-word') ?? [])].map(String).toSorted());
  await expect.poll(marked).toStrictEqual(['hauled', 'left', 'wrote']);
});

test('Enter in corrected words goes on to the next place, and splits only elsewhere in the text', async () => {
  const correct = async (words: string): Promise<void> => {
    await page.keyboard.press('F2');
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe(words);
  };
  for (const key of ['F8', 'F8']) await page.keyboard.press(key);
  await correct('wrote');
  await page.keyboard.type('typed out');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe(unsure('2 of 3. “left”'));
  await expect.poll(() => texts()?.[1]).toBe('and typed out letters.');
  // Without a correction, it only goes on.
  await correct('left');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe(unsure('3 of 3. “old harbour”'));
  expect(texts()).toHaveLength(4);
  await correct('old harbour');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => texts()?.slice(2, 4)).toStrictEqual(['They left the', 'old harbour']);
});

test('Enter goes on too in corrected words that were undone and typed again, but not before them', async () => {
  for (const key of ['F8', 'F8', 'F2']) await page.keyboard.press(key);
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('wrote');
  await page.keyboard.type('typed');
  await expect.poll(() => texts()?.[1]).toBe('and typed letters.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => texts()?.[1]).toBe('and wrote letters.');
  await expect.poll(statusText).toBe(unsure('2 of 4. “wrote”'));
  // The caret is behind the words that are back.
  await page.keyboard.type('n');
  await page.keyboard.press('Enter');
  await expect.poll(() => texts()?.[1]).toBe('and wroten letters.');
  expect(texts()).toHaveLength(4);
  await page.getByRole('textbox', { name: /^Segment 2,/ }).click();
  for (const key of [
    'Home',
    'N',
    'o',
    'w',
    'Space',
    'Home',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'Enter',
  ])
    await page.keyboard.press(key);
  await expect.poll(() => texts()?.length).toBe(5);
});

test('after an undo has moved the review, F8 goes on from there, not from where F2 has put the caret', async () => {
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe(unsure('1 of 3. “wrote”'));
  for (const key of ['F8', 'F2', 'Escape', 'ControlOrMeta+z']) await page.keyboard.press(key);
  await expect.poll(statusText).toBe(unsure('1 of 4. “hauled”'));
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('2 of 4. “wrote”'));
});

test('Shift+F8 right after a corrected word goes back, before what was typed is an edit', async () => {
  for (const place of ['1 of 4. “hauled”', '2 of 4. “wrote”', '3 of 4. “left”']) {
    await page.keyboard.press('F8');
    await expect.poll(statusText).toBe(unsure(place));
  }
  await page.keyboard.press('F2');
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('left');
  await pressAtOnce(page, [...'departed', 'Shift+F8']);
  await expect.poll(statusText).toBe(unsure('2 of 3. “wrote”'));
});

test('F8 returns to where the review was left, even after the transcript was closed', async () => {
  for (const status of ['1 of 4. “hauled”', '2 of 4. “wrote”', '3 of 4. “left”']) {
    await page.keyboard.press('F8');
    await expect.poll(statusText).toBe(unsure(status));
  }
  await page.keyboard.press('Escape');
  await review().waitFor({ state: 'detached' });
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
  await reopen();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe(unsure('3 of 3. “old harbour”'));
});

test('without a caret, the review begins at the playhead, even before the text was reviewed', async () => {
  await page.getByRole('slider', { name: 'Position' }).press('End');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('1 of 4, from the start. “hauled”'));
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await clickAt(3, 'They');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(unsure('3 of 4. “left”'));
});

test('another choice of what is shown continues from the current place', async () => {
  await page.keyboard.press('Shift+F8');
  await page.keyboard.press('Shift+F8');
  await expect.poll(statusText).toBe(unsure('4 of 4, from the end. “old harbour”'));
  await segmentOf(page, 1).press('End');
  await page.keyboard.insertText(' and and ropes.');
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.getByLabel('Show in the review').selectOption({ label: 'Unsure words: 4' });
  await expect.poll(statusText).toBe(unsure('4 of 4. “old harbour”'));
});
