import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTranscript, segmentOf as segment } from '../../support/window/open-transcript.ts';
import { segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const stored = (): readonly string[] => app.main.edits(4)?.texts ?? [];
const shown = (page: Page) => page.getByRole('textbox').allTextContents();
const saved = (page: Page) => page.getByText(/· saved$/).waitFor();

/** Opens a transcript whose edits a full disk refuses, until the returned function is called. */
async function openOnFullDisk(): Promise<{ readonly page: Page; readonly freeSpace: () => void }> {
  let isDiskFull = true;
  const page = await openTranscript(
    app,
    { segments: segmentsOf(15), durationSeconds: 108 },
    { refusing: (name) => (isDiskFull && name === 'transcript.edit' ? 'disk_full' : null) },
  );
  await segment(page, 3).focus();
  return { page, freeSpace: () => (isDiskFull = false) };
}

test('a failed save is reported, keeps the text, and succeeds when retried', async () => {
  const { page, freeSpace } = await openOnFullDisk();
  await page.keyboard.press('Alt+Delete');
  await page.keyboard.press('Alt+Delete');
  await page.getByText('The last changes are not saved yet.').waitFor();
  expect(stored()).toHaveLength(15);
  freeSpace();
  await page.getByRole('button', { name: 'Try again' }).click();
  await saved(page);
  await expect.poll(stored).toHaveLength(13);
  await expect.poll(() => shown(page)).toStrictEqual(stored());
});

test('what cannot be saved when the user leaves is kept, and saved once it can be', async () => {
  const { page, freeSpace } = await openOnFullDisk();
  await page.keyboard.press('End');
  await page.keyboard.type(' Yes.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const notice = page
    .getByRole('region', { name: 'Notifications' })
    .getByText(/^Changes to “.+” are not saved yet$/);
  await notice.waitFor();
  await app.push('app.quitting', null);
  const readyToQuit = () => app.main.callsOf('app.readyToQuit').length;
  await expect.poll(readyToQuit).toBe(1);
  const lastUnsaved = () => app.main.callsOf('app.unsaved').at(-1);
  expect(lastUnsaved()).toStrictEqual({ count: 1 });
  // Shown again, it has what is not stored, and goes on from there.
  await page.getByRole('row', { name: 'Interview' }).click();
  await segment(page, 3).focus();
  await notice.waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await page.keyboard.type(' No.');
  freeSpace();
  await expect.poll(() => stored()[2]).toMatch(/ Yes\. No\.$/);
  await saved(page);
  await app.push('app.quitting', null);
  await expect.poll(readyToQuit).toBe(2);
  expect(lastUnsaved()).toStrictEqual({ count: 0 });
});
