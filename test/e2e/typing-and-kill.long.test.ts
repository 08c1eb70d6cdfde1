import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenedDocument } from '../../electron/contract/transcript.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import {
  answerQuestions,
  askedQuestions,
  dropFiles,
  invokeIn,
  startProgram,
  type RunningProgram,
} from '../support/built-program.ts';

const sentences = ['One net.', 'Two nets.', 'Three.'];

let folder: TemporaryFolder;
let data: string;
let id: number;
let program: RunningProgram;

beforeEach(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  const store = new Store({
    folder: data,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
  ({ id } = store.transcripts.save({
    itemId: null,
    service: 'test',
    jobId: 'nets',
    name: 'Nets',
    durationSeconds: 6,
    recording: null,
    createdAt: Date.UTC(2026, 10, 1),
    transcript: {
      language: 'en',
      text: sentences.join(' '),
      segments: sentences.map((text, index) => ({ start: index * 2, end: index * 2 + 2, text })),
    },
  }));
  await store.close();
  program = await startProgram(data);
});

afterEach(async () => {
  await program.close();
  await folder.remove();
});

const second = (page: Page) => page.getByRole('textbox', { name: /^Segment 2,/ });

async function openTranscript(page: Page): Promise<void> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await page.getByRole('row', { name: 'Nets' }).click();
  await second(page).waitFor();
}

/** Returns the text of the second segment as stored by the main process. */
async function storedIn(page: Page): Promise<string> {
  const response = (await invokeIn(page, 'transcript.get', { id })) as { value: OpenedDocument };
  return response.value.segments[1]?.text ?? '';
}

/** Types letter by letter without a pause, until the program is killed. */
class Typist {
  /** The text that was typed and has arrived in the window. */
  text = '';
  /** Pauses between letters that are long enough to end an edit. They are never underestimated. */
  longPauses = 0;
  /** Milliseconds from before the first letter until after the last. */
  milliseconds = 0;

  async type(page: Page, isGone: () => boolean): Promise<void> {
    const startedAt = performance.now();
    let before = startedAt;
    while (!isGone()) {
      const letter = String.fromCharCode('a'.charCodeAt(0) + (this.text.length % 26));
      const from = performance.now();
      await page.keyboard.press(letter);
      const now = performance.now();
      this.text += letter;
      this.milliseconds = now - startedAt;
      if (now - before >= 440) this.longPauses += 1;
      before = from;
      await new Promise((done) => setTimeout(done, 30));
    }
  }
}

it('keeps text typed without a pause when it is killed, as one edit', async () => {
  await program.page.getByRole('button', { name: 'Start', exact: true }).click();
  await openTranscript(program.page);
  await second(program.page).focus();
  await program.page.keyboard.press('End');

  const { page } = program;
  const typist = new Typist();
  let isGone = false;
  const typing = typist
    .type(page, () => isGone)
    .catch((error: unknown) => {
      // The last letter may be in flight when the program is killed.
      if (!isGone) throw error;
    });
  const parts = new Set<string>();
  const readStored = async (): Promise<string> => {
    const text = await storedIn(page);
    if (text !== sentences[1]) parts.add(text);
    return text;
  };
  const often = { timeout: 30_000, interval: 20 };
  await expect.poll(() => readStored().then(() => parts.size), often).toBeGreaterThan(2);
  const storedText = sentences[1] + typist.text;
  await expect.poll(() => readStored().then((text) => text.startsWith(storedText)), often).toBe(true);
  isGone = true;
  await program.kill();
  await typing;

  program = await startProgram(data);
  await openTranscript(program.page);
  const keptText = (await second(program.page).textContent()) ?? '';
  expect(keptText.startsWith(storedText)).toBe(true);
  // The letter in flight may have arrived.
  expect(`${sentences[1]}${typist.text}`.length).toBeGreaterThanOrEqual(keptText.length - 1);
  // An edit ends after a pause, or after three seconds.
  const edits = 1 + typist.longPauses + Math.floor(typist.milliseconds / 2900);
  for (let step = 0; step < edits; step += 1) await program.page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => second(program.page).textContent()).toBe(sentences[1]);
  await expect.poll(() => storedIn(program.page)).toBe(sentences[1]);
});

it('opens a transcript at its reading place after it was killed soon after typing', async () => {
  const segments = Array.from({ length: 400 }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text: `Net ${index + 1}.`,
  }));
  const path = join(folder.path, 'Long.json');
  const name = 'Long';
  const content = { durationSeconds: 800, createdAt: 1, language: 'en', text: '', segments };
  await writeFile(path, JSON.stringify({ format: 'longhand-transcript', version: 1, name, ...content }));
  const last = () => program.page.getByRole('textbox', { name: /^Segment 400,/ });
  const open = async (): Promise<void> => {
    await program.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
    await program.page.getByRole('row', { name }).click();
    await program.page
      .getByRole('textbox', { name: /^Segment / })
      .first()
      .waitFor();
  };
  await program.page.getByRole('button', { name: 'Start', exact: true }).click();
  await program.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await dropFiles(program.page, [path]);
  await program.page.getByRole('row', { name }).waitFor();
  await open();
  await program.page
    .getByRole('textbox', { name: /^Segment / })
    .first()
    .hover();
  await expect
    .poll(async () => {
      await program.page.mouse.wheel(0, 20_000);
      return last().count();
    })
    .toBe(1);
  await last().click();
  await program.page.keyboard.type('!');
  await program.page.getByText(/· saved$/).waitFor();
  // The place is kept within a second; the page's storage would write it after five.
  await sleep(1500);
  await program.kill();

  program = await startProgram(data);
  await open();
  await last().waitFor();
  expect(await last().textContent()).toContain('!');
});

it('asks before it quits with text in a page that does not respond', async () => {
  const { app, page } = program;
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await openTranscript(page);
  await second(page).focus();
  await answerQuestions(app, 'no');
  // The page hangs before it sends what it has just typed, and even before it can respond to the driver.
  await page.evaluate(`document.addEventListener('input', () => setTimeout(() => { for (;;); }))`);
  const typed = page.keyboard.insertText('x').catch(() => undefined);
  await Promise.race([typed, sleep(2000)]);
  await app.evaluate(({ app: running }) => running.quit());
  await expect
    .poll(() => askedQuestions(app), { timeout: 30_000 })
    .toStrictEqual(['They are lost if you quit now. Longhand saves them as soon as it can.']);
  await program.kill();
});
