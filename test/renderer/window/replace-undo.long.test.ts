import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { undoableRuns } from '../../../electron/contract/limits.ts';
import type { ReplacePreview, StoredReplacement } from '../../../electron/contract/replace.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openReplaceDialog, preview, startSearch } from '../../support/window/replace-dialog.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();
const openDialog = (found: ReplacePreview, answers?: Scene['answers']): Promise<Page> =>
  openReplaceDialog(app, found, answers);

const renamings = () => app.main.callsOf('library.rename').length;
const undoneRuns = () => app.main.callsOf('replace.undo').map(({ run }) => run);
const targetsOf = () => app.main.callsOf('replace.run').map(({ targets }) => targets);

test('a message says what was replaced by what, and undoes that replacement', async () => {
  let runs = 0;
  const page = await openDialog(
    { ...preview, isCapped: true },
    {
      'replace.run': () => {
        runs += 1;
        return {
          run: runs,
          changed: 2,
          renamed: 0,
          merged: 0,
          unchanged: 0,
          tooLong: 0,
          outcome: 'finished',
        };
      },
      'replace.undo': ({ run }) =>
        run === 1
          ? {
              undone: 0,
              kept: 4,
              edited: ['Talk'],
              later: { run: 2, text: 'Mbecki', replacement: '', count: 2 },
              cancelled: false,
            }
          : { undone: 2, kept: 0, edited: [], later: null, cancelled: false },
    },
  );
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await page.getByText('“Mbecki” replaced by “Mbeki” in 2 transcripts').first().waitFor();
  await page.getByText('More matches are left: replace again for the rest').first().waitFor();
  await startSearch(page);
  await page.getByRole('button', { name: 'Delete 2 matches' }).click();
  await page.getByText('“Mbecki” deleted in 2 transcripts').first().waitFor();

  const messages = page.getByRole('dialog', { name: 'Recent messages' }).getByRole('listitem');
  const undoInMessages = async (text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Messages' }).press('Enter');
    await messages.filter({ hasText: text }).getByRole('button', { name: 'Undo' }).press('Enter');
    await page.keyboard.press('Escape');
  };
  await undoInMessages('replaced by');
  await page
    .getByText('2 were changed later by the deletion of “Mbecki”: undo that one first')
    .first()
    .waitFor();
  await page.getByText('“Talk” and 1 other were edited since and stay unchanged').first().waitFor();
  await undoInMessages('deleted in');
  await page.getByText('Change of “Mbecki” undone in 2 transcripts').first().waitFor();
  // The first can be tried again, and the list has no entry for what changed nothing.
  await undoInMessages('replaced by');
  await expect.poll(() => app.main.callsOf('replace.undo').map(({ run }) => run)).toStrictEqual([1, 2, 1]);
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  await expect.poll(() => messages.count()).toBe(3);
  expect(await messages.getByRole('button', { name: 'Undo' }).count()).toBe(1);
});

test('a replacement that a full disk ends says so, and so does an undo that was stopped', async () => {
  const page = await openDialog(preview, {
    'replace.run': () => {
      const outcome = { code: 'disk_full' } as const;
      return { run: 1, changed: 2, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome };
    },
    'replace.undo': () => ({ undone: 1, kept: 0, edited: [], later: null, cancelled: true }),
  });
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await page.getByText('Stopped: “Mbecki” replaced by “Mbeki” in 2 transcripts').first().waitFor();
  await page.getByText('The disk is full').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => app.main.callsOf('replace.undo')).toMatchObject([{ run: 1 }]);
  await page.getByText('Stopped: change of “Mbecki” undone in 1 transcript').first().waitFor();
  await page.getByText('The rest is still changed').first().waitFor();
});

/** Renames the first transcript, and deletes the matches in all. Returns the list. */
async function renameAndDelete(page: Page): Promise<Locator> {
  await page.keyboard.press('Escape');
  const list = page.getByRole('grid', { name: 'Transcripts' });
  await list.press('ArrowDown');
  await list.press('F2');
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.keyboard.press('Enter');
  await page.getByText('Renamed to “Renamed”').first().waitFor();
  await startSearch(page);
  await page.getByRole('button', { name: 'Delete 2 matches' }).click();
  return list;
}

