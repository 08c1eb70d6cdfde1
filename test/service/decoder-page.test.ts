import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDecoderPage, decodeFiles } from '../support/speech/decode-files.ts';
import { kennedy, noise, wavFile } from '../support/speech/speech-audio.ts';

const kennedyLoudness = 0.142;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-page-'));
  await buildDecoderPage(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const pathOf = (name: string): string => join(folder, name);

describe('the decoder page in Electron', () => {
  it('decodes MP3 and PCM, even truncated, and rejects other files', async () => {
    await copyFile(kennedy.mp3, pathOf('cut.mp3'));
    await truncate(pathOf('cut.mp3'), 38_000);
    await writeFile(pathOf('noise.wav'), wavFile(noise(5), 44_100));
    await writeFile(pathOf('text.mp3'), 'This is a text and no recording.\n'.repeat(500));

    const results = await decodeFiles(folder, [
      kennedy.mp3,
      ...['cut.mp3', 'noise.wav', 'text.mp3'].map(pathOf),
    ]);
    expect(results.get('jfk.mp3')?.seconds).toBeCloseTo(kennedy.seconds, 0);
    expect(results.get('jfk.mp3')?.claimedSeconds).toBeCloseTo(kennedy.seconds, 0);
    expect(results.get('jfk.mp3')?.loudness).toBeCloseTo(kennedyLoudness, 2);
    expect(results.get('cut.mp3')?.seconds).toBeGreaterThan(3);
    expect(results.get('cut.mp3')?.seconds).toBeLessThan(kennedy.seconds);
    expect(results.get('noise.wav')?.loudness).toBeGreaterThan(0.02);
    expect(results.get('text.mp3')?.failure).toBe('unknown-container');
  });
});
