import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

async function open(transcript: Partial<Transcript>): Promise<Page> {
  const page = await app.open({ transcripts: [sampleTranscript({ id: 1, name: 'Talk', ...transcript })] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  return page;
}

const texts = ['We hauled the old nets', 'and washed them', 'on the wall', 'until noon'];
const segments = texts.map((text, index) => ({ start: index * 5, end: index * 5 + 5, text }));
const edits = () => app.main.edits(1);

async function showChanges(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Changes since the original' }).click();
}

const list = (page: Page) => page.getByRole('region', { name: 'Changes since the original' });
/** Returns the rows with brackets around what was deleted and inserted. */
const rows = (page: Page) =>
  list(page)
    .getByRole('listitem')
    .locator('p')
    .evaluateAll((paragraphs) =>
      paragraphs.map((paragraph) =>
        Array.from(paragraph.childNodes, (node) => {
          const text = node.textContent;
          return node.nodeName === 'DEL' ? `[-${text}-]` : node.nodeName === 'INS' ? `{+${text}+}` : text;
        }).join(''),
      ),
    );
const statusText = (page: Page) =>
  page.getByRole('group', { name: 'Changes since the original' }).getByRole('status').textContent();

test('changed segments are shown word by word, stepped through by keyboard, and restored one by one', async () => {
  const page = await open({ segments });
  await page.getByRole('textbox').first().press('ControlOrMeta+End');
  await page.keyboard.type(' ashore');
  await page.getByRole('textbox').nth(1).press('Alt+Delete');
  await expect.poll(() => edits()?.texts.length).toBe(3);
  await showChanges(page);
  await expect.poll(() => statusText(page)).toBe('2 changes');
  expect(await rows(page)).toStrictEqual(['We hauled the old nets{+ ashore+}', '[-and washed them-]']);

  await page.keyboard.press('F8');
  await expect.poll(() => statusText(page)).toBe('Change 1 of 2');
  await page.keyboard.press('Shift+F8');
  await expect.poll(() => statusText(page)).toBe('Change 2 of 2');
  expect(await page.locator('[data-current]').textContent()).toContain('and washed them');

  await page.getByRole('button', { name: 'Show unchanged segments' }).click();
  await expect.poll(() => rows(page)).toHaveLength(4);
  await page.getByRole('group').getByRole('button', { name: 'Restore this passage' }).press('Enter');
  await page.getByText('Restored: “and washed them”').first().waitFor();
  await expect.poll(() => edits()?.texts).toStrictEqual(['We hauled the old nets ashore', ...texts.slice(1)]);
  await expect.poll(() => statusText(page)).toBe('Change 1 of 1');
  // Undo works here too.
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => edits()?.texts.length).toBe(3);
  await expect.poll(() => statusText(page)).toBe('Change 2 of 2');

  await list(page).getByRole('button', { name: 'Restore this passage' }).last().click();
  await list(page).getByRole('button', { name: 'Restore this passage' }).click();
  await expect.poll(() => edits()?.texts).toStrictEqual(texts);
  await expect
    .poll(() => statusText(page))
    .toBe('No words, times, segments or assigned speakers were changed.');
  await page.getByRole('button', { name: 'Your version' }).click();
  await expect.poll(() => page.getByRole('textbox').count()).toBe(4);
});

test('a held Enter restores one change, in the list and with the button', async () => {
  const page = await open({ segments });
  for (const index of [0, 1, 2]) {
    await page.getByRole('textbox').nth(index).press('ControlOrMeta+End');
    await page.keyboard.type(' ashore');
  }
  await showChanges(page);
  await page.keyboard.press('F8');
  await expect.poll(() => statusText(page)).toBe('Change 1 of 3');
  const hold = async (): Promise<void> => {
    for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  };
  await hold();
  await expect.poll(() => statusText(page)).toBe('Change 1 of 2');
  await page.getByRole('group').getByRole('button', { name: 'Restore this passage' }).focus();
  await hold();
  await expect.poll(() => statusText(page)).toBe('Change 1 of 1');
  expect(edits()?.texts[2]).toBe('on the wall ashore');
});

test('a boundary that was moved is shown and restored', async () => {
  const page = await open({ segments });
  await page.getByRole('textbox').nth(1).press('Alt+t');
  await page.getByLabel('Start', { exact: true }).fill('0:04.125');
  await page.keyboard.press('Enter');
  await expect.poll(() => edits()?.times[1]?.[0]).toBe(4.125);
  await showChanges(page);
  await expect.poll(() => statusText(page)).toBe('2 changes');
  await list(page).getByText('Originally 0:05.000 to 0:10.000, now 0:04.125 to 0:10.000').waitFor();
  await list(page).getByRole('button', { name: 'Restore this passage' }).first().click();
  await expect
    .poll(() => statusText(page))
    .toBe('No words, times, segments or assigned speakers were changed.');
  expect(edits()?.times.slice(0, 2)).toStrictEqual([
    [0, 5],
    [5, 10],
  ]);
});

test('lines of a text without times are compared and restored', async () => {
  const page = await open({ segments: [], text: 'One net.\nTwo nets.\nThree.' });
  await page.getByRole('textbox').fill('One boat.\nTwo nets.');
  await page.getByText(/· saved$/).waitFor();
  await showChanges(page);
  await expect.poll(() => statusText(page)).toBe('2 changes');
  expect(await rows(page)).toStrictEqual(['One [-net-]{+boat+}.', '[-Three.-]']);
  await list(page).getByRole('button', { name: 'Restore this passage' }).last().click();
  await expect.poll(() => edits()?.text).toBe('One boat.\nTwo nets.\nThree.');
});

test('an unchanged transcript says so, and the original leads to the changes', async () => {
  const page = await open({ segments });
  await showChanges(page);
  await page.getByText('Nothing has been changed').waitFor();
  await page.getByRole('button', { name: 'Your version' }).click();
  await page.getByRole('textbox').nth(2).press('Alt+Delete');
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByText('This is the text as it was first saved.').waitFor();
  await page.getByRole('button', { name: 'Your version' }).click();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByText('Nothing has been changed').waitFor();
  expect(await page.getByRole('button', { name: 'Use the original' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Your version' }).click();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  await page.getByRole('button', { name: 'Changes since the original' }).click();
  await expect.poll(() => statusText(page)).toBe('1 change');
});

test('merges, splits and assigned speakers are listed, and Enter restores the one that F8 leads to', async () => {
  const page = await open({ segments });
  await page.getByRole('textbox').nth(1).press('Alt+ArrowDown');
  await expect.poll(() => edits()?.texts).toHaveLength(3);
  await page.getByRole('textbox').first().press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => edits()?.texts).toHaveLength(4);
  await page.getByRole('textbox').last().press('Alt+1');
  await showChanges(page);
  await expect.poll(() => statusText(page)).toBe('3 changes');
  await list(page).getByText('Originally 1 segment, now 2 segments').waitFor();
  await list(page).getByText('Originally 2 segments, now 1 segment').waitFor();
  await list(page).getByText('Originally No speaker, now Speaker 1').waitFor();

  await page.keyboard.press('Enter');
  expect(await statusText(page)).toBe('3 changes');
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(() => statusText(page)).toBe('Change 1 of 2');
  await page.keyboard.press('Enter');
  await expect.poll(() => statusText(page)).toBe('Change 1 of 1');
  expect(edits()?.texts).toStrictEqual(texts);
  expect(edits()?.times).toStrictEqual(segments.map(({ start, end }) => [start, end]));
  await page.keyboard.press('Enter');
  await expect
    .poll(() => statusText(page))
    .toBe('No words, times, segments or assigned speakers were changed.');
  // The messages about the earlier ones have closed.
  await expect.poll(() => page.getByText('Restored: “').count()).toBe(1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await list(page).getByText('Originally No speaker, now Speaker 1').waitFor();
});

test('an inserted segment did not have another speaker in the original', async () => {
  const page = await open({ segments });
  await page.getByRole('textbox').last().press('Alt+i');
  await expect.poll(() => edits()?.texts).toHaveLength(5);
  await page.keyboard.type('and then home');
  await page.keyboard.press('Alt+1');
  await showChanges(page);
  await expect.poll(() => statusText(page)).toBe('1 change');
  expect(await rows(page)).toStrictEqual(['{+and then home+}']);
  expect(await list(page).getByText('Originally').count()).toBe(0);
  await list(page).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByText('Removed: “and then home”').waitFor();
  await expect.poll(() => edits()?.texts).toHaveLength(4);
});

test('a deleted segment gets its time back, and the message says that a neighbour gave it', async () => {
  const page = await open({ segments });
  const [, middle, last] = segments;
  app.main.edits(1)?.editElsewhere({ kind: 'delete', segments: [1] });
  app.main
    .edits(1)
    ?.editElsewhere({ kind: 'set-times', segment: 2, start: middle?.start ?? 0, end: last?.end ?? 0 });
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  await showChanges(page);
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await page.getByText('A neighbouring segment got other times to make room.').waitFor();
  expect(edits()?.times).toStrictEqual(segments.map(({ start, end }) => [start, end]));
});

test('shifted times are mentioned when nothing else has changed', async () => {
  const page = await open({ segments });
  app.main.edits(1)?.editElsewhere({ kind: 'retime', factor: 1, offsetSeconds: 2 });
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('textbox').first().waitFor();
  await showChanges(page);
  await expect
    .poll(() => statusText(page))
    .toBe('No words, segments or assigned speakers were changed. All times were shifted or stretched.');
});

test('the original opens at the place that was being read', async () => {
  const many = Array.from({ length: 80 }, (_, at) => ({ start: at, end: at + 1, text: `Part ${at}.` }));
  const page = await open({ segments: many });
  await page.keyboard.press('End');
  await page.getByText('Part 79.').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Original', exact: true }).click();
  await expect.poll(() => page.getByRole('listitem').getByText('Part 70.').count()).toBe(1);
});

test('Escape leaves the changes and the original from their buttons, too', async () => {
  const page = await open({ segments });
  await page.getByRole('textbox').nth(2).press('Alt+Delete');
  await showChanges(page);
  await page.getByRole('button', { name: 'Show unchanged segments' }).press('Escape');
  await page.getByRole('button', { name: 'Original', exact: true }).click();
  // What counts the words of the current version, or leads to where one is, is not shown.
  await page.getByRole('region', { name: 'Text of the original' }).waitFor();
  expect(await page.getByText(/\d+ words/).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Original', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Your version' }).press('Escape');
  await expect.poll(() => page.getByRole('textbox').count()).toBe(3);
});
