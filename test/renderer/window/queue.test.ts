import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { pressAtOnce } from '../../support/window/press-at-once.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import {
  everyState,
  manyRows,
  rowsOfEveryState,
  sampleRow,
  seasonQueue,
} from '../../support/window/sample-rows.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const row = (name: string) => app.page.getByRole('row', { name });
const button = (name: string | RegExp) => app.page.getByRole('button', { name });
const selectedNames = () => app.page.locator('[role=row][aria-selected=true] bdi[title]').allTextContents();
const focusedRole = () =>
  app.page.evaluate(() => document.activeElement?.role ?? document.activeElement?.tagName);
const searchField = () => app.page.getByRole('searchbox', { name: 'Search the queue' });
const shownNames = () => app.page.locator('main [role=row] bdi[title]').allTextContents();
const selectionWords = () => app.page.locator('footer [role=status]').textContent();

/** Returns the number of marked entries in the navigation. */
const marks = (page: Page) => page.locator('nav').getByText('needs attention').count();

describe('a queue', () => {
  test('describes every state of a row', async () => {
    const onDevice = [
      sampleRow({ id: 98, name: 'read here.wav', state: everyState['uploading']! }),
      sampleRow({ id: 99, name: 'next here.wav', state: everyState['queued']! }),
    ];
    const atService = rowsOfEveryState.map((one) => ({ ...one, service: cloud }));
    const held = sampleRow({ id: 97, name: 'held.wav', waitReason: 'key', state: everyState['uploading']! });
    const page = await app.open({ rows: [...atService, ...onDevice, held] }, { height: 1600 });
    for (const name of Object.keys(everyState)) await row(`${name}.wav`).waitFor();
    const texts: readonly (readonly [string, string])[] = [
      ['uploading', 'Sent 24 MB of 48 MB11 MB/s'],
      ['read here', 'Reading the recording'],
      ['next here', 'Prepared'],
      ['held', 'Waiting for a valid key'],
      ['blocked', 'Put it back, or locate it.'],
      ['done without words', 'no speech found'],
      ['done', '6,812 words · SRT saved'],
      ['done, but not saved', '6,120 words · SRT not saved'],
      ['in the trash', 'Transcript in the trash · SRT saved'],
      ['deleted', 'Transcript deleted · SRT saved'],
    ];
    for (const [name, words] of texts)
      await expect.poll(() => row(`${name}.wav`).textContent()).toContain(words);
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Transcribing' }).getAttribute('aria-valuenow'))
      .toBe('64');
  });

  test('has a summary in its header', async () => {
    const page = await app.open({
      rows: seasonQueue(cloud),
      settings: { service: cloud },
      service: { balanceCredits: 1240, activeJobs: 48 },
      summary: {
        bytesPerSecond: 11_200_000,
        speed: 43.4,
        timeLeftSeconds: 7980,
        pendingCosts: [{ service: cloud, recordings: 98, credits: 5524, unknownDurations: 0 }],
      },
    });
    const words = async (): Promise<readonly string[]> => {
      const all = await page.locator('header').first().locator('p').allTextContents();
      return all.map((text) => text.replaceAll('\u00a0', ' '));
    };
    await expect
      .poll(words)
      .toEqual([
        '38 of 140 done · about 2 h 13 min left 130 h of audio · 1 of unknown duration · ' +
          '43 × real time · 56 GB to send at 11 MB/s',
        'Needs 5,524 credits ($3.68); the account has 1,240',
      ]);
    await expect
      .poll(() => page.locator('nav').textContent())
      .toContain('1,240 credits20 h 40 min left2 of 50 slots free');
  });

  test('is marked in the navigation while an item needs attention, whatever its service', async () => {
    expect(await marks(await app.open({ rows: seasonQueue(cloud).slice(0, 3) }))).toBe(0);
    const page = await app.open({
      rows: [sampleRow({ id: 1, state: { kind: 'waiting', waitsFor: 'credits', position: null } })],
    });
    await expect.poll(() => marks(page)).toBe(1);
  });

  test('that is empty explains how to fill it', async () => {
    const page = await app.open();
    await page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
    await button('Choose folder…').click();
    await expect.poll(() => app.main.callsOf('queue.pick')).toStrictEqual([{ what: 'folder' }]);
  });

  test('is updated by the main process', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 7, name: 'a.wav' })] });
    await page.getByText('Waiting', { exact: true }).waitFor();
    app.main.changeRows([sampleRow({ id: 7, name: 'a.wav', state: everyState['transcribing']! })]);
    await page.getByText('Transcribing').waitFor();
    await expect.poll(() => button('Pause all').count()).toBe(1);
  });

  test('of 100,000 recordings renders the visible ones and requests those around them', async () => {
    const page = await app.open({ rows: manyRows(100_000) });
    await row('Recording 1.wav').first().waitFor();
    expect(await page.locator('[data-index]').count()).toBeLessThan(40);

    await page.getByRole('grid').press('End');
    await row('Recording 100000.wav').waitFor();
    expect(await page.locator('[data-index]').count()).toBeLessThan(40);
    expect(Math.max(...app.main.callsOf('queue.setViewport').map(({ limit }) => limit))).toBeLessThan(200);
    await expect.poll(() => page.locator('[data-active]').getAttribute('aria-rowindex')).toBe('100001');
  });

  test('in a narrow window, names get the space of hidden actions, which cover the end of the state', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1 })] }, { width: 720 });
    const cells = row('Recording 1').getByRole('gridcell');
    const edges = () =>
      cells.evaluateAll((all) =>
        all.map(
          (cell) =>
            cell.getBoundingClientRect().right - cell.closest('[role=row]')!.getBoundingClientRect().right,
        ),
      );
    const before = await edges();
    // The state, after the name, ends with the row.
    expect(before[1]).toBeGreaterThan(-20);
    await row('Recording 1').hover();
    expect(await edges()).toStrictEqual(before);
    const more = page.getByRole('button', { name: 'More actions' });
    expect(await more.evaluate((shown) => getComputedStyle(shown.parentElement!).opacity)).toBe('1');
    await more.click();
    await page.getByRole('menu').waitFor();
  });

  test('keeps its position while the user is on another screen', async () => {
    const page = await app.open({ rows: manyRows(2000) });
    await page.getByRole('grid').evaluate((list) => list.scrollTo({ top: 52_000 }));
    await row('Recording 1001.wav').waitFor();
    await button('Library').click();
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
    await expect.poll(() => row('Recording 1001.wav').count()).toBe(1);
  });
});

