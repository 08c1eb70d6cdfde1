import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const isReading = (page: Page): Promise<boolean> =>
  page
    .getByRole('region', { name: 'Text of the transcript' })
    .evaluate((text) => text === document.activeElement);

async function openHit(page: Page, query: string): Promise<void> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('searchbox').fill(query);
  await page.getByText('1 transcript found').waitFor();
  await page.getByRole('row', { name: 'Talk' }).click();
  await expect.poll(() => isReading(page)).toBe(true);
}

function talkWith(texts: readonly string[]) {
  const segments = texts.map((text, index) => ({ start: index * 5, end: index * 5 + 5, text }));
  return sampleTranscript({ id: 1, name: 'Talk', segments });
}

test('F3 leads from the match of a library search to the next one, and on after the find bar was closed', async () => {
  const page = await app.open({
    transcripts: [talkWith(['Nets.', 'Old nets and new nets.', 'No nets.'])],
  });
  await openHit(page, 'nets');
  await page.keyboard.press('F3');
  await page.getByText('2 of 4').waitFor();
  await page.keyboard.press('F3');
  await page.getByText('3 of 4').waitFor();
  await page.keyboard.press('Escape');
  // The user was reading: a key plays or scrolls, and edits nothing.
  await expect.poll(() => isReading(page)).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('F3');
  await page.getByText('4 of 4').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+F3');
  await page.getByText('3 of 4').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByText('3 of 4').waitFor();
});

test('a library search marks what it matched of all its words, and F3 goes through all of it', async () => {
  const texts = [
    'Old nets, a network and an internet.',
    'New boats, nêts and an old harbour.',
    'The harbours.',
  ];
  const page = await app.open({ transcripts: [talkWith(texts)] });
  const marked = (): Promise<readonly string[]> =>
    page.evaluate(() =>
      ['found', 'found-current'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
    );
  await openHit(page, 'nets harb');
  await expect.poll(marked).toStrictEqual(['nets', 'nêts', 'harbour', 'harbours']);
  await page.keyboard.press('F3');
  await page.getByText(/^[1-4] of 4/).waitFor();
  const current = (): Promise<string> =>
    page.evaluate(() => [...(CSS.highlights.get('found-current') ?? [])].map(String).join(''));
  const visited: string[] = [];
  for (let step = 0; step < 4; step += 1) {
    await expect.poll(current).not.toBe(visited.at(-1) ?? '');
    visited.push(await current());
    await page.keyboard.press('F3');
  }
  expect(visited.toSorted()).toStrictEqual(['harbour', 'harbours', 'nets', 'nêts']);
  // Typing in the field searches for the text as it is.
  await page.getByLabel('Find', { exact: true }).fill('net');
  await expect.poll(marked).toStrictEqual(['net', 'net', 'net']);

  await openHit(page, '"old harbour" ');
  await expect.poll(marked).toStrictEqual(['old harbour']);
  await page.keyboard.press('F3');
  await page.getByText('1 of 1').waitFor();
  await page.getByLabel('Replace with').fill('quay');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(() => app.main.edits(1)?.texts[1]).toBe('New boats, nêts and an quay.');
});

test('the words of a library search are found apart, but replaced only as the text that they are', async () => {
  const texts = ['An old harbour.', 'The harbour is old.'];
  const page = await app.open({ transcripts: [talkWith(texts)] });
  await openHit(page, 'old harbour');
  await page.keyboard.press('F3');
  await page.getByText(/of 4$/).waitFor();
  const replaceAll = page.getByRole('button', { name: 'Replace all' });
  expect(await page.getByRole('button', { name: 'Delete all' }).isDisabled()).toBe(true);
  await page.getByLabel('Find', { exact: true }).press('Tab');
  await page.keyboard.type('quay');
  await page.getByText('1 of 1').waitFor();
  await replaceAll.click();
  await expect.poll(() => app.main.edits(1)?.texts).toStrictEqual(['An quay.', 'The harbour is old.']);
});
