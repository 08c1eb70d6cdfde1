import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import { sampleTranscript, segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

async function open(transcript: Partial<Transcript>): Promise<Page> {
  const sample = sampleTranscript({ id: 4, ...transcript });
  const page = await app.open({ transcripts: [sample] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: sample.name }).click();
  await page.getByRole('textbox').first().waitFor();
  return page;
}

const texts = () => app.main.edits(4)?.texts;
const saved = (page: Page) => page.getByText(/· saved$/).waitFor();
const findField = (page: Page) => page.getByLabel('Find', { exact: true });
const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement);

/** Opens the search by keyboard: further typing goes to the search field. */
async function openFind(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+f');
  await expect.poll(() => hasFocus(findField(page))).toBe(true);
}

const segment = (page: Page, number: number) =>
  page.getByRole('textbox', { name: new RegExp(`^Segment ${number},`) });

test('the find bar opens wherever the focus is', async () => {
  const page = await open({});
  await page.locator('nav').getByRole('button', { name: 'Library' }).focus();
  await openFind(page);
  expect(await page.getByText('Nothing to search here', { exact: true }).count()).toBe(0);
});

test('a text without times is searched from the caret, and replaced', async () => {
  const lines = Array.from({ length: 200 }, (_, line) => `Line ${line} is about nets.`);
  const page = await open({ segments: [], text: lines.join('\n\n') });
  const text = page.getByRole('textbox', { name: 'Text of the transcript' });
  const isSeen = (words: string) =>
    text.evaluate((field, wanted) => {
      const copy = field.previousElementSibling?.firstChild;
      const at = copy?.textContent?.indexOf(wanted) ?? -1;
      if (copy === null || copy === undefined || at < 0) return false;
      const range = new Range();
      range.setStart(copy, at);
      range.setEnd(copy, at + wanted.length);
      const { top, bottom } = range.getBoundingClientRect();
      const view = field.parentElement?.parentElement?.getBoundingClientRect();
      return view !== undefined && top >= view.top && bottom <= view.bottom;
    }, words);
  await text.evaluate(
    (field: HTMLTextAreaElement, at) => field.setSelectionRange(at, at),
    lines.join('\n\n').indexOf('Line 100'),
  );
  await openFind(page);
  await page.keyboard.type('about nets');
  await page.getByText('101 of 200').waitFor();
  await expect.poll(() => isSeen('Line 100 is')).toBe(true);
  await page.keyboard.press('Shift+Enter');
  await page.getByText('100 of 200').waitFor();
  await page.getByRole('button', { name: 'Next match' }).click();
  await page.getByText('101 of 200').waitFor();
  await page.getByRole('textbox', { name: 'Find', exact: true }).press('ControlOrMeta+a');
  await page.keyboard.type('Line 0 is');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  // A step beyond either end says where it goes on.
  await page.keyboard.press('Enter');
  await page.getByText('1 of 1, from the start').waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.getByText('1 of 1, from the end').waitFor();
  await findField(page).fill('about nets');
  await page.getByText('101 of 200').waitFor();
  await page.getByRole('button', { name: 'Previous match' }).click();
  await page.getByText('100 of 200').waitFor();
  // Without a replacement, the buttons say what they do.
  await page.getByRole('button', { name: 'Delete all' }).waitFor();
  await page.getByLabel('Replace with').fill('about boats');
  // The matches that would be struck out, and their replacement.
  await page.locator('search del').getByText('about nets', { exact: true }).waitFor();
  await page.locator('search ins').getByText('about boats', { exact: true }).waitFor();
  await expect
    .poll(() => page.locator('search p').textContent())
    .toContain('Line 99 is about netsabout boats.');
  await page.getByRole('button', { name: 'Replace', exact: true }).press('Enter');
  await page.getByText('100 of 199').waitFor();
  await saved(page);
  await expect
    .poll(() => app.main.edits(4)?.text?.split('\n\n').slice(99, 101))
    .toStrictEqual(['Line 99 is about boats.', 'Line 100 is about nets.']);
  await page.getByRole('button', { name: 'Replace all' }).press('Enter');
  await page.locator('search').getByText('199 replaced').waitFor();
  await saved(page);
  await expect.poll(() => app.main.edits(4)?.text).toBe(lines.join('\n\n').replaceAll('nets', 'boats'));
  // The buttons have nothing left to do.
  await expect.poll(() => hasFocus(findField(page))).toBe(true);
  await page.keyboard.press('Escape');
  const reading = page.getByRole('region', { name: 'Text of the transcript' });
  await expect.poll(() => hasFocus(reading)).toBe(true);
});

