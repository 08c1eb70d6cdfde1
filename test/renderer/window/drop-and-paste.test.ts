import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { Rejection } from '../../../electron/contract/rejection.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { manyRows } from '../../support/window/sample-rows.ts';
import { goTo, typeInFocus } from '../../support/window/view.ts';

const app = setUpTestWindow();

interface DragContent {
  readonly files?: readonly (readonly [name: string, type: string])[];
  readonly text?: string;
}

/** Drops something on the window, or only drags it over the window. */
async function drag(content: DragContent, ...events: readonly string[]): Promise<void> {
  await app.page.evaluate(
    ([{ files = [], text }, names]) => {
      const dataTransfer = new DataTransfer();
      for (const [name, type] of files) dataTransfer.items.add(new File(['x'], name, { type }));
      if (text !== undefined) dataTransfer.setData('text/plain', text);
      for (const name of names) {
        const init = { bubbles: true, cancelable: true };
        const event =
          name === 'paste'
            ? new ClipboardEvent(name, { ...init, clipboardData: dataTransfer })
            : new DragEvent(name, { ...init, dataTransfer });
        document.body.dispatchEvent(event);
      }
    },
    [content, events] as const,
  );
}

describe('dragging over the window', () => {
  test('shows what would be added, until the drag leaves the window', async () => {
    const page = await app.open();
    const files = [
      ['a.mp3', 'audio/mpeg'],
      ['b.mp3', 'audio/mpeg'],
      ['Season 9', ''],
    ] as const;
    await drag({ files }, 'dragenter');
    await page.getByText('Add 3 files and folders').waitFor();
    await page.getByText('2 audio and 1 folder or other file').waitFor();
    await drag({ files }, 'dragleave');
    await expect.poll(() => page.getByText('Add 3 files and folders').count()).toBe(0);
  });

  test('adds files by their paths when they are dropped, on any screen, stays there, and says that the queue is paused', async () => {
    const page = await app.open({ summary: { paused: true } });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: /^Queue\s*paused/ }).waitFor();
    await drag({ files: [['Season 9', '']] }, 'dragenter', 'drop');
    await page.getByText('“Season 9” added to the queue').first().waitFor();
    await page.getByText('The queue is paused, so nothing starts').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Settings' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show queue' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await expect
      .poll(() => app.main.callsOf('queue.add'))
      .toStrictEqual([{ paths: ['/recordings/Season 9'], links: [] }]);
  });

  test('offers to restore a backup of the library, even on the first screen', async () => {
    const contents = {
      name: 'Library.longhand',
      createdAt: Date.UTC(2026, 1, 3),
      total: 2,
      missing: 2,
      known: 0,
      trashed: 0,
      differing: 0,
    };
    const answers = { 'backup.open': () => contents };
    const files = [
      ['Library.LONGHAND', ''],
      ['a.mp3', 'audio/mpeg'],
    ] as const;
    for (const settings of [{}, { service: null }]) {
      const page = await app.open({ answers, settings });
      await drag({ files }, 'dragenter', 'drop');
      await page.getByRole('button', { name: 'Add 2 transcripts' }).click();
      await expect
        .poll(() => app.main.callsOf('backup.open'))
        .toMatchObject([{ path: '/recordings/Library.LONGHAND' }]);
      await expect.poll(() => app.main.callsOf('backup.restore')).toHaveLength(1);
      await expect
        .poll(() => app.main.callsOf('queue.add'))
        .toMatchObject([{ paths: ['/recordings/a.mp3'] }]);
    }
  });

  test('adds links', async () => {
    const page = await app.open();
    await drag({ text: 'https://a.example/1.mp3\nhttps://a.example/2.mp3' }, 'dragenter', 'drop');
    await page.getByText('2 recordings added').first().waitFor();
    await expect.poll(() => app.main.callsOf('queue.add')[0]?.links).toHaveLength(2);
  });
});

describe('pasting', () => {
  test('adds links', async () => {
    await app.open();
    await drag({ text: 'https://a.example/1.mp3' }, 'paste');
    await expect
      .poll(() => app.main.callsOf('queue.add'))
      .toStrictEqual([{ paths: [], links: ['https://a.example/1.mp3'] }]);
  });

  test('ignores a text without a link', async () => {
    const page = await app.open();
    await drag({ text: 'Dear Anna, thank you for the bread.' }, 'paste');
    await page.getByText('No link found in this text').first().waitFor();
    expect(app.main.callsOf('queue.add')).toStrictEqual([]);
  });

  test('into a field is left to the field', async () => {
    const page = await app.open();
    await page.getByRole('button', { name: 'Enter links…' }).click();
    const prevented = await page.getByRole('textbox').evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://a.example/1.mp3');
      return !field.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
      );
    });
    expect(prevented).toBe(false);
    expect(app.main.callsOf('queue.add')).toStrictEqual([]);
  });
});

