import type { ExportReport } from '../../../electron/contract/export.ts';
import type { InterruptedTask } from '../../../electron/contract/interrupted-task.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';
import { expect, test } from 'vitest';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { sampleLibrary, sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();

test('F6 leads to a notice, and Escape closes it and leads back', async () => {
  const page = await openTranscript(app, { segments: [{ start: 0, end: 5, text: 'Hello there' }] });
  const notice = page.getByText('Quote copied with its time').first();
  const text = segmentOf(page, 1);
  await text.focus();
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await notice.waitFor();
  await page.keyboard.press('F6');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-position]') !== null))
    .toBe(true);
  await page.keyboard.press('Escape');
  await notice.waitFor({ state: 'hidden' });
  const hasFocus = () => text.evaluate((element) => element === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  // Without a notice, it leads to the list of recent ones.
  await page.keyboard.press('F6');
  await page.getByRole('dialog', { name: 'Recent messages' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(hasFocus).toBe(true);
});

test('tags that do not fit in a line are counted, and listed in a menu', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Subject ${index + 10}`);
  const page = await app.open({ transcripts: sampleLibrary(3), tags: { 1: names } });
  await goTo('Library')(page);
  await page.getByRole('button', { name: 'All 30 tags' }).click();
  await page.getByRole('menuitem', { name: 'Subject 39' }).click();
  const chosen = page.getByRole('button', { name: 'Subject 39', pressed: true });
  const isInView = (): Promise<boolean> =>
    chosen.evaluate((pill) => {
      const line = pill.parentElement?.getBoundingClientRect();
      const { left, right } = pill.getBoundingClientRect();
      return line !== undefined && left >= line.left - 1 && right <= line.right + 1;
    });
  await expect.poll(isInView).toBe(true);
});

test('recent messages are listed, with what can still be undone', async () => {
  const page = await app.open({ transcripts: sampleLibrary(4) });
  expect(await page.getByRole('button', { name: 'Messages' }).count()).toBe(0);
  await goTo('Library')(page);
  const rows = page.getByRole('grid').getByRole('row');
  await page.getByRole('grid').press('ArrowDown');
  await page.getByRole('grid').press('Delete');
  await page.getByText(/moved to the trash/).waitFor();
  await page.getByRole('grid').press('Delete');
  await expect.poll(() => page.getByText('2 transcripts on this computer').count()).toBe(1);
  // Only the latest is in the corner.
  expect(
    await page.locator('[data-position] [data-type], [data-position] > div:not([data-limited])').count(),
  ).toBe(1);

  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const list = page.getByRole('dialog', { name: 'Recent messages' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await list.getByRole('listitem').last().getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByText('3 transcripts on this computer').waitFor();
  // The list stays, and what was undone cannot be undone again.
  await expect.poll(() => list.getByRole('button', { name: 'Undo' }).count()).toBe(1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Recent messages');
  await page.keyboard.press('Escape');
  await expect.poll(() => rows.count()).toBeGreaterThan(3);
});

test('a replacement is undone by a button of its message, until the next edit', async () => {
  const page = await openTranscript(app, {
    segments: [{ start: 0, end: 2, text: 'One net and two nets' }],
  });
  const replaceAll = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByLabel('Find', { exact: true }).fill('net');
    await page.getByText('1 of 2').waitFor();
    await page.getByLabel('Replace with').fill('boat');
    await page.getByRole('button', { name: 'Replace all' }).click();
    await page.getByText('2 replaced in “').first().waitFor();
  };
  await replaceAll();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => app.main.edits(4)?.texts).toStrictEqual(['One net and two nets']);
  await replaceAll();
  await segmentOf(page, 1).press('ControlOrMeta+End');
  await page.keyboard.type('!');
  await expect.poll(() => page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  await expect.poll(() => app.main.edits(4)?.texts).toStrictEqual(['One boat and two boats!']);
});

test('missing speaker models are reported in one message for all transcripts', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3) });
  const fail = (count: number): void =>
    app.main.onEvent('speakers.changed', {
      current: null,
      waiting: 0,
      postponedBy: null,
      failed: { count, name: `Talk ${count}`, problem: { code: 'speaker_models_missing' } },
    });
  const notice = page.getByRole('dialog').getByText('Speakers are not identified');
  fail(1);
  await page.getByText('Speakers are not identified').first().waitFor();
  fail(2);
  await page.getByRole('button', { name: 'Messages' }).click();
  await expect.poll(() => notice.count()).toBe(1);
  expect(await page.getByText('were not identified').count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Open settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

test('the message of an import undoes it, and restores what was imported before but is in the trash', async () => {
  const [trashed] = sampleLibrary(40).slice(-1);
  const page = await app.open({
    transcripts: sampleLibrary(30),
    trash: [trashed!],
    answers: {
      'library.pickImport': () => ['/texts'],
      'library.import': () => ({
        added: [5, 7].map((id) => ({ id, name: `Text ${id}` })),
        guessed: [],
        known: 0,
        trashed: [trashed!.id],
        rejected: [],
        unread: null,
      }),
    },
  });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Import…' }).click();
  const message = page.getByRole('region').filter({ hasText: '2 transcripts imported' });
  await message.getByText('1 is in the trash').waitFor();
  await message.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.main.callsOf('library.trash')).toStrictEqual([{ ids: [5, 7] }]);
  await page.getByText('28 transcripts on this computer').waitFor();
  await page.getByRole('button', { name: 'Messages' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recent messages' });
  await dialog.waitFor();
  // Nothing is left to show.
  expect(await dialog.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('29 transcripts on this computer').waitFor();
});

test('an import that was interrupted is reported until it is resumed or dismissed', async () => {
  const task: InterruptedTask = {
    task: { kind: 'import' },
    name: 'Texts',
    count: { done: 412, total: 1840 },
  };
  let interrupted = [task];
  const answers = {
    'library.interrupted': () => interrupted,
    'library.resumeImport': () => {
      interrupted = [];
      return { added: [], guessed: [], known: 0, trashed: [], rejected: [], unread: null };
    },
  };
  const shown = 'Import interrupted: 412 of 1,840 files imported';
  const page = await app.open({ answers });
  await page.getByRole('region').getByText(shown).first().waitFor();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('Nothing new was imported').first().waitFor();
  expect(app.main.callsOf('library.resumeImport')).toHaveLength(1);
  interrupted = [task];
  await app.open({ answers });
  await page.getByRole('region').getByText(shown).first().waitFor();
  await page.getByLabel('Dismiss').click();
  await expect.poll(() => app.main.callsOf('library.dismissInterrupted')).toStrictEqual([{ kind: 'import' }]);
});

test('the report of an interrupted import goes once the import was repeated', async () => {
  let interrupted: InterruptedTask[] = [{ task: { kind: 'import' }, name: 'Texts', count: null }];
  const page = await app.open({
    answers: {
      'library.interrupted': () => interrupted,
      'library.pickImport': () => ['/home/me/Texts'],
      'library.import': () => {
        interrupted = [];
        return { added: [], guessed: [], known: 0, trashed: [], rejected: [], unread: null };
      },
    },
  });
  const shown = page.getByRole('region').getByText('An import was interrupted');
  await shown.first().waitFor();
  await goTo('Library')(page);
  await page.getByRole('button', { name: 'Import…' }).first().click();
  await page.getByText('Nothing new was imported').first().waitFor();
  await expect.poll(() => shown.count()).toBe(0);
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  await page.getByRole('dialog').getByText('An import was interrupted').waitFor();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).count()).toBe(0);
});

test('the notice about an interrupted import covers no button of an empty library in a short window', async () => {
  const task: InterruptedTask = {
    task: { kind: 'import' },
    name: 'Texts',
    count: { done: 412, total: 1840 },
  };
  const page = await app.open(
    { answers: { 'library.interrupted': () => [task] } },
    { width: 720, height: 560 },
  );
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  const last = page.locator('main').getByRole('button').last();
  const [button, notice] = [
    await last.boundingBox(),
    await page.getByRole('button', { name: 'Resume', exact: true }).locator('xpath=../..').boundingBox(),
  ];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(notice?.y ?? 0);
});

const allSaved: ExportReport = {
  run: 7,
  count: 1840,
  written: [],
  skippedCount: 0,
  skipped: [],
  failed: [],
  withoutHighlights: 0,
  estimated: 0,
  cancelled: false,
};

test('an export that was interrupted is reported, and resumed with its report', async () => {
  let interrupted: InterruptedTask[] = [
    { task: { kind: 'export', journalNumber: 3 }, name: 'Subtitles', count: { done: 412, total: 1840 } },
  ];
  const page = await app.open({
    answers: {
      'library.interrupted': () => interrupted,
      'export.resume': () => {
        interrupted = [];
        return allSaved;
      },
    },
  });
  await page.getByRole('region').getByText('Export interrupted: 412 of 1,840 files saved').first().waitFor();
  await page.getByRole('region').getByText('in “Subtitles”').first().waitFor();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('1,840 files saved').last().waitFor();
  await page.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => app.main.callsOf('export.showInFolder')).toEqual([{ run: 7 }]);
  expect(app.main.callsOf('export.resume')).toMatchObject([{ journalNumber: 3 }]);
});

test('each interrupted export is offered, and retries its own files', async () => {
  const exports: InterruptedTask[] = ['First', 'Second'].map((name, index) => ({
    task: { kind: 'export', journalNumber: index + 1 },
    name,
    count: { done: index, total: 3 },
  }));
  let interrupted = exports;
  const partly: ExportReport = {
    ...allSaved,
    count: 2,
    failed: [{ name: 'a.srt', problem: { code: 'disk_full' } }],
  };
  const page = await app.open({
    answers: {
      'library.interrupted': () => interrupted,
      'export.resume': ({ journalNumber }) => {
        interrupted = interrupted.filter(
          ({ task }) => task.kind !== 'export' || task.journalNumber !== journalNumber,
        );
        return { ...partly, run: journalNumber + 10 };
      },
      'export.retry': ({ run }) => ({ ...allSaved, run: run + 10 }),
    },
  });
  const notices = page.getByRole('region');
  await notices.getByText('in “Second”').first().waitFor();
  await page.getByLabel('Export interrupted: 1 of 3').getByLabel('Dismiss').click();
  await expect
    .poll(() => app.main.callsOf('library.dismissInterrupted'))
    .toStrictEqual([{ kind: 'export', journalNumber: 2 }]);
  await notices.getByText('in “First”').first().waitFor();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.poll(() => app.main.callsOf('export.retry')).toEqual([{ run: 11 }]);
  await page.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => app.main.callsOf('export.showInFolder')).toEqual([{ run: 21 }]);
});

test('the report of an interrupted export goes once another export or resuming one saved its files', async () => {
  let interrupted: InterruptedTask[] = [1, 2, 3].map((journalNumber) => ({
    task: { kind: 'export', journalNumber },
    name: `Folder ${journalNumber}`,
    count: { done: journalNumber, total: 4 },
  }));
  const page = await app.open({
    transcripts: [sampleTranscript({ id: 4 })],
    answers: {
      'library.interrupted': () => interrupted,
      'export.run': () => {
        interrupted = interrupted.slice(0, 2);
        return allSaved;
      },
      'export.resume': () => {
        interrupted = [];
        return allSaved;
      },
    },
  });
  const notices = page.getByRole('region');
  await notices.getByText('in “Folder 3”').first().waitFor();
  await goTo('Library')(page);
  await page.getByRole('row', { name: 'Interview' }).first().click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Save 2 files' }).click();
  await page.getByRole('heading', { name: '1,840 files saved' }).waitFor();
  await page.keyboard.press('Escape');
  await notices.getByText('in “Folder 2”').first().waitFor();
  await expect.poll(() => notices.getByText('in “Folder 3”').count()).toBe(0);
  await page.getByLabel('Export interrupted: 2 of 4').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('1,840 files saved').last().waitFor();
  await expect.poll(() => notices.getByText('in “Folder 1”').count()).toBe(0);
  await page.getByRole('button', { name: 'Messages' }).press('Enter');
  const recent = page.getByRole('dialog', { name: 'Recent messages' });
  await recent.getByText('in “Folder 1”').waitFor();
  expect(await recent.getByRole('button', { name: 'Resume' }).count()).toBe(0);
});

test('Escape dismisses an interrupted export, and only the one that is shown', async () => {
  const page = await app.open({
    answers: {
      'library.interrupted': () =>
        ['First', 'Second'].map((name, index) => ({
          task: { kind: 'export', journalNumber: index + 1 },
          name,
          count: { done: index, total: 3 },
        })),
    },
  });
  const shown = page.getByLabel('Export interrupted: 1 of 3');
  await shown.waitFor();
  await page.keyboard.press('F6');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-position]') !== null))
    .toBe(true);
  await page.keyboard.press('Escape');
  await expect
    .poll(() => app.main.callsOf('library.dismissInterrupted'))
    .toStrictEqual([{ kind: 'export', journalNumber: 2 }]);
  await page.getByLabel('Export interrupted: 0 of 3').waitFor();
});

test('why a resumed task fails is reported although its record is gone', async () => {
  let interrupted: InterruptedTask[] = [
    { task: { kind: 'export', journalNumber: 3 }, name: 'Subtitles', count: { done: 1, total: 2 } },
  ];
  const page = await app.open({
    answers: {
      'library.interrupted': () => interrupted,
      'export.resume': () => {
        interrupted = [];
        throw new ProblemError({ code: 'disk_full' });
      },
    },
  });
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(() => page.getByRole('region').getByText('disk is full').count()).toBeGreaterThan(0);
});

test('a restore that was interrupted is offered again while its backup cannot be found', async () => {
  const task: InterruptedTask = {
    task: { kind: 'restore' },
    name: 'library.longhand',
    count: { done: 195, total: 319 },
  };
  const page = await app.open({
    answers: { 'library.interrupted': () => [task] },
    refused: { 'backup.resume': 'interrupted_missing' },
  });
  const shown = 'Restore interrupted: 195 of 319 transcripts restored';
  await page.getByRole('region').getByText(shown).first().waitFor();
  for (const times of [1, 2]) {
    const resume = page.getByRole('button', { name: 'Resume', exact: true });
    // The offer that was accepted may still be on its way out.
    await expect.poll(() => resume.count()).toBe(1);
    await resume.click();
    await expect.poll(() => app.main.callsOf('backup.resume')).toHaveLength(times);
    await expect.poll(() => app.main.callsOf('library.interrupted')).toHaveLength(times + 1);
    await page.getByRole('region').getByText('cannot be found').first().waitFor();
  }
  await page.getByRole('region').getByText(shown).first().waitFor();
});