test('matches in a text without times stay highlighted while the user types', async () => {
  const page = await open({ segments: [], text: 'One net. Two nets. Three nets.' });
  const text = page.getByRole('textbox', { name: 'Text of the transcript' });
  await openFind(page);
  await page.keyboard.type('net');
  await page.getByText('1 of 3').waitFor();
  const marked = () =>
    page.evaluate(() =>
      ['found-current', 'found'].flatMap((name) => Array.from(CSS.highlights.get(name) ?? [], String)),
    );
  await expect.poll(marked).toStrictEqual(['net', 'net', 'net']);
  await text.evaluate((field: HTMLTextAreaElement) => {
    field.focus();
    field.setSelectionRange(0, 0);
    // Checked in the same task as the input, before anything could be corrected afterwards.
    field.addEventListener('input', () => {
      const names = ['found-current', 'found'];
      document.title = names.flatMap((name) => Array.from(CSS.highlights.get(name) ?? [], String)).join();
    });
  });
  await page.keyboard.type('So: ');
  expect(await page.title()).toBe('net,net,net');
  await saved(page);
  await expect.poll(marked).toStrictEqual(['net', 'net', 'net']);
});

test('the search starts at the visible text, and Replace continues after its replacement', async () => {
  const page = await open({ segments: segmentsOf(300), durationSeconds: 2160 });
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  await list.press('End');
  await segment(page, 300).waitFor();
  await segment(page, 286).focus();
  await openFind(page);
  await page.keyboard.type('harbour');
  await page.getByText('58 of 60').waitFor();
  await page.getByLabel('Replace with').fill('old harbour');
  await page.getByRole('button', { name: 'Replace', exact: true }).press('Enter');
  await page.getByText('59 of 60').waitFor();
  await segment(page, 287).focus();
  await page.keyboard.press('ControlOrMeta+f');
  await expect.poll(() => hasFocus(findField(page))).toBe(true);
});

test('each replacement says what it did itself, and Ctrl+Z in the fields undoes it before what was typed', async () => {
  const page = await open({ segments: segmentsOf(15), durationSeconds: 108 });
  const before = texts();
  const replacement = page.getByLabel('Replace with');
  await openFind(page);
  await page.keyboard.type('harbour');
  await replacement.fill('port');
  await page.getByText('1 of 3').waitFor();
  for (let round = 1; round <= 2; round += 1) {
    await replacement.press('ControlOrMeta+Enter');
    await page.locator('search').getByText('3 replaced').waitFor();
    // The button that closes the bar stays on its first line.
    const [close, field] = await Promise.all(
      [page.getByRole('button', { name: 'Close find and replace' }), findField(page)].map((one) =>
        one.boundingBox(),
      ),
    );
    expect(close?.y).toBe(field?.y);
    await replacement.press('ControlOrMeta+z');
    await page.locator('search').getByText(/of 3$/).waitFor();
    await expect.poll(texts).toStrictEqual(before);
  }
  await replacement.press('Enter');
  await replacement.press('Enter');
  await page.getByText('1 of 1').waitFor();
  await replacement.press('ControlOrMeta+z');
  await page.getByText('1 of 2').waitFor();
  await findField(page).press('ControlOrMeta+z');
  await page.getByText('1 of 3').waitFor();
  await replacement.press('ControlOrMeta+Shift+z');
  await replacement.press('ControlOrMeta+Shift+z');
  await page.getByText('1 of 1').waitFor();
  await replacement.press('ControlOrMeta+z');
  await replacement.press('ControlOrMeta+z');
  await expect.poll(texts).toStrictEqual(before);
  await replacement.press('ControlOrMeta+z');
  await expect.poll(() => replacement.inputValue()).toBe('');
  expect(texts()).toStrictEqual(before);
});

