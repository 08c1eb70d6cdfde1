import { describe, expect, test } from 'vitest';
import { FakeMain } from '../../support/window/fake-main.ts';
import { seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { manyRows, rowsOfEveryState, sampleRow } from '../../support/window/sample-rows.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

/** Returns the name or the text of the focused element. */
const focused = (): Promise<string> =>
  app.page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return 'nothing';
    const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : [];
    const label = document.getElementById(activeElement.getAttribute('aria-labelledby')?.split(' ')[0] ?? '');
    const words =
      activeElement.getAttribute('aria-label') ??
      label?.textContent ??
      (labels.map((one) => one.textContent).join(' ') || (activeElement.textContent ?? ''));
    return words.trim() || activeElement.tagName;
  });

/** Presses keys one after the other; after each of them an element has the focus. */
async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await app.page.keyboard.press(key);
    await expect.poll(focused, { message: `after ${key}` }).not.toBe('nothing');
  }
}

/** Presses Tab; after the last element of the window comes the window itself, then its first element. */
async function tab(): Promise<string> {
  await app.page.keyboard.press('Tab');
  const focusedName = await focused();
  if (focusedName !== 'nothing') return focusedName;
  await press('Tab');
  await expect
    .poll(() => app.page.evaluate(() => document.activeElement?.closest('nav') !== null))
    .toBe(true);
  return focused();
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  const stops: string[] = [];
  while (stops.length < 80) {
    const focusedName = await tab();
    if (typeof name === 'string' ? focusedName === name : name.test(focusedName)) return;
    stops.push(focusedName);
  }
  throw new Error(`Tab does not lead to ${String(name)}, only to: ${stops.join(' | ')}`);
}

/** Returns everything that Tab reaches, each once, from the current focus on. */
async function tabStops(): Promise<readonly string[]> {
  const stops = new Set<string>();
  for (let focusedName = await tab(); !stops.has(focusedName); focusedName = await tab())
    stops.add(focusedName);
  return [...stops];
}

const announcement = (words: string | RegExp) =>
  app.page.locator('[aria-live=polite], [role=status]').filter({ hasText: words });
const cloud = 'https://api.example.com';

