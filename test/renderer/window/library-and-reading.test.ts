import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { ExportReport } from '../../../electron/contract/export.ts';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { withRecording } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';
import { sampleLibrary, sampleTranscript, segmentsOf } from '../../support/window/sample-transcripts.ts';

const app = setUpTestWindow();

const pieces = (page: Page) => page.locator('main').getByRole('listitem');

async function openLibrary(scene: Scene) {
  const page = await app.open(scene);
  await page.getByRole('button', { name: 'Library' }).click();
  return page;
}

test('rows whose request failed are requested again when they come on screen again', async () => {
  let fails = false;
  const page = await openLibrary({
    transcripts: sampleLibrary(1204),
    refusing: (name) => (fails && name === 'library.list' ? 'internal' : null),
  });
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await page.locator('[data-index="5"]').waitFor();
  fails = true;
  await list.press('End');
  await page.getByText('Something went wrong').first().waitFor();
  fails = false;
  await list.hover();
  await page.mouse.wheel(0, -1e6);
  await page.locator('[data-index="5"]').waitFor();
  await page.mouse.wheel(0, 1e6);
  const last = page.locator('[data-index="1203"]');
  await expect.poll(() => last.getByText('Episode 52, take 14').count()).toBe(1);
});

test('transcripts of the same name show what tells them apart', async () => {
  const page = await openLibrary({
    transcripts: [
      sampleTranscript({ id: 1, name: 'Memo', createdAt: new Date(2026, 10, 19, 14, 2).getTime() }),
      sampleTranscript({ id: 2, name: 'Memo', createdAt: new Date(2026, 10, 19, 9, 30).getTime() }),
      sampleTranscript({ id: 3, name: 'Talk' }),
    ],
  });
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.getByRole('row', { name: /14:02 · Balanced · edited/ }).waitFor();
  await list.getByRole('row', { name: /09:30 · Balanced/ }).waitFor();
  expect(await list.getByText('Balanced').count()).toBe(2);
});