test('undo in a field ends with its own typing', async () => {
  const page = await open({ segments: segmentsOf(15), durationSeconds: 108 });
  await segment(page, 2).click();
  await page.keyboard.type('typed ');
  await saved(page);
  const before = texts();
  await openFind(page);
  await page.keyboard.type('nets');
  for (const expected of ['', '', '']) {
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => findField(page).inputValue()).toBe(expected);
  }
  expect(await hasFocus(findField(page))).toBe(true);
  await page.keyboard.type('x');
  expect(await segment(page, 2).textContent()).toContain('typed ');
  expect(texts()).toStrictEqual(before);
});

test('Enter in an empty replacement goes to the next match and deletes nothing', async () => {
  const page = await open({ segments: segmentsOf(15), durationSeconds: 108 });
  await openFind(page);
  await page.keyboard.type('harbour');
  await page.getByText('1 of 3').waitFor();
  const replacement = page.getByLabel('Replace with');
  await replacement.press('Enter');
  await page.getByText('2 of 3').waitFor();
  await replacement.press('ControlOrMeta+Enter');
  await page.getByText('3 of 3').waitFor();
  await replacement.press('Shift+Enter');
  await page.getByText('2 of 3').waitFor();
  await expect.poll(() => hasFocus(replacement)).toBe(true);
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByText('2 of 2').waitFor();
});

const options = (page: Page) => ({
  pattern: page.getByRole('button', { name: 'Regular expression' }),
  replacement: page.getByLabel('Replace with'),
});
const prices = ['It costs 3.50 or 12.25.', 'No price here.', 'Then 7.75, and the end.'].map(
  (text, index) => ({
    start: index * 4,
    end: index * 4 + 4,
    text,
  }),
);

test('Tab leads from “Find” to “Replace with” at once, and then to what is beside them', async () => {
  const page = await open({ segments: segmentsOf(15), durationSeconds: 108 });
  await openFind(page);
  await page.keyboard.type('harbour');
  await page.getByText('1 of 3').waitFor();
  const tabTo = async (target: Locator): Promise<void> => {
    await page.keyboard.press('Tab');
    await expect.poll(() => hasFocus(target)).toBe(true);
  };
  await tabTo(page.getByLabel('Replace with'));
  const bar = page.getByRole('search');
  for (const name of ['Previous match', 'Next match', 'Match case', 'Whole words', 'Regular expression'])
    await tabTo(bar.getByRole('button', { name }));
});

test('the replacement of a long match is visible in a narrow window', async () => {
  const long = `${'Nets and ropes, '.repeat(8)}then ${'boats '.repeat(20)}at noon.`;
  const page = await open({ segments: [{ start: 0, end: 30, text: long }] });
  await page.setViewportSize({ width: 720, height: 480 });
  await openFind(page);
  await options(page).pattern.click();
  await findField(page).fill('(boats )+');
  await options(page).replacement.fill('one $1');
  const inserted = page.locator('search ins');
  await inserted.getByText('one boats').waitFor();
  const isVisible = inserted.evaluate(
    (element) => element.getBoundingClientRect().right < element.parentElement!.getBoundingClientRect().right,
  );
  expect(await isVisible).toBe(true);
});

test('a regular expression is found, shown with its replacement, and replaced one by one or at once', async () => {
  const page = await open({ segments: prices });
  await openFind(page);
  await options(page).pattern.click();
  await findField(page).fill(String.raw`(\d+)\.(\d+)`);
  await page.getByText('1 of 3').waitFor();
  await options(page).replacement.fill('€$1,$2');
  await page.locator('search ins').getByText('€3,50', { exact: true }).waitFor();
  await findField(page).press('Enter');
  await page.getByText('2 of 3').waitFor();
  await page.locator('search ins').getByText('€12,25', { exact: true }).waitFor();
  await options(page).replacement.press('Enter');
  await page.getByText('2 of 2').waitFor();
  await expect.poll(() => texts()?.[0]).toBe('It costs 3.50 or €12,25.');
  await page.getByRole('button', { name: 'Replace all' }).press('Enter');
  await page.locator('search').getByText('2 replaced').waitFor();
  await saved(page);
  await expect
    .poll(texts)
    .toStrictEqual(['It costs €3,50 or €12,25.', 'No price here.', 'Then €7,75, and the end.']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => texts()?.[2]).toBe('Then 7.75, and the end.');
  await expect.poll(() => texts()?.[0]).toBe('It costs 3.50 or €12,25.');
});

