import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { PurgeReport } from '../../../electron/contract/library-commands.ts';
import { FakeLibrary } from '../../support/window/fake-library.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { copiesAtServices } from '../../support/window/library-screens.ts';
import { sampleLibrary, sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { typeInFocus } from '../../support/window/view.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

async function openLibrary(scene: Scene = { transcripts: sampleLibrary(30) }) {
  const page = await app.open(scene);
  await page.getByRole('button', { name: 'Library' }).click();
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  return { page, list };
}

/** Confirms the question before a permanent deletion. */
async function confirmPurge(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: /^Permanently delete .*\?$/ });
  await question.getByRole('button', { name: 'Delete permanently' }).press('Enter');
}

test('a search opens the matching sentence of a text without times', async () => {
  const text = `${'We left at dawn. '.repeat(400)}“Mind the rope!” she said.`;
  const { page, list } = await openLibrary({
    transcripts: [sampleTranscript({ id: 1, name: 'Notes', segments: [], text })],
  });
  await page.getByRole('searchbox').fill('rope');
  await list.getByRole('button', { name: 'Mind the rope' }).click();
  const field = page.getByRole('textbox', { name: 'Text of the transcript' });
  const atCaret = (): Promise<string> =>
    field.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart));
  await expect.poll(atCaret).toMatch(/^“Mind the rope!”/);
  // It is at the end of more text than the window can show.
  await expect
    .poll(() => field.evaluate((area) => area.parentElement?.parentElement?.scrollTop))
    .toBeGreaterThan(0);
  // The next key replaces nothing.
  await page.keyboard.press('Space');
  expect(await atCaret()).toMatch(/^“Mind the rope!”/);
});

/** Asks to delete the three transcripts in the trash permanently. */
async function askForAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Trash 3' }).press('Enter');
  const trash = page.getByRole('grid', { name: 'Transcripts in the trash' });
  await trash.press('ControlOrMeta+a');
  await page.getByText('3 selected').waitFor();
  await trash.press('Delete');
}

describe('permanent deletion', () => {
  const scene: Scene = {
    trash: sampleLibrary(3),
    ...copiesAtServices,
    answers: {
      ...copiesAtServices.answers,
      'library.purge': ({ ids, servicesToPurge }) => ({
        deleted: ids.length,
        leftAtService: servicesToPurge.length,
        cancelled: false,
      }),
    },
  };

  test('says nothing of services that have no copies', async () => {
    const { page } = await openLibrary({ trash: sampleLibrary(3) });
    await askForAll(page);
    await page.getByText('The text and all edits will be lost.').waitFor();
    expect(await page.getByRole('dialog').getByText('copy').count()).toBe(0);
    await confirmPurge(page);
    await expect.poll(() => app.main.callsOf('library.purge')).toMatchObject([{ servicesToPurge: [] }]);
  });

  test('also deletes at the accounts that are chosen, and reports failures', async () => {
    const { page } = await openLibrary(scene);
    await askForAll(page);
    await page.getByRole('checkbox', { name: 'Also delete 2 of them from cloud.example' }).waitFor();
    await page.getByRole('checkbox', { name: 'Also delete 1 of them from Studio' }).check();
    await page.getByText('Credits are not refunded.').waitFor();
    await page.getByText('keeps its own copy, and the audio for up to 60 days.').waitFor();
    await confirmPurge(page);
    await page.getByText('1 could not be deleted from the service.').first().waitFor();
    const studio = 'https://studio.example';
    expect(app.main.callsOf('library.purge')).toMatchObject([{ servicesToPurge: [studio] }]);
    expect(app.main.callsOf('library.purge')[0]?.ids).toHaveLength(3);
  });

  test('says what a removed account keeps, which Longhand cannot delete', async () => {
    const { page } = await openLibrary(scene);
    await askForAll(page);
    await page.getByText('old.example keeps its own copy of 1 of them').waitFor();
    await page.getByText('Longhand can no longer delete').waitFor();
    expect(await page.getByRole('checkbox', { name: 'old.example' }).count()).toBe(0);
  });
});

