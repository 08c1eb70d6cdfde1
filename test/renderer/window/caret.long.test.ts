import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { openTranscript, segmentOf as segment } from '../../support/window/open-transcript.ts';
import { segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const open = (segments: readonly Segment[], language: string | null = 'en'): Promise<Page> =>
  openTranscript(app, { segments, language, durationSeconds: 600 });

/** Whether the given typed or found text is visible. */
const isSeen = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Text of the transcript' }).evaluate((list, wanted) => {
    const rows = [...list.querySelectorAll('[role=textbox]')];
    const text = rows.find((row) => row.textContent?.includes(wanted) === true)?.firstChild;
    if (text === null || text === undefined) return false;
    const range = document.createRange();
    range.setStart(text, text.textContent?.indexOf(wanted) ?? 0);
    range.setEnd(text, (text.textContent?.indexOf(wanted) ?? 0) + wanted.length);
    const box = range.getBoundingClientRect();
    const around = list.getBoundingClientRect();
    return box.top >= around.top && box.bottom <= around.bottom;
  }, words);

test('what was split within a word is merged without a space, at the caret', async () => {
  const page = await open(segmentsOf(3));
  const before = await page.getByRole('textbox').allTextContents();
  for (const key of ['Alt+ArrowUp', 'Backspace']) {
    await segment(page, 1).press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('textbox').count()).toBe(before.length + 1);
    await page.keyboard.press(key);
    await expect.poll(() => page.getByRole('textbox').allTextContents()).toStrictEqual(before);
    await expect.poll(() => segment(page, 1).evaluate((text) => text === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => getSelection()?.focusOffset)).toBe(1);
  }
});

test('Enter before a comma splits after it, and merging needs no other space', async () => {
  const text = 'We met every week, and again in June.';
  const page = await open([{ start: 0, end: 5, text }]);
  await segment(page, 1).evaluate((element) => {
    element.focus();
    getSelection()?.collapse(element.firstChild, 'We met every week'.length);
  });
  await page.keyboard.press('Enter');
  const texts = () => page.getByRole('textbox').allTextContents();
  await expect.poll(texts).toStrictEqual(['We met every week,', 'and again in June.']);
  await page.keyboard.type('so ');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(texts).toStrictEqual(['We met every week, so and again in June.']);
});

/** Selects part of the text of segment 2. Returns it. */
async function selectInText(page: Page): Promise<string> {
  await segment(page, 2).evaluate((element) => {
    element.focus();
    getSelection()?.setBaseAndExtent(element.firstChild!, 3, element.firstChild!, 9);
  });
  return page.evaluate(() => String(getSelection()));
}

test.each([
  ['a note', 'Alt+n', 'Enter'],
  ['a note', 'Alt+n', 'Escape'],
  ['typed times', 'Alt+t', 'Escape'],
])(
  '%s, closed with %s and %s, returns to the end of what was selected, which no key replaces',
  async (...keys) => {
    const page = await open(segmentsOf(3));
    const before = (await segment(page, 2).textContent()) ?? '';
    await selectInText(page);
    for (const key of keys.slice(1)) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor({ state: key === keys[1] ? 'visible' : 'detached' });
    }
    await expect.poll(() => segment(page, 2).evaluate((text) => text === document.activeElement)).toBe(true);
    await page.keyboard.type('x');
    await expect.poll(() => segment(page, 2).textContent()).toBe(`${before.slice(0, 9)}x${before.slice(9)}`);
  },
);

test('a menu over the text, and a note opened from it, return to what was selected, and to its end', async () => {
  const page = await open(segmentsOf(3));
  const selected = await selectInText(page);
  const menu = page.getByRole('menu');
  await page.keyboard.press('Shift+F10');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await expect.poll(() => segment(page, 2).evaluate((text) => text === document.activeElement)).toBe(true);
  expect(await page.evaluate(() => String(getSelection()))).toBe(selected);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Add a note…' }).press('Enter');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => segment(page, 2).evaluate((text) => text === document.activeElement)).toBe(true);
  const caret = () => page.evaluate(() => [String(getSelection()), getSelection()?.focusOffset]);
  expect(await caret()).toStrictEqual(['', 9]);
});

