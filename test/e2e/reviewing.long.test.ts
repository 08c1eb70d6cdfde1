import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseText } from 'media-captions';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { skipAfterFailedStep } from '../support/journey.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';
import { typeInFocus } from '../support/window/view.ts';

/** A transcript of the recording with the errors that services sometimes make. */
const segments = [
  { start: 0, end: 2.2, text: 'And so, my fellow Americans,' },
  { start: 3.2, end: 5.4, text: 'ask knot what your country' },
  { start: 5.4, end: 7.6, text: 'can do for you,' },
  { start: 7.6, end: 7.7, text: 'ask what' },
  { start: 8.2, end: 10.4, text: 'you can do you can do you can do you can do you can do for your cuntry.' },
  { start: 10.4, end: 11, text: 'Subtitles by Jo.' },
];

/** Saves a thousand transcripts, and the one to be found. */
async function fill(folder: string, recording: string): Promise<void> {
  const store = new Store({
    folder,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
  const save = (name: string, pieces: typeof segments, path: string | null): void =>
    void store.transcripts.save({
      itemId: null,
      service: 'test',
      jobId: name,
      name,
      durationSeconds: kennedy.seconds,
      recording: path === null ? null : { path, sizeBytes: 1, fingerprint: null },
      createdAt: Date.UTC(2026, 10, 1),
      transcript: { language: 'en', text: pieces.map(({ text }) => text).join(' '), segments: pieces },
    });
  for (let number = 1; number <= 1000; number += 1) {
    const sentences = [
      `Tape ${number} is about the harbour.`,
      'What is your country like?',
      'Ask me what I do.',
    ];
    save(
      `Tape ${number}`,
      sentences.map((text, index) => ({ start: index * 3, end: index * 3 + 3, text })),
      null,
    );
    if (number === 500) save('Inauguration', segments, recording);
  }
  await store.close();
}

/** Returns the name or the text of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'nothing';
    if (element.role === 'textbox') return element.textContent ?? '';
    return element.getAttribute('aria-label') ?? element.textContent ?? '';
  });

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}

/** Opens the focused list, and chooses its first or last entry. */
async function choose(page: Page, key: 'Home' | 'End', entry: RegExp): Promise<void> {
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('OPTION');
  await page.keyboard.press(key);
  await expect.poll(() => focused(page)).toMatch(entry);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('OPTION');
}

const playhead = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector<HTMLMediaElement>('audio, video')?.currentTime ?? -1);
/** Returns the bytes of audio that the player has decoded: more than none only if it plays. */
const decodedBytes = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const media = document.querySelector('audio, video');
    return Number(media === null ? 0 : Reflect.get(media, 'webkitAudioDecodedByteCount'));
  });

/** Records the texts of the segments that are highlighted during playback, and returns a function that reads them. */
async function recordPlayingSegments(page: Page): Promise<() => Promise<readonly string[]>> {
  const recorded = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const record = (): void => {
      const text = document.querySelector('[aria-current=time] [role=textbox]')?.textContent;
      if (text !== undefined && text !== null) texts.push(text);
    };
    new MutationObserver(record).observe(document.body, { subtree: true, attributes: true, childList: true });
    return texts;
  });
  return () => recorded.jsonValue();
}

interface Cue {
  readonly startTime: number;
  readonly endTime: number;
  readonly text: string;
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000);

/**
 * Returns the rules of broadcasters that subtitles violate, computed without the program's code: two lines of 42
 * characters, 0.833 s to 7 s, 20 characters per second, 83 ms between two. Times are in whole milliseconds.
 */
function violations(cues: readonly Cue[]): readonly string[] {
  return cues.flatMap(({ startTime, endTime, text }, index) => {
    const lines = text.split('\n');
    const duration = milliseconds(endTime) - milliseconds(startTime);
    const next = cues[index + 1];
    const gap = next === undefined ? Infinity : milliseconds(next.startTime) - milliseconds(endTime);
    const broken = {
      lines: lines.length > 2,
      columns: lines.some((line) => Array.from(line).length > 42),
      short: duration < 832,
      long: duration > 7001,
      fast: Array.from(lines.join(' ')).length / (duration / 1000) > 20.05,
      close: gap < 82,
    };
    return Object.entries(broken).flatMap(([rule, isBroken]) => (isBroken ? [`${rule}: ${text}`] : []));
  });
}

const texts = (page: Page): Promise<readonly string[]> =>
  page.getByRole('textbox', { name: /^Segment/ }).allTextContents();
const saved = (page: Page): Promise<void> => page.getByText(/· saved$/).waitFor();

