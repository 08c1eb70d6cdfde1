import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isComplete, type Waveform } from '../../electron/contract/waveform.ts';
import { displayLevels } from '../../renderer/features/transcript/player/growing-waveform.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { fillLibrary } from '../support/library-folder.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';
import { noise, wavFile } from '../support/speech/speech-audio.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** Longer than what is decoded completely, so that the recording is sampled. */
const seconds = 4200;
const rate = 8000;
/** The start of each loud passage of three seconds, late in a minute; the rest is silent. */
const loudAt = [54, 1014, 2395, 3175, 4194];
const loudSeconds = 3;

/** Formats in which the file's index is used for seeking, that are cut into slices, and that consist of parts if damaged. */
const encoders: Readonly<Record<string, readonly string[]>> = {
  m4a: ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '16k'],
  flac: ['-c:a', 'flac', '-compression_level', '0'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '16k'],
  opus: ['-c:a', 'libopus', '-b:a', '16k', '-vbr', 'off'],
};
/** The formats that are damaged, between the second and the third passage. */
const damagedKinds: ReadonlySet<string> = new Set(['opus', 'mp3']);

async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(0, Math.round(bytes.length * 0.35), Math.round(bytes.length * 0.45));
  await writeFile(path, bytes);
}

async function makeRecording(path: string): Promise<void> {
  const samples = new Float32Array(seconds * rate);
  for (const at of loudAt) samples.set(noise(loudSeconds, 0.9).subarray(0, loudSeconds * rate), at * rate);
  await writeFile(path, wavFile(samples, rate));
}

/** Returns the only stored waveform; `null` until it is complete. */
async function storedWaveform(data: string): Promise<Waveform | null> {
  const folder = join(data, 'waveforms');
  const name = (await readdir(folder).catch(() => [])).find((file) => file.endsWith('.json'));
  if (name === undefined) return null;
  const { sliceSeconds, peaks } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
    readonly sliceSeconds: readonly (number | null)[];
    readonly peaks: string;
  };
  const waveform = { sliceSeconds, peaks: new Uint8Array(Buffer.from(peaks, 'base64')) };
  return isComplete(waveform) ? waveform : null;
}

/** Returns the seconds at which a waveform becomes loud. */
function loudStarts(waveform: Waveform): readonly number[] {
  const levels = displayLevels(waveform);
  const perLevel = seconds / levels.length;
  return [...levels].flatMap((level, index) =>
    level > 100 && (levels[index - 1] ?? 0) <= 100 ? index * perLevel : [],
  );
}

describe('the waveform of a long recording', () => {
  let folder: TemporaryFolder;
  let program: RunningProgram | null = null;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await makeRecording(join(folder.path, 'long.wav'));
  });
  afterAll(() => folder.remove());
  afterEach(async () => {
    await program?.close();
    program = null;
  });

  it.each(['wav', ...(hasFfmpeg ? Object.keys(encoders) : [])])(
    'shows loud passages of %s at the right time',
    async (kind) => {
      const path = join(folder.path, `long.${kind}`);
      const codec = encoders[kind];
      if (codec !== undefined) {
        execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder.path, 'long.wav'), ...codec, path]);
      }
      if (damagedKinds.has(kind)) await damage(path);
      const data = join(folder.path, `data-${kind}`);
      await fillLibrary(data, [
        {
          name: 'Long',
          durationSeconds: seconds,
          recording: { path, sizeBytes: (await stat(path)).size, fingerprint: null },
          transcript: { language: 'en', text: 'Long', segments: [{ start: 0, end: 5, text: 'Long.' }] },
        },
      ]);
      program = await startProgram(data);
      await program.page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
      await program.page.getByRole('row', { name: 'Long' }).click();
      const waveform = await vi.waitFor(
        async () => {
          const complete = await storedWaveform(data);
          if (complete === null) throw new Error('the waveform is not complete');
          return complete;
        },
        { timeout: 200_000, interval: 250 },
      );
      const starts = loudStarts(waveform);
      expect(starts).toHaveLength(loudAt.length);
      // The width of about two bars.
      starts.forEach((at, index) => expect(Math.abs(at - (loudAt[index] ?? 0))).toBeLessThan(4.5));
    },
  );
});