/** The ids of the requested deletions. */
const tasks = (): readonly string[] => app.main.callsOf('library.purge').map(({ task }) => task);

const reportProgress = (task: string | undefined, done: number, isWaiting = false): Promise<void> =>
  app.push('library.progress', { task: task ?? '', isWaiting, done, total: 9 });

describe('two deletions', () => {
  test('have their own progress and can be cancelled separately', async () => {
    const reports = [Promise.withResolvers<PurgeReport>(), Promise.withResolvers<PurgeReport>()];
    let requestCount = 0;
    const { page } = await openLibrary({
      trash: sampleLibrary(6),
      answers: {
        'library.purge': () => reports[(requestCount += 1) - 1]?.promise ?? Promise.reject(new Error()),
      },
    });
    await page.getByRole('button', { name: 'Trash 6' }).press('Enter');
    const trash = page.getByRole('grid', { name: 'Transcripts in the trash' });
    const deleteRow = async (key: string): Promise<void> => {
      await trash.press(key);
      await trash.press('Delete');
      await confirmPurge(page);
    };
    const dialog = page.getByRole('dialog', { name: 'Permanently deleting transcripts' });

    await deleteRow('Home');
    await expect.poll(tasks).toHaveLength(1);
    await reportProgress(tasks()[0], 3);
    await dialog.getByText('3 of 9 transcripts').waitFor();
    await page.keyboard.press('Escape');
    // The other one continues, and its progress is shown.
    const show = page.getByRole('button', { name: 'Show “Permanently deleting transcripts”' });
    await show.waitFor();
    await deleteRow('End');
    await expect.poll(tasks).toHaveLength(2);
    await reportProgress(tasks()[1], 0, true);
    await dialog.getByText('Waiting for the previous task.').waitFor();
    await reportProgress(tasks()[0], 4);
    expect(await dialog.getByText('of 9 transcripts').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
    await expect.poll(() => app.main.callsOf('library.cancel')).toEqual([{ task: tasks()[1] }]);
    await dialog.getByRole('button', { name: 'Stopping…' }).waitFor();
    reports[1]?.resolve({ deleted: 0, leftAtService: 0, cancelled: true });
    await page.getByText('Stopped before anything was deleted').first().waitFor();
    await show.press('Enter');
    await dialog.getByText('4 of 9 transcripts').waitFor();
    reports[0]?.resolve({ deleted: 9, leftAtService: 0, cancelled: false });
    await page.getByText('9 transcripts permanently deleted').first().waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => show.count()).toBe(0);
  });
});

