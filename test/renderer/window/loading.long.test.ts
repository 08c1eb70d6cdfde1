import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { FakeLibrary } from '../../support/window/fake-library.ts';
import { defaultModels } from '../../support/window/default-state.ts';
import { sampleTranscript, segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const transcripts = [
  sampleTranscript({ id: 4, name: 'Harbour', segments: segmentsOf(3) }),
  sampleTranscript({ id: 5, name: 'Lighthouse', segments: segmentsOf(6) }),
];

/** Responses that wait until the test releases them, by name. */
class HeldResponses {
  readonly #release = new Map<string, (() => void)[]>();

  wait(name: string): Promise<void> {
    return new Promise((done) => this.#release.set(name, [...(this.#release.get(name) ?? []), done]));
  }

  count(name: string): number {
    return this.#release.get(name)?.length ?? 0;
  }

  release(name: string): void {
    for (const done of this.#release.get(name) ?? []) done();
    this.#release.delete(name);
  }
}

/** Opens the library, with a main process that is slow to send transcripts. */
async function openLibrary(held: HeldResponses, more: Scene['answers'] = {}): Promise<Page> {
  const page = await app.open({
    transcripts,
    answers: {
      'transcript.get': async ({ id }) => {
        await held.wait(`transcript ${id}`);
        return app.main.edits(id)?.open() ?? null;
      },
      ...more,
    },
  });
  await goToLibrary(page);
  return page;
}

const goToLibrary = (page: Page) => page.locator('nav').getByRole('button', { name: 'Library' }).click();
const row = (page: Page, name: string) => page.getByRole('row', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Waits until this many requests on a subject are unanswered. */
async function waitForRequests(held: HeldResponses, name: string, count = 1): Promise<void> {
  await expect.poll(() => held.count(name)).toBe(count);
}

test('the window opens although a folder with a speech model does not respond', async () => {
  const held = new HeldResponses();
  const page = await app.open({
    settings: { service: null },
    answers: {
      'models.list': async () => {
        await held.wait('models');
        return defaultModels;
      },
    },
  });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText('Whisper base').count()).toBe(0);
  held.release('models');
  await page.getByText('Whisper base').first().waitFor();
});

test('what the main process reports before its first answers is not lost', async () => {
  const page = await app.open({
    answers: {
      'library.counts': async () => {
        await app.push('library.changed', { total: 1, trashed: 0 });
        await app.push('navigate', { to: 'library' });
        await app.push('queue.addedExternally', { added: 1, firstAdded: 'talk.mp3', rejected: [] });
        app.main.settings = { ...app.main.settings, language: 'de' };
        await app.push('settings.changed', app.main.settings);
        return { total: 2, trashed: 0 };
      },
    },
  });
  await page.getByRole('heading', { name: 'Bibliothek' }).waitFor();
  await expect
    .poll(() => page.getByText('„talk.mp3“ zur Warteschlange hinzugefügt').count())
    .toBeGreaterThan(0);
});

test('a transcript that is opened twice quickly is open once', async () => {
  const held = new HeldResponses();
  const page = await openLibrary(held);
  await row(page, 'Harbour').click();
  await waitForRequests(held, 'transcript 4');
  held.release('transcript 4');
  await heading(page, 'Harbour').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: /^Segment/ }).count()).toBe(3);
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
  await page.keyboard.press('Escape');
  await heading(page, 'Library').waitFor();
  expect(app.main.callsOf('transcript.get')).toStrictEqual([{ id: 4 }]);
});

test('a transcript that is opened, closed and opened again while it loads can be edited', async () => {
  const held = new HeldResponses();
  const page = await openLibrary(held);
  await row(page, 'Harbour').click();
  await waitForRequests(held, 'transcript 4');
  await goToLibrary(page);
  await row(page, 'Harbour').click();
  await waitForRequests(held, 'transcript 4', 2);
  held.release('transcript 4');
  const first = page.getByRole('textbox', { name: /^Segment 1,/ });
  await first.focus();
  await page.keyboard.press('Home');
  await page.keyboard.type('So: ');
  await page.getByText(/· saved$/).waitFor();
  await expect.poll(() => app.main.edits(4)?.texts[0]).toMatch(/^So: /);
  expect(await page.getByRole('textbox', { name: /^Segment/ }).count()).toBe(3);
});

test('of two transcripts the one that was opened last is shown, in any order of responses', async () => {
  const held = new HeldResponses();
  const page = await openLibrary(held);
  await row(page, 'Harbour').click();
  await waitForRequests(held, 'transcript 4');
  await goToLibrary(page);
  await row(page, 'Lighthouse').click();
  await waitForRequests(held, 'transcript 5');
  held.release('transcript 5');
  await heading(page, 'Lighthouse').waitFor();
  held.release('transcript 4');
  await page.getByRole('textbox', { name: /^Segment 6,/ }).waitFor();
  expect(await heading(page, 'Harbour').count()).toBe(0);
});