test('links are entered one per line', async () => {
  const page = await app.open();
  await page.getByRole('button', { name: 'Enter links…' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await typeInFocus(page, 'https://a.example/1.mp3\n\nhttps://a.example/2.mp3\n');
  await page.getByRole('button', { name: 'Add 2 links' }).click();
  await expect.poll(() => app.main.callsOf('queue.add')[0]?.links).toHaveLength(2);
});

test('a text that is not a link is rejected in the dialog, which stays open', async () => {
  const page = await app.open();
  await page.getByRole('button', { name: 'Enter links…' }).click();
  await typeInFocus(page, 'https://a.example/1.mp3\nhttp://hello');
  await page.getByRole('button', { name: 'Add 2 links' }).click();
  const error = page.getByRole('alert').filter({ hasText: '“http://hello” cannot be used' });
  await error.waitFor();
  expect(app.main.callsOf('queue.add')).toStrictEqual([]);
  for (let letter = 0; letter < 'http://hello'.length; letter += 1) await page.keyboard.press('Backspace');
  await error.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add 1 link' }).click();
  await expect.poll(() => app.main.callsOf('queue.add')[0]?.links).toHaveLength(1);
});

test('typed links are kept if the user does not let them be fetched', async () => {
  const page = await app.open({
    answers: {
      'queue.add': () => {
        throw new ProblemError({ code: 'not_allowed' });
      },
    },
  });
  await page.getByRole('button', { name: 'Enter links…' }).click();
  await typeInFocus(page, 'https://a.example/1.mp3');
  await page.getByRole('button', { name: 'Add 1 link' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Enter links…' }).click();
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('https://a.example/1.mp3');
  // The user knows that they said no.
  expect(await page.getByText('You did not allow this').count()).toBe(0);
});

/** A scene whose main process rejects some of the chosen files. */
const report = (rejected: readonly Rejection[], added = 12) => ({
  answers: { 'queue.pick': () => ({ added, firstAdded: null, rejected }) },
});
const pick = async (): Promise<void> => {
  await app.page.getByRole('button', { name: 'Add recordings' }).click();
  await app.page.getByRole('menuitem', { name: 'Files…' }).click();
};

describe('the report', () => {
  test('lists rejections below their reasons', async () => {
    const page = await app.open({
      rows: manyRows(3),
      ...report([
        { name: 'notes.mp3', problem: { code: 'not_media' } },
        { name: 'Archive', problem: { code: 'folder_without_media' } },
        { name: 'Texts', problem: { code: 'folder_without_media' } },
      ]),
    });
    await pick();
    await page.getByText('12 recordings added').first().waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: '3 were skipped' });
    // Above the names, whether one file has it or several.
    await expect
      .poll(() => dialog.textContent())
      .toMatch(/neither audio nor video\..*notes\.mp3.*\.ArchiveTexts/u);
    expect(await dialog.textContent()).toContain('Everything else was added.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('does not say that anything was added when nothing was', async () => {
    const rejected = [{ name: 'notes.mp3', problem: { code: 'not_media' } as const }];
    const page = await app.open({ rows: manyRows(3), ...report(rejected, 0) });
    await pick();
    await page.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: '1 was skipped' });
    await expect.poll(() => dialog.textContent()).toContain('notes.mp3');
    expect(await dialog.textContent()).not.toContain('Everything else');
  });

  test('of an import lists the files whose encoding was guessed', async () => {
    const page = await app.open({
      answers: {
        'library.pickImport': () => ['/texts/talk.srt'],
        'library.import': () => ({
          added: [{ id: 7, name: 'talk' }],
          known: 0,
          trashed: [],
          guessed: ['talk.srt'],
          rejected: [],
          unread: null,
        }),
      },
    });
    await goTo('Library')(page);
    await page.getByRole('button', { name: 'Import…' }).first().click();
    await page.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Encoding guessed for 1 file' });
    await expect
      .poll(() => dialog.textContent())
      .toMatch(/The encoding of this file was guessed\..*talk\.srt/u);
  });

  test('of thousands renders only the visible ones', async () => {
    const rejected = Array.from({ length: 9000 }, (_, index) => ({
      name: `${index}.txt`,
      problem: { code: 'not_media' } as const,
    }));
    const page = await app.open({ rows: manyRows(3), ...report(rejected) });
    await pick();
    await page.getByRole('button', { name: 'Details' }).click();
    const rendered = page.getByRole('dialog', { name: '9,000 were skipped' }).getByRole('listitem');
    await rendered.first().waitFor();
    expect(await rendered.count()).toBeLessThan(30);
  });

  test('offers to add what the add sheet only excludes', async () => {
    const rejected = [
      { name: 'talk.mp3', problem: { code: 'already_transcribed', params: { context: 'trash' } } as const },
      { name: 'cut.mp3', problem: { code: 'probably_unusable', params: { context: 'damaged' } } as const },
    ];
    const page = await app.open({
      rows: manyRows(3),
      answers: { 'queue.pick': () => ({ added: 0, firstAdded: null, rejected, excluded: 2 }) },
    });
    await pick();
    await page.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: '2 were skipped' });
    await expect.poll(() => dialog.textContent()).toMatch(/The file may be damaged.*cut\.mp3/u);
    await dialog.getByRole('button', { name: 'Add anyway…' }).click();
    await expect.poll(() => app.main.callsOf('addSheet.showExcluded').length).toBe(1);
    await pick();
    await page.getByRole('button', { name: 'Add anyway…' }).click();
    await expect.poll(() => app.main.callsOf('addSheet.showExcluded').length).toBe(2);
  });

  test('is also shown when recordings were added from outside the window', async () => {
    const page = await app.open();
    await app.push('queue.addedExternally', { added: 1, firstAdded: 'talk.mp3', rejected: [] });
    await expect.poll(() => page.getByText('“talk.mp3” added').first().count()).toBe(1);
  });
});