test('the start of each line is replaced once, however fast the key is pressed, in a text without times too', async () => {
  const page = await open({ segments: [], text: 'One net.\nTwo nets.' });
  await openFind(page);
  await options(page).pattern.click();
  await findField(page).fill('^');
  await page.getByText('1 of 2').waitFor();
  await options(page).replacement.fill('– ');
  // Faster than the matches of the changed text are found.
  await options(page).replacement.press('Enter');
  await options(page).replacement.press('Enter');
  await expect.poll(() => app.main.edits(4)?.text).toBe('– One net.\n– Two nets.');
});

test('an invalid expression is explained, until it is completed', async () => {
  const page = await open({ segments: prices });
  await openFind(page);
  await options(page).pattern.click();
  await findField(page).fill('(costs');
  await page.getByRole('alert').getByText('A group is not closed').waitFor();
  expect(await findField(page).getAttribute('aria-invalid')).toBe('true');
  await findField(page).fill('(COSTS)');
  await page.getByText('1 of 1').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Match case' }).click();
  await page.getByText('Not found').waitFor();
});

test('an expression that would never end is given up, and the window stays usable', async () => {
  const text = `${'a'.repeat(60)}b`;
  const page = await open({ segments: [{ start: 0, end: 4, text }, ...prices.slice(1)] });
  await openFind(page);
  await options(page).pattern.click();
  await findField(page).fill('(a+)+$');
  // The search field and the text can be typed in meanwhile.
  await page.getByText('Searching…').waitFor();
  await segment(page, 2).press('End');
  await page.keyboard.type(' Really.');
  await expect.poll(() => texts()?.[1]).toBe('No price here. Really.');
  await page.getByRole('alert').getByText('takes too long').waitFor();
  await findField(page).fill('a+b');
  await page.getByText('1 of 1').waitFor();
});

test('on arrival from a search of the library its words are marked, until the text is edited', async () => {
  const transcript = sampleTranscript({
    id: 1,
    name: 'Talk',
    segments: ['The harbour', 'Old nets', 'Harbours and nets'].map((text, index) => ({
      start: index * 5,
      end: index * 5 + 5,
      text,
    })),
  });
  const page = await app.open({ transcripts: [transcript] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('searchbox').fill('harbour* nets');
  await page.getByText('1 transcript found').waitFor();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  const marked = () =>
    page.evaluate(() =>
      Array.from(CSS.highlights.get('found') ?? [], String)
        .toSorted()
        .join(),
    );
  await expect.poll(marked).toContain('nets');
  expect(new Set((await marked()).toLowerCase().split(','))).toContain('harbours');
  // One reads first; Enter puts the caret at the match.
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  expect(await marked()).toContain('nets');
  await page.keyboard.type('x');
  await expect.poll(marked).toBe('');
});

test('a match of a library search is in the middle of the text, to read first and to correct after Enter', async () => {
  const segments = Array.from({ length: 60 }, (_, index) => ({
    start: index * 5,
    end: index * 5 + 5,
    text: index === 40 ? 'They repaired old nets.' : 'Nobody spoke at the harbour.',
  }));
  const page = await app.open({ transcripts: [sampleTranscript({ id: 1, name: 'Talk', segments })] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('searchbox').fill('nets');
  await page.getByText('1 transcript found').waitFor();
  await page.getByRole('row', { name: 'Talk' }).click();
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  const match = page.getByRole('textbox', { name: /^Segment 41,/ });
  const share = async (): Promise<number> => {
    const [around, box] = [await list.boundingBox(), await match.boundingBox()];
    return around === null || box === null ? 0 : (box.y - around.y) / around.height;
  };
  await expect.poll(share).toBeGreaterThan(0.3);
  expect(await share()).toBeLessThan(0.7);
  expect(await hasFocus(list)).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(match)).toBe(true);
  expect(await page.evaluate(() => getSelection()?.focusOffset)).toBe('They repaired old '.length);
});
