import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { EditOperation } from '../../../electron/contract/transcript.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const replaceNets: EditOperation = {
  kind: 'replace',
  query: { text: 'net', matchCase: false, wholeWords: false },
  replacement: 'lobster trap',
};

/** Opens a transcript; its edits reach the main process when the test delivers them. */
async function open(times: 'with times' | 'without times') {
  const sentences = ['One net.', 'Two nets and a boat.', 'Three nets.'];
  const segments = sentences.map((text, index) => ({ start: index * 2, end: index * 2 + 2, text }));
  const { promise: delivery, resolve: deliver } = Promise.withResolvers<void>();
  const answers: Scene['answers'] = {
    'transcript.edit': async ({ id, ...made }) => {
      await delivery;
      const edits = app.main.edits(id);
      if (edits === null) throw new Error('there is one');
      return edits.edit(made);
    },
  };
  const page = await openTranscript(
    app,
    { durationSeconds: 6, text: sentences.join(' '), segments: times === 'with times' ? segments : [] },
    { answers },
  );
  return { page, deliver };
}

/** Replaces in all transcripts while the first letters are in flight, and continues typing. */
async function typeMeanwhile(page: Page, deliver: () => void): Promise<void> {
  const notice = page.getByText('This transcript was changed elsewhere. What you typed is kept.').first();
  await page.keyboard.type('rowing ');
  await expect.poll(() => app.main.callsOf('transcript.edit').length).toBeGreaterThan(0);
  app.main.edits(4)?.editElsewhere(replaceNets);
  await page.keyboard.type('and ');
  const continueTyping = async (): Promise<void> => {
    await app.push('transcripts.changed', [4]);
    await page.keyboard.type('sailing ');
    deliver();
  };
  await Promise.all([notice.waitFor(), continueTyping()]);
  await page.getByText(/· saved$/).waitFor();
}

const stored = () => app.main.edits(4)?.texts;

/** Undoes until a text is shown: what was typed may have become several edits. */
async function undoUntil(page: Page, wanted: string, shown: () => Promise<string>): Promise<void> {
  for (let text = await shown(); text !== wanted; text = await shown()) {
    // The replacement is undone only after what was typed on top of it.
    expect(text).toContain('lobster trap');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(shown).not.toBe(text);
  }
}

test('letters typed during a replacement elsewhere stay on top of it, and so does the caret', async () => {
  const { page, deliver } = await open('with times');
  const text = page.getByRole('textbox', { name: /^Segment 2,/ });
  const before = () =>
    page.evaluate(() => {
      const selection = getSelection();
      return selection?.focusNode?.textContent?.slice(0, selection.focusOffset);
    });
  await text.focus();
  await page.keyboard.press('End');
  for (let letter = 0; letter < 'boat.'.length; letter += 1) await page.keyboard.press('ArrowLeft');
  await expect.poll(before).toBe('Two nets and a ');

  await typeMeanwhile(page, deliver);
  const mergedText = 'Two lobster traps and a rowing and sailing boat.';
  await expect.poll(() => text.textContent()).toBe(mergedText);
  await expect.poll(before).toBe('Two lobster traps and a rowing and sailing ');
  await expect.poll(stored).toStrictEqual(['One lobster trap.', mergedText, 'Three lobster traps.']);

  await undoUntil(page, 'Two lobster traps and a boat.', async () => (await text.textContent()) ?? '');
  await expect
    .poll(stored)
    .toStrictEqual(['One lobster trap.', 'Two lobster traps and a boat.', 'Three lobster traps.']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(stored).toStrictEqual(['One net.', 'Two nets and a boat.', 'Three nets.']);
  await expect.poll(() => text.textContent()).toBe('Two nets and a boat.');
});

test('letters in a text without times stay as well, and so does the caret', async () => {
  const { page, deliver } = await open('without times');
  const text = page.getByRole('textbox', { name: 'Text of the transcript' });
  const before = () =>
    text.evaluate((field: HTMLTextAreaElement) => field.value.slice(0, field.selectionEnd));
  const initial = await text.inputValue();
  await text.evaluate((field: HTMLTextAreaElement) => {
    const at = field.value.indexOf('boat');
    field.focus();
    field.setSelectionRange(at, at);
  });
  await typeMeanwhile(page, deliver);
  const replaced = initial.replaceAll('net', 'lobster trap');
  const mergedText = replaced.replace('boat', 'rowing and sailing boat');
  await expect.poll(() => text.inputValue()).toBe(mergedText);
  await expect.poll(before).toBe(mergedText.slice(0, mergedText.indexOf('boat')));
  await expect.poll(() => app.main.edits(4)?.text).toBe(mergedText);

  await undoUntil(page, replaced, () => text.inputValue());
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.main.edits(4)?.text).toBe(initial);
  await expect.poll(() => text.inputValue()).toBe(initial);
});

