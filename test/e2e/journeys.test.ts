import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseText } from 'media-captions';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/core.ts';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { answerOpenDialog, dropFiles, startProgram, type RunningProgram } from '../support/program.ts';
import { speechlessWave } from '../support/quick-speech.ts';
import { join16k, kennedy, readWav, sampleRate, silence, wavFile } from '../support/speech-audio.ts';

// Two people's whole way through the program. Others: `first-transcript`, `correcting` and `cli`.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let program: RunningProgram;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(async () => {
  await folder.remove();
});

/** How many rows of the queue are done, as its filter says. */
const doneCount = async (page: Page): Promise<number> => {
  const words = await page.getByRole('button', { name: /^Done \d/ }).textContent();
  return Number(words?.replace(/\D/g, ''));
};

const libraryTotal = async (page: Page): Promise<unknown> => {
  const answer = await page.evaluate(() => window.longhand.invoke('library.counts', undefined));
  return answer.ok ? answer.value.total : answer.problem;
};

describe('a journalist with nine interviews on a recorder card', () => {
  const names = Array.from({ length: 9 }, (_, index) => `Interview ${index + 1}.wav`);
  let card: string;

  beforeAll(async () => {
    card = join(folder.path, 'Recorder card');
    await mkdir(card);
    const speech = readWav(kennedy.wav);
    // One is whole, of the others there is the first sentence: each with a pause of its own, so that no two are the same.
    for (const [index, name] of names.entries()) {
      const said = name === 'Interview 4.wav' ? speech : speech.subarray(0, 3.5 * sampleRate);
      await writeFile(join(card, name), wavFile(join16k(silence(index / 10), said)));
    }
    program = await startProgram(join(folder.path, 'journalist'));
  });

  afterAll(() => program.close());

  it('drops the folder; the computer dies; the queue goes on by itself', async () => {
    await program.page.getByRole('button', { name: 'Start' }).click();
    await dropFiles(program.page, [card]);
    const sheet = program.page.getByRole('dialog', { name: '9 recordings to add' });
    await sheet.getByText('nothing leaves this computer').waitFor();
    await sheet.getByText('Fast', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Start 9 recordings' }).click();
    await expect.poll(() => doneCount(program.page), { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
    await program.kill();

    program = await startProgram(join(folder.path, 'journalist'));
    await expect.poll(() => doneCount(program.page), { timeout: 180_000 }).toBe(9);
    expect(await libraryTotal(program.page)).toBe(9);
    // Nobody has asked for files on the card.
    expect((await readdir(card)).toSorted()).toEqual(names);
  });

  it('reads one, and corrects a word everywhere', async () => {
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
    const desk = join(folder.path, 'desk');
    await mkdir(desk);
    await answerOpenDialog(app, desk);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('radio', { name: /^Into a folder/ }).click();
    await page.getByText('in “desk”').waitFor();
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
  /** Seconds of each episode: 59 are one credit, 61 are two. */
  const lengths = [59, 60, 61, 119, 121, 180] as const;
  const credits = 1 + 1 + 2 + 2 + 3 + 3;
  let season: string;
  let service: TestService;

  const jobs = async (): Promise<number> => {
    const answer = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    return ((await answer.json()) as { data: unknown[] }).data.length;
  };

  beforeAll(async () => {
    season = join(folder.path, 'Season 9');
    await mkdir(join(season, 'Extras'), { recursive: true });
    for (const [index, seconds] of lengths.entries())
      await writeFile(join(season, `Episode ${index + 1}.wav`), speechlessWave(seconds));
    await copyFile(join(season, 'Episode 3.wav'), join(season, 'Extras', 'Episode 3, final.wav'));
    await writeFile(join(season, 'Extras', 'Trailer.mp3'), 'This is text.');
    await writeFile(join(season, 'Extras', 'Teaser.wav'), '');
    service = await startOnDevice({ dataFolder: join(folder.path, 'service'), credits: 100 });
    program = await startProgram(join(folder.path, 'podcaster'));
  });

  afterAll(async () => {
    await program.close();
    await service.stop();
  });

  it('enters the account, and drops the season and some links', async () => {
    const { page } = program;
    await page.getByRole('radio', { name: 'Cloud account' }).check();
    await page.getByLabel('Address').fill(service.baseUrl);
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Check and connect' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await dropFiles(page, [season]);
    await page.getByRole('dialog', { name: '6 recordings to add' }).waitFor();
    await program.app.evaluate(({ clipboard }) =>
      clipboard.writeText('https://media.example.org/bonus.mp3\nhttp://media.example.org/old.mp3'),
    );
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => page.getByRole('dialog', { name: '7 recordings to add' }).count()).toBe(1);
  });

  it('sees hours, credits and dollars, doubles and what cannot be read, before anything is sent', async () => {
    const { page } = program;
    const sheet = page.getByRole('dialog', { name: 'recordings to add' });
    const head = sheet.locator('header');
    await head.getByText(`${credits} credits`).waitFor();
    const words = await head.textContent();
    expect(words).toContain('10 min');
    expect(words).toContain('1 of unknown length');
    expect(words).toContain('$0.008');
    await sheet.getByRole('button', { name: 'There already 1' }).click();
    await sheet.getByText('The same as “Episode 3.wav” in this list').waitFor();
    await sheet.getByRole('button', { name: 'Left out 3' }).click();
    for (const [name, reason] of [
      ['Trailer.mp3', 'This is neither audio nor video.'],
      ['Teaser.wav', 'The file is empty.'],
      ['old.mp3', 'https'],
    ] as const)
      await sheet.getByRole('row', { name }).getByText(reason).waitFor();
    expect(await jobs()).toBe(0);
  });

  it('leaves the link out, starts the rest, and finds subtitles next to each episode', async () => {
    const { page } = program;
    await page.getByRole('button', { name: 'New 7' }).click();
    await page.getByRole('checkbox', { name: 'Add bonus.mp3' }).uncheck();
    await page.getByRole('checkbox', { name: 'Save SRT next to each recording' }).check();
    await page.getByRole('button', { name: 'Start 6 recordings' }).click();
    await expect.poll(() => doneCount(page), { timeout: 120_000 }).toBe(6);
    expect(await jobs()).toBe(6);
    const saved = (await readdir(season, { recursive: true })).filter((name) => name.endsWith('.srt'));
    expect(saved.toSorted()).toEqual(lengths.map((_, index) => `Episode ${index + 1}.srt`));
    await page.getByText(`${100 - credits} credits`).waitFor();
  });
});