test('PageDown and PageUp move the caret by a page of segments', async () => {
  const page = await open(segmentsOf(60));
  const focused = () =>
    page.evaluate(() =>
      Number(document.activeElement?.closest<HTMLElement>('[data-segment]')?.dataset['segment']),
    );
  await segment(page, 1).focus();
  await page.keyboard.press('PageDown');
  await expect.poll(focused).toBeGreaterThan(3);
  const second = await focused();
  await page.keyboard.press('PageDown');
  await expect.poll(focused).toBeGreaterThan(second + 3);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('PageUp');
  await expect.poll(focused).toBe(0);
});

describe('a segment higher than the window', () => {
  const long = 'The nets were washed at night. '.repeat(160);
  const tall = [
    { start: 0, end: 4, text: 'Before it.' },
    { start: 4, end: 400, text: `${long}Here is the lighthouse. ${long}` },
    ...segmentsOf(30).map((one) => ({ ...one, start: one.start + 400, end: one.end + 400 })),
  ];

  test('shows a match anywhere in it', async () => {
    const page = await open(tall);
    await page.keyboard.press('ControlOrMeta+f');
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('lighthouse');
    await page.getByText('1 of 1').waitFor();
    await expect.poll(() => isSeen(page, 'lighthouse')).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => isSeen(page, 'lighthouse')).toBe(true);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  });

  test('keeps its time and its menu on screen', async () => {
    const page = await open(tall);
    await page.setViewportSize({ width: 720, height: 480 });
    const row = page.getByRole('listitem').filter({ hasText: 'lighthouse' });
    const isOnScreen = (part: string) =>
      row.locator(`[data-act=${part}]`).evaluate((tool) => {
        const list = tool.closest('section')?.getBoundingClientRect();
        const { top, bottom } = tool.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      });
    for (const block of ['start', 'center', 'end'] as const) {
      await row.evaluate((element, at) => element.scrollIntoView({ block: at }), block);
      await expect.poll(() => isOnScreen('seek'), { message: block }).toBe(true);
      await expect.poll(() => isOnScreen('menu'), { message: block }).toBe(true);
    }
    await row.locator('[data-act=menu]').click();
    await page.getByRole('menuitem').first().waitFor();
  });

  test('keeps the caret visible when it becomes short again', async () => {
    const page = await open(segmentsOf(60));
    await segment(page, 3).focus();
    await page.keyboard.press('End');
    await page.keyboard.insertText(` ${long}`);
    await page.getByText(/· saved$/).waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => segment(page, 3).textContent()).toMatch(/closure\?$/);
    await expect.poll(() => isSeen(page, 'When did you first hear about the closure?')).toBe(true);
    await expect.poll(() => isSeen(page, 'Thandeka')).toBe(true);
  });
});

test('Enter leads back to where the caret was before Escape, unless the playhead or the text has moved', async () => {
  const page = await open(segmentsOf(60));
  const caret = () =>
    page.evaluate(() => [
      document.activeElement?.closest<HTMLElement>('[data-segment]')?.dataset['segment'],
      getSelection()?.anchorOffset,
    ]);
  await segment(page, 5).focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect.poll(caret).toEqual(['4', 4]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await expect.poll(() => segment(page, 59).isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number((await caret())[0])).toBeGreaterThan(40);
});

test('Escape from the find bar returns to reading or to the caret at the match, and a key replaces no match', async () => {
  const page = await open([{ start: 0, end: 4, text: 'It costs 3.50 or 12.25.' }]);
  const text = () => segment(page, 1).textContent();
  const isTyping = () => segment(page, 1).evaluate((field) => field === document.activeElement);
  const match = page.locator('search').getByText('1 of 1');
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('12.25');
  await match.waitFor();
  await page.keyboard.press('Escape');
  await match.waitFor({ state: 'detached' });
  expect(await isTyping()).toBe(false);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect.poll(isTyping).toBe(true);
  await page.keyboard.type('about ');
  await expect.poll(text).toBe('It costs 3.50 or about 12.25.');
  await page.keyboard.press('ControlOrMeta+f');
  await match.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(isTyping).toBe(true);
  await page.keyboard.type('now ');
  await expect.poll(text).toBe('It costs 3.50 or about now 12.25.');
});

test('a right-to-left text is aligned right, and arrow keys follow its direction', async () => {
  const texts = ['مرحبا بكم في المدينة.', 'متى سمعتم عن الميناء؟', 'Yes.'];
  const segments = texts.map((text, index) => ({ start: index * 3, end: index * 3 + 3, text }));
  const page = await open(segments, 'ar');
  const at = () => page.evaluate(() => document.activeElement?.textContent);
  const offset = () => page.evaluate(() => getSelection()?.anchorOffset);
  const [time, words] = await Promise.all([
    page.getByRole('button', { name: 'Go to 00:00' }).boundingBox(),
    segment(page, 1).boundingBox(),
  ]);
  expect(time?.x).toBeGreaterThanOrEqual((words?.x ?? 0) + (words?.width ?? 0));
  await segment(page, 2).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => Promise.all([at(), offset()])).toEqual([texts[1], 1]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => Promise.all([at(), offset()])).toEqual([texts[0], texts[0]?.length]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => Promise.all([at(), offset()])).toEqual([texts[0], (texts[0]?.length ?? 0) - 1]);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => Promise.all([at(), offset()])).toEqual([texts[1], 0]);
});