describe('the queue', () => {
  test('can be reached in reading order', async () => {
    await app.open({ rows: rowsOfEveryState });
    expect(await tab()).toBe('Recordings in the queue');
    const stops = await tabStops();
    const parts = [
      'Queue',
      'Library',
      'Settings',
      'Pause all',
      'Add recordings',
      'Show them',
      `All ${rowsOfEveryState.length}`,
      'Sort',
    ];
    const rest = ['Clear finished', 'Recordings in the queue'];
    const indices = [...parts, ...rest].map((part) => stops.findIndex((stop) => stop.startsWith(part)));
    expect(indices).not.toContain(-1);
    expect(indices).toStrictEqual(indices.toSorted((a, b) => a - b));
  });

  test('is where the first key leads after the start, before anything had the focus', async () => {
    const page = await app.open({ rows: manyRows(3) });
    expect(await focused()).toBe('nothing');
    await press('ArrowDown');
    expect(await focused()).toBe('Recordings in the queue');
    await press('ArrowDown', 'ArrowDown');
    await expect
      .poll(() => page.getByRole('grid').locator('[data-active]').getAttribute('data-index'))
      .toBe('1');
    await app.open({});
    await press('Tab');
    expect(await app.page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  test('announces the new positions of rows, and undoes a removal', async () => {
    const rows = manyRows(0).concat(Array.from({ length: 12 }, (_, index) => sampleRow({ id: index + 1 })));
    const page = await app.open({
      rows,
      answers: {
        'queue.move': (target) => {
          const ids = 'ids' in target ? target.ids : [];
          const moved = rows.filter(({ id }) => ids.includes(id));
          const others = app.main.rows.filter(({ id }) => !ids.includes(id));
          app.main.changeRows([...others.slice(0, 2), ...moved, ...others.slice(2)]);
        },
      },
    });
    await page.getByRole('grid').focus();
    await press('ArrowDown', 'ArrowDown', 'Alt+ArrowDown');
    await announcement('Moved to position 3 of 12').waitFor({ state: 'attached' });
    await press('Delete');
    await announcement('1 recording removed').first().waitFor({ state: 'attached' });
    await expect.poll(focused).toBe('Recordings in the queue');
    await press('ControlOrMeta+z');
    await announcement('1 recording restored').waitFor({ state: 'attached' });
    await expect.poll(() => app.main.rows).toHaveLength(12);
  });

  test('shows that it has the focus, and is entered from the search at its first row', async () => {
    const page = await app.open({ rows: manyRows(3) });
    const list = page.getByRole('grid');
    await tabTo(/^Recordings in/);
    expect(await list.evaluate((grid) => getComputedStyle(grid).outlineStyle)).toBe('solid');
    await page.getByRole('searchbox').press('ArrowDown');
    await expect.poll(focused).toBe('Recordings in the queue');
    await expect.poll(() => list.locator('[data-active]').getAttribute('data-index')).toBe('0');
    // The active row shows it instead.
    expect(await list.evaluate((grid) => getComputedStyle(grid).outlineStyle)).not.toBe('solid');
  });

  test('is entered from the search at the first row found, even before that arrives', async () => {
    const rows = manyRows(30);
    const found = Promise.withResolvers<void>();
    const queue = new FakeMain({ rows });
    const page = await app.open({
      rows,
      answers: {
        'queue.setViewport': async (part) => {
          if (part.search !== '') await found.promise;
          return queue.watch(part);
        },
      },
    });
    await page.getByRole('searchbox').fill(rows[20]?.name ?? '');
    await page.getByRole('searchbox').press('ArrowDown');
    await press('Delete');
    found.resolve();
    await announcement('1 recording removed').first().waitFor({ state: 'attached' });
    expect(app.main.rows.map(({ id }) => id)).not.toContain(rows[20]?.id);
  });

  test('gets the focus back from every menu and dialog', async () => {
    const page = await app.open({ rows: manyRows(3) });
    const list = 'Recordings in the queue';
    await page.getByRole('grid').focus();
    await press('ArrowDown');
    for (const item of ['Details…', 'Change options…', null]) {
      await press('Shift+F10');
      const menu = page.getByRole('menu');
      await menu.waitFor();
      if (item !== null) {
        await menu.getByRole('menuitem', { name: item }).press('Enter');
        await page.getByRole('dialog').waitFor();
      }
      await press('Escape');
      await expect.poll(focused, { message: String(item) }).toBe(list);
      // The next one can only open after it is gone.
      await page.getByRole('menu').or(page.getByRole('dialog')).first().waitFor({ state: 'detached' });
    }
    await press('Tab', 'Tab', 'Enter');
    await page.getByRole('menu').waitFor();
    await press('Escape');
    await expect.poll(focused).toBe(list);
  });

  test('keeps the focus when the pressed control disappears', async () => {
    const page = await app.open({
      rows: rowsOfEveryState,
      app: { startProblems: [{ code: 'settings_broken' }] },
    });
    await tabTo('Dismiss');
    await press('Enter');
    await page.getByText('The settings file').waitFor({ state: 'detached' });
    await tabTo('Show them');
    await press('Enter');
    await page.getByRole('button', { name: 'Show them' }).waitFor({ state: 'detached' });
    await expect.poll(focused).not.toBe('nothing');
    await tabTo(/^Recordings in/);
    app.main.changeRows([]);
    await page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
    await expect.poll(focused).not.toBe('nothing');
  });

  test('loses the focus to another screen, and gets it back on return', async () => {
    const page = await app.open({ rows: manyRows(3), transcripts: sampleLibrary(3) });
    await page.getByRole('grid').focus();
    await press('ArrowDown');
    for (const to of ['library', 'settings'] as const) {
      await app.push('navigate', { to });
      await page.getByRole('heading', { name: to, level: 1 }).waitFor();
      await expect.poll(focused).not.toMatch(/^(nothing|Recordings in)/);
    }
    await app.push('navigate', { to: 'queue' });
    await expect.poll(focused).toBe('Recordings in the queue');
  });

  test('passes the focus to the notices in the corner and back', async () => {
    const page = await app.open({
      rows: [
        sampleRow({
          id: 1,
          state: {
            kind: 'done',
            transcript: { kind: 'library', id: 9 },
            wordCount: 3,
            files: { saved: [], failed: [] },
          },
        }),
      ],
    });
    await page.getByRole('grid').focus();
    await press('ArrowDown', 'Delete');
    await page.getByText('1 recording removed').first().waitFor();
    await press('F6');
    await tabTo('Undo');
    await press('Enter');
    await page.getByRole('row', { name: 'Recording 1.wav' }).waitFor();
    await expect.poll(focused).not.toBe('nothing');
  });
});

describe('the add sheet', () => {
  test('is filled in and left by keyboard', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet }, rows: manyRows(3) });
    await expect.poll(focused).toBe('Recordings that were found');
    const stops = await tabStops();
    const parts = [
      'Spoken language',
      'Translate',
      'New',
      'Duplicates',
      'Skipped',
      'Include',
      'Save next to',
      'Add without',
    ];
    const missing = [...parts, 'Close', 'Start'].filter((part) => !stops.some((stop) => stop.includes(part)));
    expect(missing).toStrictEqual([]);
    await tabTo(/^Duplicates/);
    await press('Enter');
    await tabTo('Include all');
    await press('Enter');
    await page.getByRole('button', { name: 'Start 135 recordings' }).waitFor();
    await tabTo('Start 135 recordings');
    await press('Enter');
    await page.getByRole('dialog', { name: 'recordings to add' }).waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Recordings in the queue');
  });
});

