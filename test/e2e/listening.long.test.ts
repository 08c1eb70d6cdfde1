import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFile, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintFile } from '../../electron/core/library/recordings.ts';
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

/** @param known the names of the recordings whose fingerprint is known, so that another file has to be confirmed */
const fill = async (
  data: string,
  recordings: Readonly<Record<string, string>>,
  known: readonly string[],
): Promise<void> => {
  const fingerprints = new Map<string, string | null>();
  for (const name of known) {
    const path = recordings[name] ?? '';
    const file = await fingerprintFile(path, new Set([(await stat(path)).size]));
    fingerprints.set(name, file?.fingerprint ?? null);
  }
  await fillLibrary(
    data,
    Object.entries(recordings).map(([name, path]) => ({
      name,
      durationSeconds: kennedy.seconds,
      recording: { path, sizeBytes: 1, fingerprint: fingerprints.get(name) ?? null },
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
};

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

/** Creates eleven seconds of speech of which those from 4 to 7 s are zeros. */
async function makeDamaged(path: string): Promise<void> {
  execFileSync('ffmpeg', ['-v', 'error', '-i', kennedy.wav, '-c:a', 'aac', '-b:a', '64k', path]);
  const bytes = await readFile(path);
  const start = bytes.indexOf('mdat');
  const length = bytes.readUInt32BE(start - 4);
  const at = (second: number): number => start + Math.round((length * second) / 11);
  bytes.fill(0, at(4), at(7));
  await writeFile(path, bytes);
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
    if (hasFfmpeg) await makeDamaged(at('damaged.m4a'));
    await writeFile(at('broken.mp3'), 'This is not audio.');
    await writeFile(at('broken.mp4'), 'This is not a film.');
    await copyFile(kennedy.mp3, at('whole.mp3'));
    await copyFile(kennedy.mp3, at('moving.mp3'));
    await copyFile(kennedy.mp3, at('REC0001.mp3'));
    const recordings = {
      'Film in webm': at('film.webm'),
      'Film in mp4': at('film.mp4'),
      Markup: at('whole.mp3'),
      Moving: at('moving.mp3'),
      Damaged: at('damaged.m4a'),
      'Broken sound': at('broken.mp3'),
      'Broken film': at('broken.mp4'),
      Recorder: at('REC0001.mp3'),
    };
    await fill(at('data'), recordings, ['Broken sound', 'Broken film', 'Recorder']);
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

  it.skipIf(!hasFfmpeg)('that is damaged plays on after the damage', async () => {
    await open(page, 'Damaged');
    await page.getByRole('button', { name: 'Play', exact: true }).press('Enter');
    await expect.poll(async () => (await playing(page))?.time, { timeout: 25_000 }).toBeGreaterThan(8);
    expect(await page.getByText('The recording cannot be played here.').count()).toBe(0);
    await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Go to 00:05' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).press('Enter');
    await expect.poll(async () => (await playing(page))?.time, { timeout: 25_000 }).toBeGreaterThan(8);
    await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
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

  it('whose name was used again for another one is only played when it is asked for', async () => {
    const path = join(folder.path, 'REC0001.mp3');
    const kept = join(folder.path, 'interview.mp3');
    const warning = page.getByText('This may be another recording.');
    await utimes(path, new Date(), new Date());
    await open(page, 'Recorder');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();

    await rename(path, kept);
    await writeFile(path, Buffer.concat([await readFile(kept), await readFile(kept)]));
    await open(page, 'Recorder');
    await warning.waitFor();
    expect(await playing(page)).toBeNull();
    const play = page.getByRole('button', { name: 'Play', exact: true });
    const playAnyway = page.getByRole('button', { name: 'Play it anyway' });
    await playAnyway.press('Enter');
    await play.waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
    // It is the transcribed one, and needs no question.
    await answerOpenDialog(program.app, kept);
    await page.getByRole('button', { name: 'Locate file…' }).press('Enter');
    await page.getByText('“interview.mp3” is its recording now').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter');
    await playAnyway.press('Enter');
    await play.waitFor();
    // The answer is remembered.
    await page.getByRole('button', { name: 'Back', exact: true }).press('Enter');
    await open(page, 'Recorder');
    await play.waitFor();
    expect(await warning.count()).toBe(0);
  });

  it('has a transcript that is never interpreted as markup', async () => {
    await open(page, 'Markup');
    expect(await page.getByRole('textbox', { name: /^Segment 1/ }).textContent()).toBe(hostile);
    expect(await page.title()).not.toMatch(/[12]/);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});
