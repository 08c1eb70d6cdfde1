import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { typeInFocus } from '../../support/window/view.ts';

const app = setUpTestWindow();

const texts = ['WhatsApp הודעה', 'Hello', 'Welcome, שלום'];

async function openImported(language: string | null): Promise<Page> {
  const segments = texts.map((text, index) => ({ start: index * 5, end: index * 5 + 5, text }));
  const talk = sampleTranscript({ id: 1, name: 'Talk', language, segments, itemId: null });
  const page = await app.open({ transcripts: [talk] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  return page;
}

async function choose(page: Page, search: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Language…' }).click();
  await page.getByRole('combobox', { name: 'Language' }).click();
  await typeInFocus(page, search);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
}

const directions = (page: Page) =>
  page.getByRole('textbox').evaluateAll((fields) => fields.map((field) => getComputedStyle(field).direction));
const listDirection = (page: Page) =>
  page.locator('main ol').evaluate((list) => getComputedStyle(list).direction);

test('the language of an imported transcript is set, decides its direction, and can be undone', async () => {
  const page = await openImported(null);
  expect(await directions(page)).toStrictEqual(['ltr', 'ltr', 'ltr']);
  expect(await listDirection(page)).toBe('ltr');
  await choose(page, 'hebr');
  await page.getByText('Language: Hebrew').waitFor();
  await page.getByText(/· Hebrew\s/).waitFor();
  // A segment without any Hebrew keeps the direction of its letters.
  await expect.poll(() => directions(page)).toStrictEqual(['rtl', 'ltr', 'rtl']);
  expect(await listDirection(page)).toBe('rtl');
  expect(await page.getByRole('textbox').first().getAttribute('lang')).toBe('he');
  expect(app.main.edits(1)?.language).toBe('he');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => directions(page)).toStrictEqual(['ltr', 'ltr', 'ltr']);
  expect(app.main.edits(1)?.language).toBeNull();
});

test('a language is set to unknown, and a regional variant is kept', async () => {
  const page = await openImported('pt-BR');
  await choose(page, 'brazil');
  expect(app.main.callsOf('transcript.setLanguage')).toStrictEqual([]);
  await choose(page, 'unkn');
  await page.getByText('Language: unknown').waitFor();
  expect(app.main.edits(1)?.language).toBeNull();
});

test('typing at the closed field searches for the whole text, Enter chooses, and once more saves', async () => {
  const page = await openImported(null);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Language…' }).click();
  const field = page.getByRole('combobox', { name: 'Language' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('german');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.innerText()).toBe('German');
  await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Enter');
  await page.getByText('Language: German').waitFor();
  expect(app.main.edits(1)?.language).toBe('de');
});