test('a transcript that is closed while it loads stays closed, and loading stops', async () => {
  const held = new HeldResponses();
  const page = await openLibrary(held, {
    'transcript.get': ({ id }) => {
      const sent = app.main.edits(id)?.open();
      return sent === undefined ? null : { ...sent, isComplete: false };
    },
    'transcript.segments': async ({ from }) => {
      await held.wait(`segments from ${from}`);
      return { segments: [], next: from + 1, order: null };
    },
  });
  await row(page, 'Harbour').click();
  await waitForRequests(held, 'segments from 0');
  await heading(page, 'Harbour').waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await heading(page, 'Library').waitFor();
  held.release('segments from 0');
  // The response has arrived by the time of a later one.
  await row(page, 'Lighthouse').click();
  await waitForRequests(held, 'segments from 0');
  expect(held.count('segments from 1')).toBe(0);
  expect(await heading(page, 'Harbour').count()).toBe(0);
});

test.each([
  ['before any of it has arrived', 'transcript.get'],
  ['when half of it has arrived', 'transcript.segments'],
] as const)(
  'a transcript that is deleted %s is reported as gone, and nothing else',
  async (_when, command) => {
    const held = new HeldResponses();
    const page = await openLibrary(held, {
      'transcript.get': async ({ id }) => {
        if (command === 'transcript.get') {
          await held.wait('deleted');
          return null;
        }
        const sent = app.main.edits(id)?.open();
        return sent === undefined ? null : { ...sent, isComplete: false };
      },
      'transcript.segments': async () => {
        await held.wait('deleted');
        throw new ProblemError({ code: 'transcript_gone' });
      },
    });
    await row(page, 'Harbour').click();
    await waitForRequests(held, 'deleted');
    await app.push('library.changed', { total: 1, trashed: 1 });
    held.release('deleted');
    await heading(page, 'This transcript no longer exists.').waitFor();
    // Nor is there a notice about typed letters, of which there are none.
    expect(await page.getByText('This transcript no longer exists').count()).toBe(1);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await heading(page, 'Library').waitFor();
  },
);

/** Opens the library, with a main process that sends two segments of a transcript at once, and all of them later. */
const openWithRest = (rest: () => Promise<void>): Promise<Page> =>
  app.open({
    transcripts,
    answers: {
      'transcript.get': ({ id }) => {
        const sent = app.main.edits(id)?.open();
        return sent === undefined
          ? null
          : { ...sent, segments: sent.segments.slice(0, 2), isComplete: false };
      },
      'transcript.segments': async ({ id, revision }) => {
        await rest();
        const sent = app.main.edits(id)?.open();
        if (sent?.revision !== revision) throw new ProblemError({ code: 'transcript_changed' });
        return { segments: sent.segments, next: null, order: null };
      },
    },
  });
const segmentOf = (page: Page, number: number) => page.getByRole('textbox', { name: `Segment ${number}, ` });

test('text typed in the beginning of a transcript stays when the rest arrives', async () => {
  const rest = Promise.withResolvers<void>();
  const page = await openWithRest(() => rest.promise);
  await goToLibrary(page);
  await row(page, 'Lighthouse').click();
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Home');
  await page.keyboard.type('So: ');
  await expect.poll(() => app.main.callsOf('transcript.segments').length).toBe(1);
  expect(await page.getByRole('textbox', { name: /^Segment/ }).count()).toBe(2);
  rest.resolve();
  await segmentOf(page, 6).waitFor();
  await page.keyboard.type('and then ');
  await page.getByText(/· saved$/).waitFor();
  const typed = /^So: and then /;
  await expect.poll(() => app.main.edits(5)?.texts[0]).toMatch(typed);
  expect(await segmentOf(page, 1).textContent()).toMatch(typed);
});

test('a transcript of which only the beginning can be read is not shown as if it were complete', async () => {
  const rest = Promise.withResolvers<void>();
  let isBroken = true;
  const page = await openWithRest(async () => {
    if (!isBroken) return;
    await rest.promise;
    throw new ProblemError({ code: 'internal', detail: 'broken' });
  });
  await goToLibrary(page);
  await row(page, 'Lighthouse').click();
  await segmentOf(page, 2).waitFor();
  rest.resolve();
  await heading(page, 'This transcript could not be opened.').waitFor();
  expect(await segmentOf(page, 2).count()).toBe(0);
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await segmentOf(page, 6).waitFor();
});

test('a transcript that cannot be read says why, and opens when retried', async () => {
  let isBroken = true;
  const page = await app.open({
    transcripts,
    refusing: (name) => (isBroken && name === 'transcript.get' ? 'internal' : null),
  });
  await goToLibrary(page);
  await row(page, 'Harbour').click();
  await heading(page, 'This transcript could not be opened.').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: /^Segment/ }).count()).toBe(3);
});

test('keys pressed before the rows of the library are loaded act once they are', async () => {
  const held = new HeldResponses();
  const list = new FakeLibrary(transcripts, [], () => undefined).handlers['library.list'];
  const page = await app.open({
    transcripts,
    answers: {
      'library.list': async (listing) => {
        await held.wait('library');
        return list(listing);
      },
    },
  });
  await goToLibrary(page);
  await waitForRequests(held, 'library');
  await page.getByRole('grid').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  held.release('library');
  await expect.poll(() => heading(page, 'Lighthouse').count()).toBe(1);
});