describe('the settings', () => {
  const account = { address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 } as const;
  const folder = {
    id: 1,
    name: 'Recorder',
    path: '/home/ann/Recorder',
    service: 'on-device',
    polled: false,
    state: { kind: 'watching' },
    addedCount: 4,
    incompleteCount: 0,
    creditLimit: null,
    postponedCount: 0,
    tooExpensiveCount: 0,
    unmeasuredCount: 0,
    duplicateCount: 0,
  } as const;

  test('are changed by keyboard only, and a removed control passes the focus on', async () => {
    const page = await app.open({ accounts: [account], folders: [folder] });
    await tabTo('Settings');
    await press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();

    await tabTo('Replace key: api.example.com');
    await press('Enter');
    await expect.poll(focused).toBe('API key');
    await tabTo('Cancel');
    await press('Enter');
    await expect.poll(focused).toBe('Replace key: api.example.com');
    await tabTo('Remove key: api.example.com');
    await press('Enter');
    await page.getByText('No key: enter one').waitFor();
    await expect.poll(focused).toBe('Name and limit…: api.example.com');
    await tabTo('Remove: api.example.com');
    await press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('api.example.com').first().waitFor({ state: 'detached' });
    await expect.poll(focused).not.toBe('nothing');

    await tabTo('Remove: Recorder');
    await press('Enter');
    await expect.poll(() => app.main.folders).toStrictEqual([]);
    await expect.poll(focused).not.toBe('nothing');
    await tabTo(/^Save log file/);
  });
});

test('the welcome screen is answered by keyboard only', async () => {
  const page = await app.open({ settings: { service: null } });
  await expect.poll(focused).toBe('On this computer');
  await press('ArrowDown');
  await expect.poll(() => page.getByRole('radio', { name: 'Cloud account' }).isChecked()).toBe(true);
  await tabTo('Address');
  await page.keyboard.type(cloud);
  await tabTo('API key');
  await page.keyboard.type('secret-key');
  await press('Enter');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await expect.poll(focused).not.toBe('nothing');
});