describe('an editor, by keyboard only,', () => {
  skipAfterFailedStep();
  let folder: TemporaryFolder;
  let program: RunningProgram;
  let page: Page;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const recording = join(folder.path, 'speech.mp3');
    await copyFile(kennedy.mp3, recording);
    await fill(join(folder.path, 'data'), recording);
    program = await startProgram(join(folder.path, 'data'));
    ({ page } = program);
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await tabTo(page, /Start/);
    await page.keyboard.press('Enter');
  });

  afterAll(async () => {
    await program.close();
    await folder.remove();
  });

  it('finds a phrase in a thousand transcripts, and opens it at its segment', async () => {
    await tabTo(page, /^Library/);
    await page.keyboard.press('Enter');
    await page
      .getByText(/^1,001 transcripts/)
      .first()
      .waitFor();
    await page.keyboard.press('ControlOrMeta+f');
    await typeInFocus(page, '"what your country"');
    await page.getByText('1 transcript found').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    // Into the text, at the phrase.
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('ask knot what your country');
  });

  it('plays it, and corrects it during playback', async () => {
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => playhead(page), { timeout: 20_000 }).toBeGreaterThan(3.3);
    await expect.poll(() => decodedBytes(page)).toBeGreaterThan(0);
    // The caret is at the phrase that was found.
    await page.keyboard.press('Home');
    for (let letter = 0; letter < 4; letter += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await expect.poll(() => focused(page)).toBe('ask not what your country');
    const played = await recordPlayingSegments(page);
    // Plays it again: a busy computer may have played on.
    await page.keyboard.press('Alt+Enter');
    await expect.poll(played).toContain('ask not what your country');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await expect.poll(() => page.locator('[aria-current=time]').count()).toBe(1);
  });

  it('merges, splits at the caret, and moves a boundary to the playhead', async () => {
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => focused(page)).toBe('ask not what your country can do for you,');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('can do for you,');
    await expect
      .poll(async () => (await texts(page)).slice(1, 3))
      .toStrictEqual(['ask not what your country', 'can do for you,']);
    // To the start and then five seconds forward, however far a busy computer has played.
    await page.keyboard.press('Escape');
    for (let back = 0; back < 3; back += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => playhead(page)).toBe(0);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => playhead(page)).toBe(5);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('ask not what your country');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('can do for you,');
    await page.keyboard.press('Alt+BracketLeft');
    await saved(page);
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => playhead(page)).toBeGreaterThan(5);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('can do for you,');
  });

  it('sets the speaker, adds a note and continues at the caret', async () => {
    await page.keyboard.press('Alt+1');
    await page.getByText('Speaker 1').first().waitFor();
    await page.keyboard.press('Alt+n');
    await typeInFocus(page, 'Check the year');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check the year' }).waitFor();
    await expect.poll(() => focused(page)).toBe('can do for you,');
  });

  it('finds and replaces, and returns to the text', async () => {
    await page.keyboard.press('ControlOrMeta+f');
    await typeInFocus(page, 'cuntry');
    await page.getByText('1 of 1').waitFor();
    await tabTo(page, /^Replace with/);
    await page.keyboard.type('country');
    await page.keyboard.press('Enter');
    await page.locator('search').getByText('1 replaced').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Text of the transcript');
    await expect
      .poll(async () => (await texts(page))[4])
      .toBe('you can do you can do you can do you can do you can do for your country.');
  });

  it('undoes and redoes while reading', async () => {
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(async () => (await texts(page))[4]).toMatch(/cuntry/);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(async () => (await texts(page))[4]).toMatch(/country/);
  });

  it('goes through all findings until none are left', async () => {
    await page.keyboard.press('F8');
    const bar = page.getByRole('group', { name: 'Review' });
    const words = bar.getByRole('status');
    const statuses: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      // The review finishes a moment after an edit.
      await expect.poll(() => bar.getAttribute('aria-busy')).toBe('false');
      const status = (await words.textContent()) ?? '';
      statuses.push(status);
      if (status.startsWith('There is nothing left')) break;
      await expect.poll(() => focused(page)).toBe('Looks right');
      // The fix that is offered is the button before it.
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => words.textContent()).not.toBe(status);
    }
    await saved(page);
    expect(statuses.join(' ')).toMatch(/too short.*Repeated words.*made up/s);
    expect(statuses.at(-1)).toMatch(/^There is nothing left/);
    await expect.poll(() => focused(page)).toBe('Review');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Text of the transcript');
    await expect
      .poll(async () => (await texts(page)).join(' '))
      .toBe(
        'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
      );
  });

  it('exports subtitles that another parser reads and that follow all rules of broadcasters', async () => {
    await tabTo(page, /^Export/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save 2 files' }).waitFor();
    await tabTo(page, /^More options/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Broadcast/);
    const counted = page.getByRole('status').filter({ hasText: 'follow every rule' });
    // The unchanged segments would violate some.
    await counted.getByText(/^Before layout: \d+ of \d+ break/).waitFor();
    await choose(page, 'End', /^None: segments unchanged$/);
    await page.getByText('Each segment is one subtitle').waitFor();
    await tabTo(page, /^Broadcast/);
    await choose(page, 'Home', /^Broadcast$/);
    await counted.getByText(/^After layout: all/).waitFor();
    await tabTo(page, /^Save 2 files/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '2 files saved' }).waitFor();
    const srt = await readFile(join(folder.path, 'Inauguration.srt'), 'utf8');
    const { cues, errors } = await parseText(srt, { type: 'srt' });
    expect(errors).toStrictEqual([]);
    expect(violations(cues)).toStrictEqual([]);
    expect(cues.find(({ text }) => text.includes('can do for you,'))?.startTime).toBe(5);
    expect(
      cues.map(({ text }) => text.replaceAll(/\n|(?:Speaker 1|Unknown speaker): /g, ' ').trim()).join(' '),
    ).toBe(
      'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
    );
  });
});
