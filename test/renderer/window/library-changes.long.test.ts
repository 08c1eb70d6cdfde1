import { expect, test } from 'vitest';
import { FakeLibrary } from '../../support/window/fake-library.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { sampleLibrary, sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { typeInFocus } from '../../support/window/view.ts';
import { type Look, setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

async function openLibrary(scene: Scene = { transcripts: sampleLibrary(30) }, look: Look = {}) {
  const page = await app.open(scene, look);
  await page.getByRole('button', { name: 'Library' }).click();
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  return { page, list };
}

test('the last match of a search is removed, and a key brings it back', async () => {
  const { page, list } = await openLibrary();
  const search = page.getByRole('searchbox');
  await search.fill('mbeki');
  await page.getByText('1 transcript found').waitFor();
  await search.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  const empty = page.getByRole('heading', { name: 'Nothing found' });
  await empty.waitFor();
  // The empty list has the focus, not the button that clears the search.
  await expect.poll(() => page.locator('[data-empty-list]:focus').count()).toBe(1);
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText('1 transcript found').waitFor();
  expect(await search.inputValue()).toBe('mbeki');
  await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('the down arrow key leaves the search for its first result, even before that arrives', async () => {
  const first = Promise.withResolvers<void>();
  const library = sampleLibrary(30);
  const listTranscripts = new FakeLibrary(library, [], () => undefined).handlers['library.list'];
  const { page, list } = await openLibrary({
    transcripts: library,
    answers: {
      'library.list': async (listing) => {
        if (listing.query === 'mbeki') await first.promise;
        return listTranscripts(listing);
      },
    },
  });
  await list.press('End');
  await page.getByRole('searchbox').fill('mbeki');
  await page.getByRole('searchbox').press('ArrowDown');
  first.resolve();
  await page.getByText('1 transcript found').waitFor();
  const active = list.locator('[data-active]');
  await expect.poll(() => active.getAttribute('data-index')).toBe('0');
  await expect.poll(() => active.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid');
});

test('another search starts at its first match, and going back returns to where the list was left', async () => {
  const transcripts = Array.from({ length: 200 }, (_, index) =>
    sampleTranscript({
      id: index + 1,
      name: `Talk ${index + 1}`,
      segments: [{ start: 0, end: 5, text: 'About boats' }],
    }),
  );
  const { page, list } = await openLibrary({ transcripts });
  const scrollTop = (): Promise<number> => list.evaluate((element) => element.scrollTop);
  const backFrom = async (name: string): Promise<void> => {
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).press('Enter');
    await list.waitFor();
  };
  await page.getByRole('searchbox').fill('"Talk 190"');
  await list.getByRole('row', { name: 'Talk 190' }).getByText('Talk 190').click();
  await backFrom('Talk 190');
  await page.getByRole('searchbox').fill('boats');
  await page.getByText('200 transcripts found').waitFor();
  await expect.poll(scrollTop).toBe(0);
  await list.press('End');
  await page.keyboard.press('Enter');
  await backFrom('Talk 200');
  await expect.poll(scrollTop).toBeGreaterThan(1000);
});

test('keys act on the selected row wherever the active one is, and name it', async () => {
  const { page, list } = await openLibrary();
  const nameAt = async (index: number): Promise<string> =>
    (await page.locator(`[data-index="${index}"] bdi`).first().textContent()) ?? '';
  await list.press('ArrowDown');
  await list.press('Space');
  const selected = await nameAt(0);
  await list.press('ArrowDown');
  await list.press('ArrowDown');
  await list.press('F2');
  const field = page.getByRole('dialog').getByRole('textbox');
  await expect.poll(() => field.inputValue()).toBe(selected);
  await field.press('Escape');
  await list.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Move to trash' }).waitFor();
  await page.keyboard.press('Escape');
  await list.press('Delete');
  await page.getByText(`“${selected}” moved to the trash`).first().waitFor();
  await list.press('ControlOrMeta+z');
  await expect.poll(() => nameAt(0)).toBe(selected);
  // The same by the menu, whose row is another one.
  await list.press('Home');
  await list.press('Space');
  await list.press('End');
  await list.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter');
  await expect
    .poll(() => app.main.callsOf('library.trash'))
    .toEqual([app.main.callsOf('library.trash')[0], app.main.callsOf('library.trash')[0]]);
});

test('the menu of a selected row says how many transcripts move to the trash, that of another row moves only that', async () => {
  const { page, list } = await openLibrary();
  await list.press('ArrowDown');
  await list.press('Space');
  await list.press('ArrowDown');
  await list.press('Space');
  await page.locator('[data-index="1"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move 2 to trash' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-index="2"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to trash', exact: true }).click();
  await expect.poll(() => app.main.callsOf('library.trash')).toMatchObject([{ ids: [expect.anything()] }]);
});

test('a redo after a permanent deletion says that nothing was moved', async () => {
  let isDeleted = false;
  const { page, list } = await openLibrary({
    transcripts: sampleLibrary(30),
    answers: {
      'library.restore': () => ({ count: 0, name: null }),
      'library.trash': ({ ids }) => ({ count: isDeleted ? 0 : ids.length, name: null }),
    },
  });
  await list.press('ArrowDown');
  await list.press('Delete');
  await page.getByText('Moved to the trash').first().waitFor();
  isDeleted = true;
  await list.press('ControlOrMeta+z');
  await page.getByText('Nothing to restore').first().waitFor();
  await list.press('ControlOrMeta+Shift+z');
  await page.getByText('Nothing was moved: no longer in the library').first().waitFor();
  expect(await page.getByText('Moved to the trash').count()).toBe(0);
});

test('removing, merging and changing tags is reported and undone, by button and by key', async () => {
  const { page, list } = await openLibrary({
    transcripts: sampleLibrary(30),
    tags: { 1: ['Harbour'], 2: ['Port'], 3: ['Port', 'Harbour'], 4: ['Harbour'] },
  });
  const actOnTag = async (name: string, action: string): Promise<void> => {
    await page
      .getByRole('button', { name: `${name} `, exact: false })
      .first()
      .click();
    await page.getByRole('button', { name: `More actions for the tag ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await actOnTag('Harbour', 'Remove tag everywhere');
  await page.getByText('Tag “Harbour” removed from 3 transcripts').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Harbour 3' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('button', { name: 'Harbour 3' }).waitFor();

  await actOnTag('Port', 'Rename tag…');
  await typeInFocus(page, 'Harbour');
  await page.getByText('“Harbour” exists: the two tags become one.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Tag “Port” merged into “Harbour”').waitFor();
  await page.getByRole('button', { name: 'Harbour 4', pressed: true }).waitFor();
  // The list has the focus, where a key undoes it.
  await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Port 2', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Harbour 3' }).waitFor();

  await list.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Tags…' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Harbour' }).click();
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Tag “Harbour” added to 1 transcript').waitFor();
  await page.getByRole('button', { name: 'Harbour 4' }).waitFor();
  await list.press('ControlOrMeta+z');
  await page.getByText('Undone: Tag “Harbour” added to 1 transcript').waitFor();
  await page.getByRole('button', { name: 'Harbour 3' }).waitFor();
});

test('in a small window, the results of a search leave room for its help, and lines start together', async () => {
  const text = 'The boats left. '.repeat(6);
  const plain = sampleTranscript({ id: 1, name: 'Plain', segments: [], text });
  const view = new FakeLibrary([plain], [], () => undefined).handlers['library.list'];
  const { page } = await openLibrary(
    {
      transcripts: [plain],
      // The longest words of the footer.
      answers: {
        'library.list': async (query) => ({ ...(await view(query)), isCapped: true, isIndexing: true }),
      },
    },
    { width: 720, height: 480 },
  );
  await page.getByRole('searchbox').fill('boats');
  const startOf = async (words: string): Promise<number | undefined> =>
    (await page.getByText(words).first().boundingBox())?.x;
  const rest = page.getByText('and 3 more in this transcript');
  await rest.waitFor();
  const restStart = await rest.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().x;
  });
  expect(Math.round(restStart)).toBe(Math.round((await startOf('The boats left')) ?? 0));
  const help = await page.getByRole('button', { name: 'Search help' }).boundingBox();
  expect((help?.x ?? 720) + (help?.width ?? 0)).toBeLessThanOrEqual(720);
});

test('a transcript that leaves the list is not selected any more', async () => {
  const { page, list } = await openLibrary({
    transcripts: sampleLibrary(30),
    tags: { 1: ['Harbour'], 2: ['Harbour'] },
  });
  await page.getByRole('button', { name: 'Harbour 2' }).click();
  await expect.poll(() => list.getByRole('row').count()).toBe(3);
  await list.press('ControlOrMeta+a');
  await page.getByText('2 selected').waitFor();
  await page.evaluate(`fakeInvoke('library.tag', { ids: [1], add: [], remove: ['Harbour'] })`);
  await expect.poll(() => page.getByText('1 selected').count()).toBe(1);
});

test('a search shows what was corrected in one of its hits', async () => {
  let text = 'The harbour is closed.';
  const { page } = await openLibrary({
    transcripts: [sampleTranscript({ id: 1, name: 'Talk', segments: [], text })],
    answers: {
      'library.list': (input) => {
        const now = sampleTranscript({ id: 1, name: 'Talk', segments: [], text });
        return new FakeLibrary([now], [], () => undefined).handlers['library.list'](input);
      },
    },
  });
  await page.getByRole('searchbox').fill('harbour');
  await page.getByText('1 transcript found').waitFor();
  await page.getByRole('row').filter({ hasText: 'Talk' }).click();
  await page.getByRole('heading', { name: 'Talk' }).waitFor();
  text = 'The haven is closed.';
  await page.getByRole('navigation').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  expect(await page.getByText('1 transcript found').count()).toBe(0);
});

test('a search offers similar words, and other spellings of those that it finds', async () => {
  const library = sampleLibrary(30);
  const listTranscripts = new FakeLibrary(library, [], () => undefined).handlers['library.list'];
  const { page } = await openLibrary({
    transcripts: library,
    answers: {
      'library.list': (listing) => ({
        ...listTranscripts(listing),
        similar:
          listing.query === 'mbecki '
            ? [{ query: 'Mbeki ', count: 1 }]
            : [{ query: 'Mbeky ', count: 2 }].filter(() => listing.query === 'Mbeki '),
      }),
    },
  });
  await page.getByRole('searchbox').fill('mbecki ');
  await page.getByRole('button', { name: 'Search for “Mbeki” (1)' }).click();
  await page.getByText('1 transcript found').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('Mbeki ');
  await page.getByRole('button', { name: '2 more with “Mbeky”' }).click();
  expect(await page.getByRole('searchbox').inputValue()).toBe('Mbeky ');
});

test('after everything was selected, a key opens the menu, which does not offer to select it', async () => {
  const { page, list } = await openLibrary();
  await list.press('ControlOrMeta+a');
  await page.getByText('30 selected').waitFor();
  await list.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Move 30 to trash' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Select', exact: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await list.press('Escape');
  await list.press('End');
  await list.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Select', exact: true }).waitFor();
});

test('the arrow keys reach each passage of a search result', async () => {
  const segments = ['The net is dry.', 'Rope.', 'The net is wet.', 'The net is torn.'].map((text, index) => ({
    start: index * 5,
    end: index * 5 + 5,
    text,
  }));
  const { page, list } = await openLibrary({
    transcripts: [sampleTranscript({ id: 1, name: 'Nets', segments })],
  });
  await page.getByRole('searchbox').fill('net ');
  await page.getByText('3 passages').waitFor();
  await list.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const focused = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.textContent ?? undefined);
  await expect.poll(focused).toContain('The net is wet.');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('textbox', { name: /^Segment/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('The net is torn.');
});

test('the message of an import shows and selects what was imported, whatever was listed before', async () => {
  const { page, list } = await openLibrary({
    transcripts: sampleLibrary(30),
    answers: {
      'library.pickImport': () => ['/texts'],
      'library.import': () => ({
        added: [25, 27].map((id) => ({ id, name: `Text ${id}` })),
        guessed: [],
        known: 0,
        trashed: [],
        rejected: [],
        unread: null,
      }),
    },
  });
  await page.getByRole('searchbox').fill('mbeki');
  await page.getByText('1 transcript found').waitFor();
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByText('2 transcripts imported').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('2 selected').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  // The first of them is current, and in view.
  const current = list.locator('[data-active]');
  await expect.poll(() => current.textContent()).toContain(sampleLibrary(30)[24]?.name);
  await expect
    .poll(() => current.evaluate((row) => row.getBoundingClientRect().bottom <= window.innerHeight))
    .toBe(true);
  await list.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Tags…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('mbeki');
  await page.getByText('1 transcript found').waitFor();
  expect(await page.getByText('2 selected').count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Sort' }).inputValue()).toBe('relevance');
  // The message can be used again: what was moved to the trash meanwhile is not selected.
  const showAgain = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Messages' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click();
  };
  await app.main.invoke('library.trash', { ids: [25] });
  for (let time = 0; time < 2; time += 1) {
    await showAgain();
    await page.getByText('1 selected').waitFor();
  }
  // After a change of the library that leaves the selection unchanged.
  for (const name of ['One', 'Two', 'Three']) {
    await list.press('ControlOrMeta+a');
    await page.getByText('29 selected').waitFor();
    await app.main.invoke('library.rename', { id: 27, name });
    await list.getByText(name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('1 selected').waitFor();
  }
});

test('from a transcript that a search found, buttons and keys lead to the others, and back to its row', async () => {
  const transcripts = ['First', 'Second', 'Other', 'Third'].map((name, index) =>
    sampleTranscript({
      id: index + 1,
      name,
      segments: [{ start: 0, end: 5, text: name === 'Other' ? 'Rope.' : `The net of ${name} is wet.` }],
    }),
  );
  const { page, list } = await openLibrary({ transcripts });
  await page.getByRole('searchbox').fill('net ');
  await page.getByText('3 transcripts found').waitFor();
  await list.press('ArrowDown');
  await list.press('Enter');
  await page.getByRole('heading', { name: 'First' }).waitFor();
  await page.getByRole('textbox', { name: /^Segment/ }).waitFor();
  await page.keyboard.press('Alt+F3');
  await page.getByRole('heading', { name: 'Second' }).waitFor();
  await page.keyboard.press('Alt+Shift+F3');
  await page.getByRole('heading', { name: 'First' }).waitFor();
  for (const name of ['Second', 'Third']) {
    await page.getByRole('button', { name: 'Next transcript' }).click();
    await page.getByRole('heading', { name }).waitFor();
  }
  expect(await page.getByRole('button', { name: 'Next transcript' }).count()).toBe(0);
  await page.keyboard.press('Alt+F3');
  await page.getByText('The search of the library found no further transcript').first().waitFor();
  const previous = page.getByRole('button', { name: 'Previous transcript' });
  await previous.click();
  await page.getByRole('heading', { name: 'Second' }).waitFor();
  await previous.click();
  await page.getByRole('heading', { name: 'First' }).waitFor();
  expect(await previous.count()).toBe(0);
  await page.getByRole('button', { name: 'Back', exact: false }).first().click();
  await expect.poll(() => list.locator('[data-active]').textContent()).toContain('First');
});

test('F2 with several selected says why it renames none', async () => {
  const { page, list } = await openLibrary();
  await list.press('ControlOrMeta+a');
  await list.press('F2');
  await page.getByText('Select a single transcript to rename it').first().waitFor();
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0);
});