describe('the search', () => {
  const names = ['Harbour 1.wav', 'Harbour 2.wav', 'Council.wav'];
  const rows = names.map((name, index) =>
    sampleRow({ id: index + 1, name, ...(index === 1 && { state: everyState['done']! }) }),
  );

  test('is reached by its shortcut while other screens keep theirs, and leads to what it finds', async () => {
    const page = await app.open(
      { rows, transcripts: [sampleTranscript({ id: 1 })] },
      { width: 720, height: 480 },
    );
    await button('Library').click();
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('left over');
    await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
    await row('Council').waitFor();
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('harb');
    await expect.poll(shownNames).toStrictEqual(['Harbour 1.wav', 'Harbour 2.wav']);
    await page.getByRole('status').getByText('2 recordings found').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(selectedNames).toStrictEqual(['Harbour 1.wav']);
  });

  test('limits what is selected and what can be cleared', async () => {
    const page = await app.open({ rows });
    await searchField().fill('harbour');
    await expect.poll(shownNames).toHaveLength(2);
    await button('All 2').waitFor();
    await button('Done 1').waitFor();
    expect(await button('Clear finished').count()).toBe(0);
    await page.getByRole('grid').press('ControlOrMeta+a');
    await button('Remove').click();
    await expect
      .poll(() => app.main.callsOf('queue.remove'))
      .toStrictEqual([{ all: { filter: 'all', search: 'harbour' }, except: [] }]);
  });

  test('that finds nothing can be widened and cleared', async () => {
    const page = await app.open({ rows });
    await button('Done 1').click();
    await searchField().fill('council');
    await page.getByRole('heading', { name: 'Nothing found for “council”' }).waitFor();
    await button('Search all recordings').click();
    await expect.poll(shownNames).toStrictEqual(['Council.wav']);
    await searchField().fill('x');
    await button('Done 0').waitFor();
    await button('Clear search').click();
    await expect.poll(shownNames).toStrictEqual(names);
  });
});