test('a segment that is deleted elsewhere while it is typed in is restored, with the caret in it', async () => {
  const { page, deliver } = await open('with times');
  const text = page.getByRole('textbox', { name: /^Segment 2,/ });
  await text.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' They');
  await expect.poll(() => app.main.callsOf('transcript.edit').length).toBeGreaterThan(0);
  app.main.edits(4)?.editElsewhere({ kind: 'delete', segments: [1] });
  await app.push('transcripts.changed', [4]);
  deliver();
  await page.getByText('The segment you were typing in was deleted elsewhere.').first().waitFor();
  await expect.poll(() => text.textContent()).toBe('Two nets and a boat. They');
  await expect.poll(() => text.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(' sank.');
  await page.getByText(/· saved$/).waitFor();
  await expect.poll(stored).toStrictEqual(['One net.', 'Two nets and a boat. They sank.', 'Three nets.']);
});

/** Opens a transcript that is deleted elsewhere when the test says so. */
async function openBeforeDeletion() {
  let location: 'here' | 'trashed' | 'gone' = 'here';
  const edits = () => {
    const known = app.main.edits(4);
    if (known === null || location === 'gone') throw new ProblemError({ code: 'transcript_gone' });
    return known;
  };
  const answers: Scene['answers'] = {
    'transcript.get': () =>
      location === 'gone' ? null : { ...edits().open(), trashed: location === 'trashed' },
    'transcript.edit': ({ revision, operation, continues = false }) =>
      edits().edit({ revision, operation, continues }),
    'library.restore': ({ ids }) => {
      location = 'here';
      app.main.onEvent('transcripts.changed', ids);
      return { count: ids.length, name: 'Talk' };
    },
  };
  const segments = ['One net.', 'Two nets.'].map((text, at) => ({ start: at * 2, end: at * 2 + 2, text }));
  const page = await openTranscript(app, { durationSeconds: 4, segments }, { answers });
  const text = page.getByRole('textbox', { name: /^Segment 2,/ });
  await text.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' They');
  return {
    page,
    text,
    moveTo: async (target: typeof location) => {
      location = target;
      await app.push('transcripts.changed', [4]);
    },
  };
}

test('a transcript moved to the trash while it is typed in keeps the text, and can be restored', async () => {
  const { page, text, moveTo } = await openBeforeDeletion();
  await moveTo('trashed');
  const notice = page.getByText('This transcript is in the trash.');
  await notice.waitFor();
  await page.keyboard.type(' sank.');
  await page.getByRole('button', { name: 'Restore' }).click();
  await notice.waitFor({ state: 'hidden' });
  await page.getByText('“Talk” restored to the library').first().waitFor();
  await page.getByText(/· saved$/).waitFor();
  await expect.poll(stored).toStrictEqual(['One net.', 'Two nets. They sank.']);
  await expect.poll(() => text.textContent()).toBe('Two nets. They sank.');
  // Keys still work where the button was; the first undo is that of the restore.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.main.callsOf('library.trash')).toStrictEqual([{ ids: [4] }]);
});

test('a transcript that is permanently deleted while it is typed in can be copied with the typed text', async () => {
  const { page, moveTo } = await openBeforeDeletion();
  await moveTo('gone');
  const notice = page.getByText('This transcript was permanently deleted.');
  await notice.waitFor();
  await page.keyboard.type(' sank.');
  await page.getByRole('button', { name: 'Copy text' }).click();
  await page.getByText('Text copied').first().waitFor();
  await expect
    .poll(() => app.main.callsOf('transcript.copy'))
    .toStrictEqual([{ text: 'One net. Two nets. They sank.' }]);
  await notice.waitFor();
  await page.getByText(/· not saved$/).waitFor();
});

test('Replace does not discard what was typed while the transcript is fetched', async () => {
  const { promise: delivery, resolve: deliver } = Promise.withResolvers<void>();
  let isHeld = false;
  const answers: Scene['answers'] = {
    'transcript.get': async ({ id }) => {
      if (isHeld) await delivery;
      return app.main.edits(id)?.open() ?? null;
    },
  };
  const segments = ['One net.', 'Two nets.'].map((text, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text,
  }));
  const page = await openTranscript(app, { durationSeconds: 4, segments }, { answers });
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('nets');
  await page.getByText('1 of 1').waitFor();
  await page.getByLabel('Replace with').fill('traps');
  isHeld = true;
  const before = app.main.callsOf('transcript.get').length;
  await app.push('transcripts.changed', [4]);
  await expect.poll(() => app.main.callsOf('transcript.get').length).toBeGreaterThan(before);
  await segmentOf(page, 2).press('End');
  await page.keyboard.type(' A boat.');
  const replace = page.getByRole('button', { name: 'Replace', exact: true });
  await replace.press('Enter');
  deliver();
  await expect.poll(stored).toStrictEqual(['One net.', 'Two nets. A boat.']);
  await replace.press('Enter');
  await expect.poll(stored).toStrictEqual(['One net.', 'Two traps. A boat.']);
});