describe('by keyboard only', () => {
  test('a transcript is renamed, tagged, moved to the trash and restored', async () => {
    const { page, list } = await openLibrary();
    await list.press('ArrowDown');
    await list.press('F2');
    await typeInFocus(page, 'Mbeki, first talk');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Mbeki, first talk' }).waitFor();

    await list.press('Space');
    await page.getByRole('button', { name: 'Tags…' }).press('Enter');
    await typeInFocus(page, 'Harbour story, port');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'port', checked: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Harbour story 1' }).waitFor();

    await list.press('Delete');
    await page.getByText('29 transcripts on this computer').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
    await page.getByText('30 transcripts on this computer').waitFor();
    await expect
      .poll(() => app.main.callsOf('library.tag'))
      .toEqual([{ ids: [1], add: ['Harbour story', 'port'], remove: [] }]);
  });

  test('a renaming is undone by the button of its message', async () => {
    const { page, list } = await openLibrary();
    await list.press('ArrowDown');
    await list.press('F2');
    await typeInFocus(page, 'Mbeki, first talk');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed to “Mbeki, first talk”').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
    await expect.poll(() => page.getByRole('row', { name: 'Mbeki, first talk' }).count()).toBe(0);
    const [renamed, undone] = app.main.callsOf('library.rename');
    expect(undone?.id).toBe(renamed?.id);
    expect(undone?.name).not.toBe(renamed?.name);
  });

  test('the order is kept after a restart', async () => {
    const transcripts = sampleLibrary(3);
    const { page } = await openLibrary({ transcripts });
    const sort = { name: 'Sort' };
    await page.getByRole('combobox', sort).selectOption('By name');
    await expect.poll(() => app.main.settings.librarySort).toBe('name');
    const reopened = await openLibrary({ transcripts, settings: app.main.settings });
    await expect.poll(() => reopened.page.getByRole('combobox', sort).inputValue()).toBe('name');
    expect(app.main.callsOf('library.list').at(-1)?.sort).toBe('name');
  });

  test('a transcript that moves when it is renamed stays the active row', async () => {
    const { page, list } = await openLibrary();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('By name');
    await list.press('ArrowDown');
    await list.press('F2');
    await typeInFocus(page, 'Zzz, renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Zzz, renamed' }).waitFor();
    await expect.poll(() => list.locator('[data-active]').getAttribute('aria-rowindex')).toBe('31');
    await list.press('Delete');
    await page.getByText('29 transcripts on this computer').waitFor();
    expect(await page.getByRole('row', { name: 'Zzz, renamed' }).count()).toBe(0);
  });

  test('a transcript that a new name moves far away stays the active row', async () => {
    const { page, list } = await openLibrary({ transcripts: sampleLibrary(300) });
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('By name');
    await list.press('ArrowDown');
    await list.press('F2');
    await typeInFocus(page, 'Zzz, renamed');
    await page.keyboard.press('Enter');
    await expect.poll(() => app.main.callsOf('library.rename')).toHaveLength(1);
    await list.press('Delete');
    await page.getByText('“Zzz, renamed” moved to the trash').waitFor();
    const [renamed] = app.main.callsOf('library.rename');
    expect(app.main.callsOf('library.trash')).toEqual([{ ids: [renamed?.id] }]);
    // The next one takes its place, so that one after the other can be removed.
    await list.press('Delete');
    await page.getByText('298 transcripts on this computer').waitFor();
  });

  test('moving to the trash is undone by key, even after a search and in another order', async () => {
    const { page, list } = await openLibrary();
    await page.getByRole('searchbox').fill('mbeki');
    await page.getByText('1 transcript found').waitFor();
    await page.getByRole('searchbox').press('Escape');
    await list.press('ArrowDown');
    await list.press('Delete');
    await page.getByText('29 transcripts on this computer').waitFor();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('By name');
    await list.press('ControlOrMeta+z');
    await page.getByText('30 transcripts on this computer').waitFor();
    await page.getByText(/” restored to the library/).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await list.press('ControlOrMeta+z');
    expect(app.main.callsOf('library.restore')).toHaveLength(1);
  });

  test('a restored transcript is the one that undo moves back, and then the others return', async () => {
    const { page, list } = await openLibrary();
    await list.press('ArrowDown');
    await list.press('Shift+ArrowDown');
    await list.press('Shift+ArrowDown');
    await list.press('Delete');
    await page.getByText('27 transcripts on this computer').waitFor();
    await page.getByRole('button', { name: 'Trash 3' }).press('Enter');
    const trash = page.getByRole('grid', { name: 'Transcripts in the trash' });
    await trash.press('ArrowDown');
    await trash.press('Space');
    await page.getByRole('button', { name: 'Restore', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Empty trash…' }).waitFor();
    await trash.and(page.locator(':focus')).press('ControlOrMeta+z');
    await page.getByRole('button', { name: 'Trash 3' }).waitFor();
    await trash.press('ControlOrMeta+z');
    await page.getByRole('button', { name: 'Trash 3' }).waitFor({ state: 'detached' });
    const moved = app.main.callsOf('library.trash').map(({ ids }) => ids.length);
    const restored = app.main.callsOf('library.restore').map(({ ids }) => ids.length);
    expect({ moved, restored }).toEqual({ moved: [3, 1], restored: [1, 3] });
  });

  test('keys pressed before the latest answer act on the intended row', async () => {
    const transcripts = sampleLibrary(30);
    const listTranscripts = new FakeLibrary(transcripts, [], () => undefined).handlers['library.list'];
    const last = Promise.withResolvers<void>();
    const { page, list } = await openLibrary({
      transcripts,
      answers: {
        'library.list': async (listing) => {
          if (listing.query === 'mbeki') await last.promise;
          return listTranscripts(listing);
        },
      },
    });
    await page.getByRole('searchbox').fill('mbek');
    await page.getByText('1 transcript found').waitFor();
    await page.getByRole('searchbox').press('End');
    await page.keyboard.press('i');
    await expect.poll(() => app.main.callsOf('library.list').at(-1)?.query).toBe('mbeki');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    // A list that is replaced loses a key that is rendered together with the replacement.
    const before = await list.elementHandle();
    last.resolve();
    await list
      .locator('mark', { hasText: /^mbeki$/i })
      .first()
      .waitFor();
    expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Mbeki/ }).waitFor();
  });

  test('a page of text pasted into the search is cut to the maximum length', async () => {
    const { page } = await openLibrary();
    await page.getByRole('searchbox').fill('harbour '.repeat(2000));
    await expect.poll(() => app.main.callsOf('library.list').at(-1)?.query).toHaveLength(1000);
    await page.getByRole('searchbox').fill('“-*');
    await page.getByText('“Find” in a transcript finds other characters').waitFor();
  });

  test('several are selected and moved to the trash, and permanently deleted only after confirmation', async () => {
    const { page, list } = await openLibrary();
    await list.press('ArrowDown');
    await list.press('Shift+End');
    await page.getByText('30 selected').waitFor();
    await list.press('Escape');
    await list.press('End');
    await list.press('F2');
    await page.getByRole('dialog').getByRole('textbox').fill('Another name');
    await page.keyboard.press('Enter');
    await expect.poll(() => app.main.callsOf('library.rename')).toHaveLength(1);
    await list.press('Home');
    await list.press('Shift+ArrowDown');
    await list.press('Delete');
    await page.getByRole('button', { name: 'Trash 2' }).press('Enter');
    const trash = page.getByRole('grid', { name: 'Transcripts in the trash' });
    await trash.press('ControlOrMeta+a');
    await page.getByText('2 selected').waitFor();
    await trash.press('Delete');
    await confirmPurge(page);
    await page.getByText('The trash is empty.').waitFor();
    await expect.poll(() => app.main.callsOf('library.purge')[0]?.ids).toHaveLength(2);
    await page.getByRole('button', { name: 'Show all transcripts' }).press('Enter');
    // The move of what is gone is no longer a step.
    await list.press('ControlOrMeta+z');
    await expect.poll(() => app.main.callsOf('library.rename')).toHaveLength(2);
  });

  test('a transcript in the trash is opened by click, by key and from its menu', async () => {
    const { page } = await openLibrary({
      transcripts: sampleLibrary(2),
      trash: [sampleTranscript({ id: 9, name: 'Deleted talk' })],
    });
    await page.getByRole('button', { name: 'Trash 1' }).press('Enter');
    const trash = page.getByRole('grid', { name: 'Transcripts in the trash' });
    const opened = page.getByRole('heading', { name: 'Deleted talk' });
    const goBack = async (): Promise<void> => {
      await opened.waitFor();
      await page.getByRole('button', { name: 'Back', exact: true }).press('Enter');
    };
    await trash.getByRole('row').last().click();
    await goBack();
    await trash.press('Enter');
    await goBack();
    await trash.press('ContextMenu');
    await page.getByRole('menuitem', { name: 'Open' }).press('Enter');
    await expect.poll(() => opened.isVisible()).toBe(true);
  });

  test('a search opens the matching passage', async () => {
    const { page, list } = await openLibrary();
    await page.getByRole('searchbox').fill('"nets do not know"');
    await page.getByText('1 transcript found').waitFor();
    await expect.poll(() => page.locator('mark').first().textContent()).toBe('nets do not know');
    await list.press('ArrowDown');
    await list.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Interview Mbeki, town hall' }).waitFor();
  });

  test('the matches of the search can be stepped through, back and forth', async () => {
    const { page, list } = await openLibrary();
    await page.getByRole('searchbox').fill('nets');
    await page.locator('mark').first().waitFor();
    await list.press('ArrowDown');
    await list.press('Enter');
    await page
      .getByRole('textbox', { name: /^Segment/ })
      .first()
      .waitFor();
    await page.keyboard.press('F3');
    const field = page.getByRole('textbox', { name: 'Find', exact: true });
    await expect.poll(() => field.inputValue()).toBe('nets');
    const status = page.getByRole('search').getByRole('status');
    await expect.poll(() => status.textContent()).toMatch(/^\d+ of \d+$/);
    const first = await status.textContent();
    await page.keyboard.press('ControlOrMeta+g');
    await expect.poll(() => status.textContent()).not.toBe(first);
    await page.keyboard.press('Shift+F3');
    await expect.poll(() => status.textContent()).toBe(first);
    // From the text as well, and the query is remembered.
    await page.keyboard.press('Escape');
    await page.getByRole('search').waitFor({ state: 'hidden' });
    await page.keyboard.press('F3');
    await expect.poll(() => field.inputValue()).toBe('nets');
  });
});