test('Ctrl+Z in the library undoes the replacement that came last, then the renaming before it', async () => {
  let runs = 0;
  const page = await openDialog(preview, {
    'replace.run': () => {
      runs += 1;
      return { run: runs, changed: 2, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'finished' };
    },
    'replace.undo': () => ({ undone: 2, kept: 0, edited: [], later: null, cancelled: false }),
  });
  const list = await renameAndDelete(page);
  await page.getByText('“Mbecki” deleted in 2 transcripts').first().waitFor();

  await list.press('ControlOrMeta+z');
  await expect.poll(undoneRuns).toStrictEqual([1]);
  await page.getByText('Change of “Mbecki” undone in 2 transcripts').first().waitFor();
  expect(renamings()).toBe(1);
  await list.press('ControlOrMeta+Shift+z');
  await expect.poll(() => targetsOf().length).toBe(2);
  expect(targetsOf()[1]).toStrictEqual(targetsOf()[0]);
  await page.getByText('“Mbecki” deleted in 2 transcripts').first().waitFor();
  await list.press('ControlOrMeta+z');
  await expect.poll(undoneRuns).toStrictEqual([1, 2]);
  await list.press('ControlOrMeta+z');
  await expect.poll(renamings).toBe(2);
});

test('Ctrl+Z while a replacement runs undoes it once it is done, and nothing before it or in a field', async () => {
  const replaced = Promise.withResolvers<void>();
  const page = await openDialog(preview, {
    'replace.run': async () => {
      await replaced.promise;
      return { run: 1, changed: 2, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'finished' };
    },
    'replace.undo': () => ({ undone: 2, kept: 0, edited: [], later: null, cancelled: false }),
  });
  await renameAndDelete(page);
  await expect.poll(() => targetsOf().length).toBe(1);
  await page.keyboard.press('ControlOrMeta+z');
  replaced.resolve();
  await expect.poll(undoneRuns).toStrictEqual([1]);
  expect(renamings()).toBe(1);
});

test('Ctrl+Z after a replacement was stopped undoes what it did, and nothing before it', async () => {
  const stopped = Promise.withResolvers<void>();
  const page = await openDialog(preview, {
    'replace.run': async () => {
      await stopped.promise;
      return { run: 1, changed: 1, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'cancelled' };
    },
    'replace.undo': () => ({ undone: 1, kept: 0, edited: [], later: null, cancelled: false }),
    'library.cancel': () => stopped.resolve(),
  });
  await renameAndDelete(page);
  await expect.poll(() => targetsOf().length).toBe(1);
  const { task } = app.main.callsOf('replace.run')[0]!;
  await app.push('library.progress', { task, isWaiting: false, done: 1, total: 2 });
  const dialog = page.getByRole('dialog', { name: 'Replacing' });
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.getByText('Stopped: “Mbecki” deleted in 1 transcript').first().waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(undoneRuns).toStrictEqual([1]);
  expect(renamings()).toBe(1);
});

test('Ctrl+Z after a replacement that changed nothing undoes nothing before it', async () => {
  const page = await openDialog(preview, {
    'replace.run': () => {
      return { run: null, changed: 0, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'cancelled' };
    },
  });
  const list = await renameAndDelete(page);
  await page.getByText('Stopped before anything was deleted').first().waitFor();
  await list.press('ControlOrMeta+z');
  await page.getByText('The last action changed nothing').first().waitFor();
  expect(renamings()).toBe(1);
  await list.press('ControlOrMeta+z');
  await expect.poll(renamings).toBe(2);
});

test('Ctrl+Z undoes the rest of a replacement before the change before it, once the rest can be undone', async () => {
  const partly = { kept: 1, edited: ['Talk'], later: null, cancelled: false };
  let undone = 2;
  const page = await openDialog(preview, {
    'replace.run': () => ({
      run: 1,
      changed: 3,
      renamed: 0,
      merged: 0,
      unchanged: 0,
      tooLong: 0,
      outcome: 'finished',
    }),
    'replace.undo': () => ({ ...partly, undone }),
  });
  const list = await renameAndDelete(page);
  await page.getByText('“Mbecki” deleted in 3 transcripts').first().waitFor();

  await list.press('ControlOrMeta+z');
  await page.getByText('Change of “Mbecki” undone in 2 transcripts').first().waitFor();
  undone = 0;
  await list.press('ControlOrMeta+z');
  await expect.poll(undoneRuns).toStrictEqual([1, 1]);
  await page.getByText('No change of “Mbecki” was undone').first().waitFor();
  expect(renamings()).toBe(1);
  // Where the edit stays, it does not hold up what was done before.
  await list.press('ControlOrMeta+z');
  await expect.poll(renamings).toBe(2);
  expect(undoneRuns()).toStrictEqual([1, 1]);
});