describe('the selection', () => {
  test('by mouse: one, a range, and separate rows', async () => {
    await app.open({ rows: manyRows(30) });
    await row('Recording 2.wav').click();
    await row('Recording 5.wav').click({ modifiers: ['Shift'] });
    await row('Recording 4.wav').click({ modifiers: ['ControlOrMeta'] });
    await expect.poll(selectedNames).toStrictEqual(['Recording 2.wav', 'Recording 3.wav', 'Recording 5.wav']);
    await expect.poll(selectionWords).toBe('3 selected · 1 h 30 min');
  });

  test('by keyboard only: into the list, along it, and out of it', async () => {
    const page = await app.open({ rows: manyRows(30) });
    const list = page.getByRole('grid');
    await list.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown']) await list.press(key);
    await expect.poll(selectedNames).toStrictEqual(['Recording 2.wav', 'Recording 3.wav', 'Recording 4.wav']);
    await list.press('Space');
    await expect.poll(selectedNames).toStrictEqual(['Recording 2.wav', 'Recording 3.wav']);
    await list.press('Escape');
    await expect.poll(selectedNames).toStrictEqual([]);
  });

  test('of everything reaches beyond the loaded rows', async () => {
    const page = await app.open({ rows: manyRows(3000) });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByText('3,000 selected').waitFor();
    await page.locator('footer').getByRole('button', { name: 'Pause' }).click();
    await expect
      .poll(() => app.main.callsOf('queue.pause'))
      .toStrictEqual([{ all: { filter: 'all', search: '' }, except: [] }]);
  });

  test('of everything except some can be exported and removed, and shows its size', async () => {
    const page = await app.open({ rows: manyRows(3000), transcripts: [sampleTranscript({ id: 1 })] });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await row('Recording 2.wav').click({ modifiers: ['ControlOrMeta'] });
    await page.getByText('2,999 selected').waitFor();
    await page.locator('footer').getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => app.main.callsOf('queue.transcripts'))
      .toStrictEqual([{ all: { filter: 'all', search: '' }, except: [2] }]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('footer').getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove 2,999 recordings from the queue?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await button('All 1').waitFor();
    await expect
      .poll(() => app.main.callsOf('queue.remove'))
      .toStrictEqual([{ all: { filter: 'all', search: '' }, except: [2] }]);
  });

  test('follows its recordings when the queue changes', async () => {
    const rows = manyRows(30);
    const page = await app.open({ rows });
    await row('Recording 3.wav').click();
    app.main.changeRows(rows.slice(1));
    await page.getByText('All 29').waitFor();
    await expect.poll(selectedNames).toStrictEqual(['Recording 3.wav']);
    await page.keyboard.press('ArrowDown');
    await expect.poll(selectedNames).toStrictEqual(['Recording 4.wav']);
  });
});