test('the help lists every shortcut and returns the focus', async () => {
  const page = await app.open({ rows: manyRows(3) });
  await page.getByRole('grid').focus();
  await press('ArrowDown', '?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Move the selected rows up or down').waitFor();
  await press('Escape');
  await expect.poll(focused).toBe('Recordings in the queue');
});

test('the queue and the library act on no key with a modifier that its shortcut does not have', async () => {
  const page = await app.open({ rows: manyRows(3), transcripts: sampleLibrary(3) });
  const others = ['Alt+Delete', 'Shift+Delete', 'ControlOrMeta+Alt+Backspace', 'Alt+Enter', 'Alt+F2'];
  const queue = page.getByRole('grid', { name: 'Recordings in the queue' });
  await queue.press('ArrowDown');
  for (const key of [...others, 'ControlOrMeta+Delete', 'ControlOrMeta+Alt+ArrowDown'])
    await queue.press(key);
  await page.getByRole('button', { name: 'Library' }).click();
  const library = page.getByRole('grid', { name: 'Saved transcripts' });
  await library.press('ArrowDown');
  for (const key of [...others, 'ControlOrMeta+Delete', 'Alt+ArrowDown']) await library.press(key);
  // Every key before this one has had its effect, if any.
  await library.press('F2');
  await page.getByRole('dialog', { name: 'Rename transcript' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await library.locator('[data-active]').getAttribute('aria-rowindex')).toBe('2');
  for (const command of ['queue.remove', 'queue.move', 'library.trash'] as const)
    expect(app.main.callsOf(command)).toHaveLength(0);
});

test('an undo, a redo and a search say that there is nothing for them, on every screen', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3) });
  const says = async (key: string, text: string): Promise<void> => {
    await page.keyboard.press(key);
    await expect
      .poll(() => page.getByText(text, { exact: true }).count(), { message: key })
      .toBeGreaterThan(0);
  };
  // An empty queue.
  await says('ControlOrMeta+f', 'Nothing to search here');
  await says('ControlOrMeta+z', 'Nothing to undo');
  await page.getByRole('button', { name: 'Library' }).click();
  await page.getByRole('grid').press('ArrowDown');
  await says('ControlOrMeta+Shift+z', 'Nothing to redo');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox').first().focus();
  await says('ControlOrMeta+z', 'Nothing to undo');
  await says('ControlOrMeta+Shift+z', 'Nothing to redo');
});

test('a search is reached from a list that has become empty, and from a notice', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3), trash: sampleLibrary(1) });
  await page.getByRole('button', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Trash 1' }).click();
  await page.getByRole('grid').press('ArrowDown');
  await page.getByRole('grid').press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).press('Enter');
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  const search = page.getByRole('searchbox');
  const isFocused = () => search.evaluate((field) => field === document.activeElement);
  await page.keyboard.press('ControlOrMeta+f');
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('F6');
  await page.keyboard.press('Tab');
  await expect.poll(isFocused).toBe(false);
  await page.keyboard.press('ControlOrMeta+f');
  await expect.poll(isFocused).toBe(true);
});

test('the menu undoes and redoes what the keys do: a change of the screen, or what was typed in a field', async () => {
  const page = await app.open({ transcripts: sampleLibrary(3) });
  await page.getByRole('button', { name: 'Library' }).click();
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.press('ArrowDown');
  await list.press('Delete');
  await page.getByText('2 transcripts on this computer').waitFor();
  await app.push('editCommand', 'undo');
  await page.getByText('3 transcripts on this computer').waitFor();
  await app.push('editCommand', 'redo');
  await page.getByText('2 transcripts on this computer').waitFor();

  const search = page.getByRole('searchbox');
  await search.fill('mbeki');
  await app.push('editCommand', 'undo');
  await expect.poll(() => search.inputValue()).toBe('');
  await app.push('editCommand', 'redo');
  await expect.poll(() => search.inputValue()).toBe('mbeki');
  expect(app.main.callsOf('library.restore')).toHaveLength(1);
});