test('after a start, messages list what can be undone, and an interruption is shown until it is dismissed', async () => {
  const stored = { text: 'Mbecki', replacement: 'Mbeki', changed: 2, total: 2, interrupted: null };
  const page = await app.open({
    answers: {
      'replace.stored': () => [
        { ...stored, run: 1, at: Date.UTC(2026, 1, 3, 12) },
        { ...stored, run: 2, at: Date.now(), text: 'harbor', total: 5, interrupted: 'replacement' },
      ],
    },
  });
  const shown = page.getByRole('region').getByText('Interrupted: “harbor”');
  await shown.first().waitFor();
  await page.getByLabel('Dismiss').click();
  await expect.poll(() => app.main.callsOf('replace.dismissInterruption')).toStrictEqual([{ run: 2 }]);
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const messages = page.getByRole('dialog', { name: 'Recent messages' }).getByRole('listitem');
  await expect.poll(() => messages.getByRole('button', { name: 'Undo' }).count()).toBe(2);
  await messages.filter({ hasText: '3 Feb 2026' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.main.callsOf('replace.undo')).toMatchObject([{ run: 1 }]);
});

test('the report of an interrupted replacement goes once it was finished, and its part can still be undone', async () => {
  const part = { run: 1, at: Date.now(), text: 'Mbecki', replacement: 'Mbeki', changed: 1, total: 2 };
  let interrupted: 'replacement' | null = 'replacement';
  const page = await openDialog(preview, {
    'replace.stored': () => [{ ...part, interrupted }],
    'replace.run': () => {
      interrupted = null;
      return { run: 2, changed: 1, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'finished' };
    },
  });
  const shown = page.getByRole('region').getByText('Interrupted: “Mbecki”');
  await shown.first().waitFor();
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await page.getByText('“Mbecki” replaced by “Mbeki” in 1 transcript').first().waitFor();
  await expect.poll(() => shown.count()).toBe(0);
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const messages = page.getByRole('dialog', { name: 'Recent messages' }).getByRole('listitem');
  await expect.poll(() => messages.getByRole('button', { name: 'Undo' }).count()).toBe(2);
});

test('Ctrl+Z in the library undoes a replacement that the end of the program interrupted, once', async () => {
  const part = { run: 3, at: Date.now(), text: 'Mbecki', replacement: 'Mbeki', changed: 1, total: 2 };
  let stored: StoredReplacement[] = [{ ...part, interrupted: 'replacement' }];
  const page = await app.open({
    transcripts: sampleLibrary(3),
    answers: {
      'replace.stored': () => stored,
      'replace.undo': () => {
        stored = [];
        return { undone: 1, kept: 0, edited: [], later: null, cancelled: false };
      },
    },
  });
  await goTo('Library')(page);
  const shown = page.getByRole('region').getByText('Interrupted: “Mbecki”');
  await shown.first().waitFor();
  const list = page.getByRole('grid', { name: 'Transcripts' });
  await list.press('ControlOrMeta+z');
  await page.getByText('Change of “Mbecki” undone in 1 transcript').first().waitFor();
  await expect.poll(() => shown.count()).toBe(0);
  // It cannot be redone, as the options of its search are not known.
  await list.press('ControlOrMeta+Shift+z');
  await list.press('ControlOrMeta+z');
  expect(undoneRuns()).toStrictEqual([3]);
  expect(targetsOf()).toStrictEqual([]);
});

test('an undo that was interrupted is reported as one', async () => {
  const stored = { run: 1, at: Date.now(), text: 'Mbecki', replacement: 'Mbeki', changed: 3, total: 5 };
  const page = await app.open({
    answers: { 'replace.stored': () => [{ ...stored, interrupted: 'undo' as const }] },
  });
  const shown = page.getByRole('region').getByText('Undo interrupted: “Mbecki”');
  await expect.poll(() => shown.first().textContent()).toContain('is still replaced by “Mbeki” in 3 of 5');
});

test('messages of replacements that can no longer be undone do not offer it', async () => {
  let runs = 0;
  const page = await openDialog(preview, {
    'replace.run': () => {
      runs += 1;
      return { run: runs, changed: 2, renamed: 0, merged: 0, unchanged: 0, tooLong: 0, outcome: 'finished' };
    },
  });
  for (let run = 1; run <= undoableRuns + 1; run += 1) {
    if (run > 1) await startSearch(page);
    await page.getByLabel('Replace with').fill(`name ${run}`);
    await page.getByRole('button', { name: 'Replace 2 matches' }).click();
    await page.getByText(`“Mbecki” replaced by “name ${run}” in 2 transcripts`).first().waitFor();
  }
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const list = page.getByRole('dialog', { name: 'Recent messages' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(undoableRuns + 1);
  expect(await list.getByRole('button', { name: 'Undo' }).count()).toBe(undoableRuns);
  expect(await list.getByRole('listitem').last().getByRole('button', { name: 'Undo' }).count()).toBe(0);
});