describe('the library', () => {
  test('that is empty explains what belongs here', async () => {
    const page = await openLibrary({});
    await expect.poll(() => page.getByRole('heading', { name: 'No transcripts yet' }).count()).toBe(1);
  });

  test('loads transcripts as they become visible', async () => {
    const page = await openLibrary({ transcripts: sampleLibrary(1204) });
    await page.getByText('1,204 transcripts on this computer').waitFor();
    expect(await page.locator('[data-index]').count()).toBeLessThan(40);
    const list = page.getByRole('grid', { name: 'Saved transcripts' });
    await list.press('End');
    await page.locator('[data-index="1203"]').getByText('Episode 52, take 14').waitFor();
    expect(app.main.callsOf('library.list').length).toBeLessThan(6);
  });

  test('shows the active row after any key, however high the rows above are, before it can be deleted', async () => {
    const transcripts = Array.from({ length: 383 }, (_, index) =>
      sampleTranscript({
        id: index + 1,
        name: `Talk ${index + 1}`,
        segments: Array.from({ length: 1 + (index % 4) }, (_segment, at) => ({
          start: at,
          end: at + 1,
          text: 'About boats',
        })),
      }),
    );
    const page = await openLibrary({ transcripts });
    const list = page.getByRole('grid', { name: 'Saved transcripts' });
    const isInView = (): Promise<boolean> =>
      list.evaluate((grid) => {
        const row = grid.querySelector('[data-active]')?.getBoundingClientRect();
        const { top, bottom } = grid.getBoundingClientRect();
        return row !== undefined && row.bottom > top && row.top < bottom;
      });
    const active = list.locator('[data-active]');
    await page.getByRole('searchbox').fill('boats');
    await page.getByText('383 transcripts found').waitFor();
    await list.press('ArrowDown');
    await list.press('End');
    await active.getByText('About boats').first().waitFor();
    await expect.poll(() => active.getAttribute('data-index')).toBe('382');
    await expect.poll(isInView).toBe(true);

    await list.hover();
    await page.mouse.wheel(0, -1e6);
    await expect.poll(isInView).toBe(false);
    await list.press('Delete');
    await expect.poll(isInView).toBe(true);
    expect(app.main.callsOf('library.trash')).toEqual([]);
    await list.press('Delete');
    await expect.poll(() => app.main.callsOf('library.trash')).toHaveLength(1);
  });

  test('searches while the user types, highlights matches, and reports when there are none', async () => {
    const page = await openLibrary({ transcripts: sampleLibrary(90) });
    const box = page.getByRole('searchbox');
    await box.fill('harbour');
    await page.getByText('5 transcripts found').waitFor();
    await expect.poll(() => page.locator('mark').first().textContent()).toBe('harbour');
    await box.fill('zeppelin');
    await page.getByText('Nothing found for “zeppelin”').waitFor();
    await box.press('Escape');
    await page.getByText('Interview Mbeki, town hall').first().waitFor();
  });

  test('is updated when a transcript is saved', async () => {
    const page = await openLibrary({});
    await page.getByRole('heading', { name: 'No transcripts yet' }).waitFor();
    await app.push('library.changed', { total: 5, trashed: 0 });
    await expect.poll(() => page.getByText('5 transcripts on this computer').count()).toBe(1);
  });

  test('offers another spelling where it is completely visible, even in a small window', async () => {
    const page = await app.open(
      { transcripts: sampleLibrary(30), settings: { language: 'de' } },
      { width: 640, height: 410 },
    );
    await goTo('Bibliothek')(page);
    await page.getByRole('searchbox').fill('harbour');
    const button = page.getByRole('button', { name: '„harbor“' });
    const visibleShare = (): Promise<number> =>
      button.evaluate(
        (element) =>
          new Promise((resolve) => {
            new IntersectionObserver(([entry]) => resolve(entry?.intersectionRatio ?? 0)).observe(element);
          }),
      );
    await expect.poll(visibleShare).toBe(1);
  });

  test('opens on the transcripts once the last one in the trash was restored elsewhere', async () => {
    const transcripts = sampleLibrary(4);
    const page = await openLibrary({ transcripts: transcripts.slice(1), trash: transcripts.slice(0, 1) });
    await page.getByRole('button', { name: 'Trash 1' }).click();
    await page.getByRole('grid', { name: 'Transcripts in the trash' }).waitFor();
    await page.getByRole('button', { name: 'Trash 1', pressed: true }).click();
    await page.getByRole('button', { name: 'Trash 1', pressed: true }).waitFor();
    await goTo('Queue')(page);
    await app.main.invoke('library.restore', { ids: transcripts.slice(0, 1).map(({ id }) => id) });
    await goTo('Library')(page);
    const list = page.getByRole('grid', { name: 'Saved transcripts' });
    await expect.poll(() => list.getByText(transcripts[0]?.name ?? '', { exact: true }).count()).toBe(1);
  });

  test('opens a transcript by keyboard, and is unchanged on the way back', async () => {
    const page = await openLibrary({ transcripts: sampleLibrary(30) });
    await page.getByRole('searchbox').fill('ferry');
    await page.getByText('1 transcript found').waitFor();
    const list = page.getByRole('grid', { name: 'Saved transcripts' });
    await list.press('ArrowDown');
    await list.press('Enter');
    await page.getByRole('heading', { name: 'Episode 138 – The ferry' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('ferry');
  });
});

test('the navigation leads to the list, at the row of the transcript that was open, with nothing selected', async () => {
  const page = await openLibrary({ transcripts: sampleLibrary(12) });
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  const libraryEntry = page.locator('nav').getByRole('button', { name: 'Library' });
  await list.press('ControlOrMeta+a');
  await page.getByText('12 selected').waitFor();
  await page.getByRole('row', { name: sampleLibrary(2)[1]!.name }).click();
  await page.getByRole('textbox').first().waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await libraryEntry.click();
  await list.waitFor();
  expect(await page.getByText('12 selected').count()).toBe(0);
  expect(await list.getByRole('row', { selected: true }).count()).toBe(0);
  await list.press('Enter');
  await page.getByRole('heading', { name: sampleLibrary(2)[1]!.name }).waitFor();
  await libraryEntry.click();
  await list.waitFor();
});

async function openTranscript(transcript: Transcript, scene: Scene = {}) {
  const page = await openLibrary({ ...scene, transcripts: [transcript] });
  await page.getByRole('row', { name: transcript.name }).click();
  await page.getByRole('heading', { name: transcript.name }).waitFor();
  return page;
}

describe('a transcript', () => {
  test('is text to read, with its times', async () => {
    const page = await openTranscript(sampleTranscript({ id: 4 }));
    await page.getByText('19 November 2026 · 1 h 21 min · English · 11,204 words').waitFor();
    const first = pieces(page).first();
    await expect.poll(() => first.textContent()).toMatch(/^0:00:00This is the nineteenth/);
    const { fontSize, lineHeight } = await first
      .getByRole('textbox')
      .evaluate((text) => ({ ...getComputedStyle(text) }) as unknown as CSSStyleDeclaration);
    expect([fontSize, lineHeight]).toStrictEqual(['17px', '27.2px']);
  });

  test('of 5,000 segments renders only the visible ones, and scrolls to its end by keyboard', async () => {
    const page = await openTranscript(sampleTranscript({ id: 4, segments: segmentsOf(5000) }));
    expect(await pieces(page).count()).toBeLessThan(60);
    await page.getByRole('region', { name: 'Text of the transcript' }).press('End');
    await page.locator('[aria-posinset="5000"]').waitFor();
    expect(await pieces(page).count()).toBeLessThan(60);
  });

  test('without speech says so', async () => {
    const page = await openTranscript(sampleTranscript({ id: 4, segments: [], text: '', wordCount: 0 }));
    await expect
      .poll(() => page.getByRole('heading', { name: 'No speech found in this recording.' }).count())
      .toBe(1);
  });

  test('of a recording that was read in part says so above its text', async () => {
    const shortfall = { readSeconds: 120, statedSeconds: 171 };
    const page = await openTranscript(sampleTranscript({ id: 4 }), {
      ...withRecording,
      drafts: { 4: { shortfall } },
    });
    const main = page.locator('main');
    const sentence = main.getByText('Only 2:00 of 2:51 could be read; parts are damaged or missing.');
    await sentence.waitFor();
    const [banner, text] = await Promise.all([sentence.boundingBox(), pieces(page).first().boundingBox()]);
    expect(banner!.y).toBeLessThan(text!.y);
    // It may go on after the damage, where the player's clock is wrong.
    await main.getByText('Ctrl+Click on a word, or a click on a time, continues exactly there.').waitFor();
  });

  test('is exported with the options of its sheet', async () => {
    const page = await openTranscript(sampleTranscript({ id: 4 }));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Save 2 files' }).click();
    await page.getByRole('heading', { name: '2 files saved' }).waitFor();
    await expect
      .poll(() => app.main.callsOf('export.run'))
      .toMatchObject([{ ids: [4], formats: ['srt', 'txt'] }]);
  });

  test('is exported in the background, and the progress is always there', async () => {
    const { promise, resolve } = Promise.withResolvers<ExportReport>();
    const page = await openTranscript(sampleTranscript({ id: 4 }), {
      answers: { 'export.run': () => promise },
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Save 2 files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exporting…' });
    // Until then, the program may be asking whether files may be replaced.
    await expect.poll(() => app.main.callsOf('export.run')).toHaveLength(1);
    await page.getByRole('button', { name: 'Save 2 files' }).click();
    expect(await dialog.count()).toBe(0);
    await app.push('export.progress', { done: 0, total: 2 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await goTo('Settings')(page);
    const show = page.getByRole('button', { name: 'Show “Exporting…”' });
    await show.waitFor();
    await app.push('export.progress', { done: 1, total: 2 });
    await show.click();
    await dialog.getByText('1 of 2 files').waitFor();
    expect(await show.count()).toBe(0);
    // Another export does not stop this one.
    await page.keyboard.press('Escape');
    await goTo('Library')(page);
    await page.getByRole('row', { name: sampleTranscript({ id: 4 }).name }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByRole('button', { name: 'Stop' }).waitFor();
    await page.keyboard.press('Escape');
    const written = ['Interview.srt'];
    resolve({
      run: 9,
      count: 1,
      written,
      skippedCount: 0,
      skipped: [],
      failed: [],
      withoutHighlights: 0,
      estimated: 0,
      cancelled: false,
    });
    await page.getByText('1 file saved').first().waitFor();
    await page.getByRole('button', { name: 'Show in folder' }).click();
    await expect.poll(() => app.main.callsOf('export.showInFolder')).toEqual([{ run: 9 }]);
    expect(app.main.callsOf('export.run')).toHaveLength(1);
    await expect.poll(() => show.count()).toBe(0);
  });

  test('opens the folder of its recording', async () => {
    const page = await openTranscript(sampleTranscript({ id: 4, itemId: 9 }));
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show recording' }).click();
    await expect.poll(() => app.main.callsOf('queue.showInFolder')).toStrictEqual([{ id: 9 }]);
  });
});

test('the hints in the footer of a transcript are shown completely or not at all', async () => {
  const page = await openLibrary({ transcripts: [sampleTranscript({ id: 1 })] });
  await page.getByRole('row', { name: 'Interview' }).click();
  const hints = page.locator('footer span > span > span');
  await hints.getByText('Enter splits').waitFor();
  const shown = () =>
    hints.evaluateAll((all) => {
      const foot = all[0]?.parentElement?.getBoundingClientRect();
      const there = all.filter((one) => one.getBoundingClientRect().bottom <= (foot?.bottom ?? 0) + 1);
      return { count: there.length, areWhole: there.every((one) => one.scrollWidth <= one.clientWidth) };
    });
  await expect.poll(shown).toEqual({ count: 2, areWhole: true });
  // Without a recording, nothing is said about playing it.
  await expect.poll(() => hints.getByText('Tab plays').count()).toBe(0);
  await page.setViewportSize({ width: 720, height: 480 });
  await expect.poll(shown).toEqual({ count: 2, areWhole: true });
  // What was used is no longer explained.
  await page.getByRole('textbox').first().press('Enter');
  await expect.poll(() => hints.getByText('Enter splits').count()).toBe(0);
  await expect.poll(shown).toEqual({ count: 1, areWhole: true });
  expect(app.main.settings.usedHints).toStrictEqual(['split']);
});

test('the search is explained from the footer of the library', async () => {
  const page = await openLibrary({ transcripts: sampleLibrary(30) });
  await page.getByRole('button', { name: 'Search help' }).press('Enter');
  const help = page.getByRole('dialog', { name: 'Searching the library' });
  await help.getByText('harb*').waitFor();
  await help.getByText('Names of speakers and notes are not searched.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('a transcript without a recording gets one, and a mistake is undone', async () => {
  const page = await openLibrary({ transcripts: [sampleTranscript({ id: 1 })] });
  await page.getByRole('row', { name: 'Interview' }).click();
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.click();
  await page.getByRole('menuitem', { name: 'Choose recording…' }).click();
  await page.getByText('“talk.mp3” is its recording now').waitFor();
  // The sample recording is not there.
  await page.getByText('The recording was not found.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => app.main.callsOf('transcript.undoRecording')).toEqual([{ id: 1 }]);
  await page.getByText('“talk.mp3” is no longer its recording').waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Choose recording…' }).click();
  await page.getByText('The recording was not found.').waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Remove recording' }).click();
  await expect.poll(() => page.getByText('“talk.mp3” is no longer its recording').count()).toBe(2);
  await expect.poll(() => page.getByText('The recording was not found.').count()).toBe(0);
});

const list = () => app.page.getByRole('region', { name: 'Text of the transcript' });
const openRow = (name: string) => app.page.getByRole('row', { name }).click();
const screen = (name: string) => app.page.locator('nav').getByRole('button', { name }).click();
const firstNumber = () =>
  list().evaluate((view) => {
    const { top } = view.getBoundingClientRect();
    const rows = [...view.querySelectorAll('li')];
    return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.getAttribute('aria-posinset');
  });
const scrolled = () => list().evaluate(({ scrollTop }) => scrollTop);

describe('the place where the user was', () => {
  const place = sampleTranscript({
    id: 4,
    name: 'Long talk',
    segments: segmentsOf(400),
    durationSeconds: 4000,
  });
  const notes = sampleTranscript({
    id: 5,
    name: 'Notes',
    segments: [],
    text: Array.from({ length: 400 }, (_, line) => `Line ${line} of the notes.`).join('\n'),
  });

  test('is shown again when a transcript is reopened, even after a restart', async () => {
    const page = await app.open({ transcripts: [place, notes] });
    await screen('Library');
    for (const name of ['Long talk', 'Notes']) {
      await openRow(name);
      await list().hover();
      await page.mouse.wheel(0, 9000);
      await expect.poll(scrolled).toBeGreaterThan(8900);
      const shown = await firstNumber();
      await page.keyboard.press('Escape');
      await openRow(name);
      await list().waitFor();
      await expect.poll(firstNumber).toBe(shown);
      await expect.poll(scrolled).toBeGreaterThan(8900);
      await page.reload();
      await screen('Library');
      await openRow(name);
      await expect.poll(firstNumber).toBe(shown);
      await expect.poll(scrolled).toBeGreaterThan(8900);
      await page.keyboard.press('Escape');
    }
  });

  test('is shown again after another screen or the original', async () => {
    const page = await app.open({ transcripts: [place] });
    await screen('Library');
    await openRow('Long talk');
    await list().hover();
    await page.mouse.wheel(0, 9000);
    await expect.poll(scrolled).toBeGreaterThan(8900);
    const shown = await firstNumber();
    await screen('Queue');
    await list().waitFor({ state: 'detached' });
    await app.push('navigate', { to: 'library' });
    await openRow('Long talk');
    await expect.poll(firstNumber).toBe(shown);
    await page.getByRole('button', { name: 'Original', exact: true }).click();
    await page.getByRole('region', { name: 'Text of the original' }).waitFor();
    await page.getByRole('button', { name: 'Your version' }).click();
    await expect.poll(firstNumber).toBe(shown);
    // Escape leads back from the buttons as well.
    await page.getByRole('button', { name: 'More', exact: true }).press('Escape');
    await page.getByRole('row', { name: 'Long talk' }).waitFor();
  });
});