test('words from an input method are inserted once, and undone one by one', async () => {
  const page = await open([{ start: 0, end: 4, text: '行きました。' }, ...segmentsOf(3)]);
  const input = await page.context().newCDPSession(page);
  await segment(page, 1).focus();
  await page.keyboard.press('Home');
  const compose = async (...texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      const end = text.length;
      await input.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    }
  };
  await compose('t', 'と', 'とう', 'とうきょう', '東京');
  await expect.poll(() => segment(page, 1).textContent()).toBe('東京行きました。');
  await input.send('Input.insertText', { text: '東京' });
  await compose('に', '');
  await compose('え', 'へ');
  await input.send('Input.insertText', { text: 'へ' });
  await expect.poll(() => segment(page, 1).textContent()).toBe('東京へ行きました。');
  await page.getByText(/· saved$/).waitFor();
  await expect.poll(() => app.main.edits(4)?.texts[0]).toBe('東京へ行きました。');
  for (const before of ['東京行きました。', '行きました。']) {
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => segment(page, 1).textContent()).toBe(before);
  }
  expect(app.main.callsOf('transcript.edit')).toHaveLength(2);
  await input.detach();
});

test('a character of several code points is deleted as one, and never split', async () => {
  const family = '👩‍👩‍👧‍👦';
  const page = await open([
    { start: 0, end: 4, text: `Hello ${family} all, e\u0301te\u0301.` },
    ...segmentsOf(3),
  ]);
  await segment(page, 1).focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate(() => getSelection()?.anchorOffset)).toBe(6 + family.length);
  await page.keyboard.press('Backspace');
  await expect.poll(() => segment(page, 1).textContent()).not.toContain(family);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => segment(page, 1).textContent()).toContain(family);
  await page.keyboard.press('End');
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(() => segment(page, 1).textContent()).toBe(`Hello ${family} all, e\u0301t`);
  await expect.poll(() => segment(page, 2).textContent()).toBe('e\u0301.');
});

test('a text that is too long for a segment is rejected, and the previous one stays', async () => {
  const page = await open(segmentsOf(3));
  await segment(page, 2).focus();
  await page.keyboard.press('End');
  const before = (await segment(page, 2).textContent()) ?? '';
  // The end of a line is not that of the text.
  const at = (await page.evaluate(() => getSelection()?.focusOffset)) ?? 0;
  await page.keyboard.insertText('x'.repeat(100_001));
  await page.getByText('This is too long for one segment').first().waitFor();
  await expect.poll(() => segment(page, 2).textContent()).toBe(before);
  await page.keyboard.type('!');
  await page.getByText(/· saved$/).waitFor();
  const editedText = `${before.slice(0, at)}!${before.slice(at)}`;
  await expect.poll(() => app.main.edits(4)?.texts[1]).toBe(editedText);
});

test('a row is as high as its text, whatever it said before', async () => {
  const page = await open(segmentsOf(6).map((one) => ({ ...one, text: 'A short line.' })));
  const gap = async (): Promise<number> => {
    const [above, below] = await Promise.all(
      [2, 3].map((number) => page.locator('li', { has: segment(page, number) }).boundingBox()),
    );
    return (below?.y ?? Number.NaN) - (above?.y ?? 0) - (above?.height ?? 0);
  };
  expect(await gap()).toBeCloseTo(0, 0);
  // More letters than a line has on average, but they fit.
  await segment(page, 2).fill(
    'Little in it filled, till it fitted: still it will fit in this tiny little list.',
  );
  await page.getByText(/· saved$/).waitFor();
  await segment(page, 5).click();
  expect(await gap()).toBeCloseTo(0, 0);
});
