import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { fillLibrary } from '../support/library-folder.ts';
import {
  answerOpenDialog,
  answerQuestions,
  askedQuestions,
  startProgram,
  type RunningProgram,
} from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';

const hostile = '<img src=x onerror="document.title=1"> --> <script>document.title=2</script> & \u202eגב';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

const fill = (data: string, recordings: Readonly<Record<string, string>>): Promise<void> =>
  fillLibrary(
    data,
    Object.entries(recordings).map(([name, path]) => ({
      name,
      durationSeconds: kennedy.seconds,
      // Only the fingerprint of a broken one is known, so that another file has to be confirmed.
      recording: { path, sizeBytes: 1, fingerprint: path.includes('broken') ? 'f00d' : null },
      transcript: {
        language: 'en',
        text: hostile,
        segments: [
          { start: 0, end: 5, text: hostile },
          { start: 5, end: 11, text: 'ask what you can do' },
        ],
      },
    })),
  );

/** Video files: their extension and codecs. */
const videos = [
  ['webm', 'libvpx', 'libopus'],
  ['mp4', 'libx264', 'aac'],
] as const;

/** Creates eleven seconds of a test video with speech. */
function makeVideo(path: string, videoCodec: string, audioCodec: string): void {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10:duration=11'];
  const codecs = ['-c:v', videoCodec, '-pix_fmt', 'yuv420p', '-c:a', audioCodec, '-shortest'];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, '-i', kennedy.wav, ...codecs, path]);
}

interface Playing {
  readonly time: number;
  readonly rate: number;
  readonly keepsPitch: boolean;
  readonly width: number;
  readonly shownHeight: number;
}

const playing = (page: Page): Promise<Playing | null> =>
  page.evaluate(() => {
    const element = document.querySelector<HTMLMediaElement>('audio, video');
    if (element === null) return null;
    return {
      time: element.currentTime,
      rate: element.playbackRate,
      keepsPitch: element.preservesPitch,
      width: element instanceof HTMLVideoElement ? element.videoWidth : 0,
      shownHeight: element.getBoundingClientRect().height,
    };
  });

async function open(page: Page, name: string): Promise<void> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await page.getByRole('row', { name }).click();
  await page
    .getByRole('textbox', { name: /^Segment/ })
    .first()
    .waitFor();
}

describe('a recording', () => {
  let folder: TemporaryFolder;
  let program: RunningProgram;
  let page: Page;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    if (hasFfmpeg) for (const [kind, picture, sound] of videos) makeVideo(at(`film.${kind}`), picture, sound);
    await writeFile(at('broken.mp3'), 'This is not audio.');
    await writeFile(at('broken.mp4'), 'This is not a film.');
    await copyFile(kennedy.mp3, at('whole.mp3'));
    await copyFile(kennedy.mp3, at('moving.mp3'));
    await fill(at('data'), {
      'Film in webm': at('film.webm'),
      'Film in mp4': at('film.mp4'),
      Markup: at('whole.mp3'),
      Moving: at('moving.mp3'),
      'Broken sound': at('broken.mp3'),
      'Broken film': at('broken.mp4'),
    });
    program = await startProgram(at('data'));
    ({ page } = program);
  });

  afterAll(async () => {
    await program.close();
    await folder.remove();
  });

  it.skipIf(!hasFfmpeg).each(videos)(
    'with video (%s) shows it, and plays three times as fast at the same pitch',
    async (kind) => {
      await open(page, `Film in ${kind}`);
      await expect.poll(async () => (await playing(page))?.width, { timeout: 20_000 }).toBe(320);
      await expect.poll(async () => (await playing(page))?.shownHeight).toBeGreaterThan(80);
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('>');
      await page.keyboard.press('Space');
      await expect.poll(async () => (await playing(page))?.time, { timeout: 20_000 }).toBeGreaterThan(2);
      expect(await playing(page)).toMatchObject({ rate: 3, keepsPitch: true });
      await page.keyboard.press('Space');
    },
  );

  it.each(['Broken sound', 'Broken film'])('that is broken (%s) plays once it is located', async (name) => {
    await open(page, name);
    await page.getByText('The recording cannot be played here.').waitFor();
    await answerOpenDialog(program.app, join(folder.path, 'whole.mp3'));
    const locate = page.getByRole('button', { name: 'Locate file…' });
    // Its content is not that of the transcript's recording.
    await answerQuestions(program.app, 'no');
    await locate.press('Enter');
    await expect.poll(() => askedQuestions(program.app)).toHaveLength(1);
    await answerQuestions(program.app, 'yes');
    await locate.press('Enter');
    // The message of the previous test may still be there; the newest is first.
    await page.getByText('“whole.mp3” is its recording now').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
    await locate.press('Enter');
    await page.getByRole('button', { name: 'Play', exact: true }).press('Enter');
    await expect.poll(async () => (await playing(page))?.time, { timeout: 20_000 }).toBeGreaterThan(1);
  });

  it('that was moved plays from its new location, and its old waveform is deleted', async () => {
    const old = join(folder.path, 'moving.mp3');
    const hasWaveformOf = async (path: string): Promise<boolean> => {
      const names = await readdir(join(folder.path, 'data', 'waveforms')).catch(() => []);
      // The file name of a waveform is derived from the path of its recording.
      return names.some((name) => name.startsWith(hash('sha256', path).slice(0, 32)));
    };
    await open(page, 'Moving');
    await expect.poll(() => hasWaveformOf(old), { timeout: 30_000 }).toBe(true);
    const present = join(folder.path, 'moved.mp3');
    await rename(old, present);
    await open(page, 'Moving');
    await answerOpenDialog(program.app, present);
    await page.getByRole('button', { name: 'Locate file…' }).press('Enter');
    await expect.poll(() => hasWaveformOf(present), { timeout: 30_000 }).toBe(true);
    await expect.poll(() => hasWaveformOf(old), { timeout: 30_000 }).toBe(false);
  });

  it('has a transcript that is never interpreted as markup', async () => {
    await open(page, 'Markup');
    expect(await page.getByRole('textbox', { name: /^Segment 1/ }).textContent()).toBe(hostile);
    expect(await page.title()).not.toMatch(/[12]/);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});