describe('the actions on a row', () => {
  test('have a named button for the most likely one', async () => {
    await app.open({ rows: rowsOfEveryState });
    await button('Locate…: blocked.wav').click();
    await expect.poll(() => app.main.callsOf('queue.locate')).toStrictEqual([{ id: 14 }]);
  });

  test('Tab moves from the list to the buttons of the active row', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => app.main.callsOf('queue.move'))
      .toStrictEqual([{ ids: [1], to: { kind: 'next' } }]);
  });

  test('the menu opens by mouse and by key, and returns the focus', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await row('paused.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await expect.poll(() => app.main.callsOf('queue.resume')).toStrictEqual([{ ids: [13] }]);

    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Locate the file…' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => app.main.calls.slice(-1))
      .toStrictEqual([{ name: 'queue.locate', input: { id: 14 } }]);
  });

  test('the menu gets the keys that follow at once, and the list those that follow its end', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    for (let round = 0; round < 3; round += 1) {
      const [before] = await selectedNames();
      await pressAtOnce(page, ['Shift+F10', 'Delete', 'Escape', 'ArrowDown']);
      await expect.poll(async () => (await selectedNames())[0]).not.toBe(before);
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    expect(app.main.callsOf('queue.remove')).toStrictEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('removing work in progress asks for confirmation, and Escape keeps it', async () => {
    const page = await app.open({ rows: manyRows(5) });
    await row('Recording 5.wav').click();
    await page.keyboard.press('Delete');
    const question = page.getByRole('dialog', { name: 'Remove “Recording 5.wav” from the queue?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(app.main.callsOf('queue.remove')).toStrictEqual([]);

    await page.keyboard.press('Delete');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('All 4').waitFor();
    await expect.poll(() => app.main.callsOf('queue.remove')).toStrictEqual([{ ids: [5] }]);
  });

  test('finished items are removed without a question', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await row('done.wav').click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('Delete');
    await expect.poll(() => page.getByText(`All ${rowsOfEveryState.length - 1}`).count()).toBe(1);
    await expect.poll(focusedRole).toBe('grid');
  });

  test('the details contain the code and the message of the service', async () => {
    const problem = { code: 'unsupported_file', detail: 'media type not allowed' } as const;
    const page = await app.open({ rows: [sampleRow({ id: 1, state: { kind: 'failed', problem } })] });
    expect(await page.getByText('unsupported_file').count()).toBe(0);
    await row('Recording 1.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recording 1.wav' });
    await expect.poll(() => dialog.textContent()).toContain('unsupported_file');
    await expect.poll(() => dialog.textContent()).toContain('media type not allowed');
    await page.keyboard.press('Escape');
    await expect.poll(focusedRole).toBe('grid');
  });

  test('a finished item opens its transcript with Enter, and Escape returns to its row', async () => {
    const page = await app.open({
      rows: [sampleRow({ id: 1, state: everyState['done']! })],
      transcripts: [sampleTranscript({ id: 1 })],
    });
    await row('Recording 1.wav').click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Interview Mbeki, town hall' }).waitFor();
    await expect.poll(focusedRole).toBe('SECTION');
    await page.keyboard.press('Escape');
    await expect.poll(focusedRole).toBe('grid');
    await expect.poll(selectedNames).toStrictEqual(['Recording 1.wav']);
  });

  test('a click opens what there is to read, as in the library, and selects everything else', async () => {
    const page = await app.open({
      rows: [sampleRow({ id: 1, state: everyState['done']! }), sampleRow({ id: 2 })],
      transcripts: [sampleTranscript({ id: 1 })],
    });
    await row('Recording 2.wav').click();
    await expect.poll(selectedNames).toStrictEqual(['Recording 2.wav']);
    await row('Recording 1.wav').click();
    await page.getByRole('heading', { name: 'Interview Mbeki, town hall' }).waitFor();
  });

  test.each(['en', 'de', 'es'] as const)('the longest one fits on a line in %s', async (language) => {
    await app.open({
      rows: [sampleRow({ id: 1, state: everyState['deleted']! })],
      settings: { language },
    });
    const lines = await row('Recording 1.wav')
      .getByRole('button')
      .first()
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
      });
    expect(lines).toBe(1);
  });

  test('a missing transcript is reported', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1, state: everyState['done']! })] });
    await button('Open: Recording 1.wav').click();
    await page.getByText('This transcript no longer exists.').waitFor();
    await expect.poll(() => app.main.callsOf('transcript.get')).toStrictEqual([{ id: 1 }]);
  });

  test('a refusal is explained', async () => {
    const page = await app.open({ rows: rowsOfEveryState, refused: { 'queue.move': 'internal' } });
    await button('Run next: waiting.wav').click();
    await expect
      .poll(() => page.getByRole('alert').getByText('Something went wrong inside Longhand.').count())
      .toBe(1);
  });
});

test('the footer says what will be saved: as chosen for a batch, or else as in the settings', async () => {
  const settings = { autoExportFormats: ['srt'] } as const;
  const footer = () => app.page.locator('footer').textContent();
  await app.open({ rows: manyRows(3), settings });
  await expect.poll(footer).toContain('After each: save SRT');
  await app.open({ rows: manyRows(3), settings, summary: { autoExportChoice: ['txt', 'docx'] } });
  await expect.poll(footer).toContain('After each: save TXT and DOCX');
  await app.open({ rows: manyRows(3), settings, summary: { autoExportChoice: 'mixed' } });
  await expect.poll(footer).toContain('After each: save what was chosen when it was added');
});
