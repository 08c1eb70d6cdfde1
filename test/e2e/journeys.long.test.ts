import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseText } from 'media-captions';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import {
  answerOpenDialog,
  answerQuestions,
  askedQuestions,
  copyInOtherProgram,
  dropFiles,
} from '../support/built-program.ts';
import { silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { join16k, kennedy, readWav, sampleRate, silence, wavFile } from '../support/speech/speech-audio.ts';
import { skipAfterFailedStep } from '../support/journey.ts';
import { useProgram } from '../support/use-program.ts';
import { typeInFocus } from '../support/window/view.ts';

// The complete workflows of two users. Others are in `first-transcript` (a newcomer), `reviewing` (an editor),
// `cli` (a producer); `kill-and-resume` kills the program while it uploads.

/** Returns the number of finished rows, as the filter shows it. */
const doneCount = async (page: Page): Promise<number> => {
  const words = await page.getByRole('button', { name: /^Done \d/ }).textContent();
  return Number(words?.replace(/\D/g, ''));
};

const libraryTotal = async (page: Page): Promise<unknown> => {
  const response = await page.evaluate(() => window.longhand.invoke('library.counts', undefined));
  return response.ok ? response.value.total : response.problem;
};

describe('a journalist with nine interviews on a memory card', () => {
  skipAfterFailedStep();
  const program = useProgram('once');
  const names = Array.from({ length: 9 }, (_, index) => `Interview ${index + 1}.wav`);
  const card = (): string => program.path('Recorder card');

  beforeAll(async () => {
    await mkdir(card());
    const speech = readWav(kennedy.wav);
    // One is complete; the others are its first sentence, each with a different pause, so that no two are equal.
    for (const [index, name] of names.entries()) {
      const samples = name === 'Interview 4.wav' ? speech : speech.subarray(0, 3.5 * sampleRate);
      await writeFile(join(card(), name), wavFile(join16k(silence(index / 10), samples)));
    }
  });

  it('drops the folder; the computer crashes; the queue resumes automatically', async () => {
    await program.button('Start').click();
    await dropFiles(program.page, [card()]);
    const sheet = program.page.getByRole('dialog', { name: '9 recordings to add' });
    await sheet.getByText('nothing leaves this computer').waitFor();
    await sheet.getByText('Fast', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Start 9 recordings' }).click();
    await expect.poll(() => doneCount(program.page), { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
    await program.kill();

    await program.start();
    await expect.poll(() => doneCount(program.page), { timeout: 180_000 }).toBe(9);
    expect(await libraryTotal(program.page)).toBe(9);
    // Nobody has requested files on the card.
    expect((await readdir(card())).toSorted()).toEqual(names);
  });

  it('reads a transcript, and corrects a word everywhere', async () => {
    const { page } = program;
    await page.getByRole('button', { name: 'Open: Interview 4.wav' }).click();
    const segments = page.getByRole('textbox', { name: /^Segment/ });
    await segments.first().waitFor();
    await page.keyboard.press('ControlOrMeta+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('country');
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('town');
    await page.getByRole('button', { name: 'Replace all' }).click();
    await page.getByText('2 replaced').first().waitFor();
    await page.getByText(/· saved$/).waitFor();
    const text = (await segments.allTextContents()).join(' ');
    expect(text).not.toContain('country');
    expect(text.match(/town/g)).toHaveLength(2);
  });

  it('corrects the same word in all of them', async () => {
    const { page } = program;
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
    await program.button('More actions for the whole library').click();
    await page.getByRole('menuitem', { name: 'Replace in all transcripts…' }).click();
    await typeInFocus(page, 'Americans');
    await page.getByText('9 matches in 9 transcripts').waitFor();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('Athenians');
    await program.button('Replace 9 matches').click();
    await page.getByText('“Americans” replaced by “Athenians” in 9 transcripts').first().waitFor();
    // The rows of the dialog have the same names, and the change may be done before it has faded out.
    await page.getByRole('dialog', { name: 'Replace in all transcripts' }).waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: 'Interview 4.wav' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('textbox', { name: /^Segment/ })
          .first()
          .textContent(),
      )
      .toContain('Athenians');
  });

  it('copies a quote with its time code', async () => {
    const { app, page } = program;
    await page
      .getByRole('textbox', { name: /^Segment/ })
      .filter({ hasText: 'town' })
      .first()
      .click();
    await page.keyboard.press('ControlOrMeta+Shift+c');
    await page.getByText('Quote copied with its time').first().waitFor();
    const quote = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(quote).toMatch(/^“.*town.*” \(Interview 4\.wav, 0:\d\d\)$/s);
  });

  it('exports what was corrected as text and subtitles', async () => {
    const { app, page } = program;
    const desk = program.path('desk');
    await mkdir(desk);
    await answerOpenDialog(app, desk);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('radio', { name: /^Into a folder/ }).click();
    await page.getByText(desk).waitFor();
    await page.getByRole('button', { name: 'Save 2 files' }).click();
    await page.getByRole('heading', { name: '2 files saved' }).waitFor();
    expect((await readdir(desk)).toSorted()).toEqual(['Interview 4.srt', 'Interview 4.txt']);
    expect(await readFile(join(desk, 'Interview 4.txt'), 'utf8')).toContain('town');
    const { cues, errors } = await parseText(await readFile(join(desk, 'Interview 4.srt'), 'utf8'), {
      type: 'srt',
    });
    expect(errors).toEqual([]);
    expect(cues.map(({ text }) => text).join(' ')).not.toContain('country');
  });
});

describe('a podcaster with a season', () => {
  const program = useProgram('once');
  /** Seconds of each episode: 59 costs one credit, 61 costs two. The first six cost twelve, the others one each. */
  const durations = [59, 60, 61, 119, 121, 180].concat(
    Array.from({ length: 134 }, (_, index) => 0.23 + index / 100),
  );
  const credits = 1 + 1 + 2 + 2 + 3 + 3 + 134;
  const names = durations.map((_, index) => `Episode ${index + 1}`);
  const season = (...names: readonly string[]): string => program.path('Season 9', ...names);
  const engine = new SteppedEngine();
  let service: TestService;

  const jobs = async (): Promise<number> => {
    const response = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    return ((await response.json()) as { data: unknown[] }).data.length;
  };

  beforeAll(async () => {
    await mkdir(season('Extras'), { recursive: true });
    for (const [index, seconds] of durations.entries())
      await writeFile(season(`${names[index]}.wav`), silentWav(seconds));
    for (const number of [3, 77, 140])
      await copyFile(season(`Episode ${number}.wav`), season('Extras', `Episode ${number}, final.wav`));
    await writeFile(season('Extras', 'Trailer.mp3'), 'This is text.');
    await writeFile(season('Extras', 'Teaser.wav'), '');
    await writeFile(season('Extras', 'Artwork.png'), 'No recording by its name.');
    service = await startOnDevice({
      dataFolder: program.path('service'),
      credits: 160,
      engine,
      limits: { pollSeconds: 1 },
    });
  });

  afterAll(() => service.stop());

  it('enters an account, and drops the season and some links', async () => {
    const { app, page } = program;
    await answerQuestions(app, 'yes');
    await page.getByRole('radio', { name: 'Cloud account' }).check();
    await page.getByLabel('Address').fill(service.baseUrl);
    await page.getByLabel('API key').fill(service.key);
    await program.button('Check and connect').click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await dropFiles(page, [season()]);
    await page.getByRole('dialog', { name: '140 recordings to add' }).waitFor();
    await copyInOtherProgram(app, 'https://media.example.org/bonus.mp3\nhttp://media.example.org/old.mp3');
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => page.getByRole('dialog', { name: '141 recordings to add' }).count()).toBe(1);
    // Not about the links: the user has pasted them.
    expect(await askedQuestions(app)).toStrictEqual([service.baseUrl]);
  });

  it('sees hours, credits and dollars, duplicates and unreadable files before anything is sent', async () => {
    const { page } = program;
    const sheet = page.getByRole('dialog', { name: 'recordings to add' });
    const head = sheet.locator('header');
    await head.getByText(`${credits} credits`).waitFor();
    for (const words of ['12 min', '1 of unknown duration', '$0.10', 'credits on the account160'])
      await expect.poll(() => head.textContent()).toContain(words);
    await sheet.getByText('50 can start now; an account runs up to 50 jobs at a time.').waitFor();
    await sheet.getByRole('button', { name: 'Duplicates 3' }).click();
    for (const number of [3, 77, 140])
      await sheet.getByText(`Same as “Episode ${number}.wav” in this list`).waitFor();
    await sheet.getByRole('button', { name: 'Skipped 3' }).click();
    await sheet.getByText('1 file of another type in the folders was ignored').waitFor();
    for (const [name, reason] of [
      ['Trailer.mp3', 'This is neither audio nor video.'],
      ['Teaser.wav', 'The file is empty.'],
      ['old.mp3', 'https'],
    ] as const)
      await sheet.getByRole('row', { name }).getByText(reason).waitFor();
    expect(await jobs()).toBe(0);
  });

  it('removes the link and starts the rest: as many as the account allows, while the others wait', async () => {
    const { page } = program;
    await program.button('New 141').click();
    await page.getByRole('grid', { name: 'Recordings that were found' }).press('End');
    await page.getByRole('checkbox', { name: 'Add bonus.mp3' }).uncheck();
    await program.button('Save next to each recording: no files').click();
    await page.getByRole('menuitemcheckbox', { name: 'Subtitles (SRT)' }).click();
    await page.keyboard.press('Escape');
    await program.button('Start 140 recordings').click();
    await program.button('In progress 50').waitFor({ timeout: 60_000 });
    await program.button('Waiting 90').click();
    await page.getByText('Waiting for a slot').first().waitFor();
    await expect.poll(jobs).toBe(50);
  });

  it('finds subtitles next to each of the 140 episodes', async () => {
    engine.allow(Infinity);
    await program.button('Done 140').waitFor({ timeout: 180_000 });
    await expect
      .poll(async () =>
        (await readdir(season(), { recursive: true })).filter((name) => name.endsWith('.srt')),
      )
      .toHaveLength(140);
    for (const name of names) {
      const { cues, errors } = await parseText(await readFile(season(`${name}.srt`), 'utf8'), {
        type: 'srt',
      });
      expect([name, errors, cues.map(({ text }) => text.replaceAll('\n', ' '))]).toEqual([
        name,
        [],
        ['The quick brown fox jumps over the lazy dog.'],
      ]);
    }
    await program.page.getByText(`${160 - credits} credits`).waitFor();
  });
});