test('a tag narrows the list and the search, and an empty result says so', async () => {
  const { page } = await openLibrary({ transcripts: sampleLibrary(30), tags: { 2: ['Podcast'] } });
  await page.getByRole('button', { name: 'Podcast 1' }).click();
  await expect.poll(() => page.locator('[data-index]').count()).toBe(1);
  await page.getByRole('searchbox').fill('mbeki');
  await page.getByText('Transcripts tagged “Podcast” were searched.').waitFor();
  await page.getByRole('button', { name: 'Search all transcripts' }).click();
  await page.getByText('1 transcript found').waitFor();
});

test('10,000 transcripts are scrolled to their end', async () => {
  const { page, list } = await openLibrary({ transcripts: sampleLibrary(10_000) });
  await list.press('End');
  await page.locator('[data-index="9999"]').getByRole('button').first().waitFor({ state: 'attached' });
  expect(await page.locator('[data-index]').count()).toBeLessThan(60);
});

test('keys act on the row whose menu was used last', async () => {
  const { page, list } = await openLibrary();
  const rows = list.getByRole('row').filter({ has: page.getByRole('gridcell') });
  await rows.nth(7).click({ modifiers: ['ControlOrMeta'] });
  await rows.nth(7).click({ modifiers: ['ControlOrMeta'] });
  const name = await rows.nth(2).locator('bdi').first().textContent();
  await rows.nth(2).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('dialog').getByRole('textbox').press('Escape');
  await page.keyboard.press('Delete');
  const notice = page.getByText(`“${name}” moved to the trash`).first();
  await expect.poll(() => notice.isVisible()).toBe(true);
});

test('the trash is emptied after a question that names how many transcripts it has', async () => {
  const { page } = await openLibrary({ trash: sampleLibrary(3) });
  await page.getByRole('button', { name: 'Trash 3' }).click();
  await page.getByRole('button', { name: 'Empty trash…' }).click();
  await page.getByRole('dialog', { name: 'Permanently delete 3 transcripts?' }).waitFor();
  await confirmPurge(page);
  await expect.poll(() => app.main.callsOf('library.purge').map(({ ids }) => ids.length)).toEqual([3]);
});
