import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoderChannel } from '../../electron/contract/decoder.ts';
import type { DecodedFile } from '../support/decoder-host.ts';
import { kennedy, noise, wavFile } from '../support/speech-audio.ts';

const root = new URL('../../', import.meta.url);
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const kennedyLoudness = 0.142;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-page-'));
  await build({
    configFile: false,
    root: new URL('renderer', root).pathname,
    base: './',
    logLevel: 'error',
    build: {
      outDir: join(folder, 'page'),
      rolldownOptions: { input: new URL('renderer/decoder/index.html', root).pathname },
    },
  });
  await writeFile(
    join(folder, 'preload.cjs'),
    `const { ipcRenderer } = require('electron');
     ipcRenderer.on('${decoderChannel}', (event) => window.postMessage('${decoderChannel}', '*', event.ports));`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

const pathOf = (name: string): string => join(folder, name);

/** Decodes files with the real page in a real Electron, without a display where the system allows it. */
async function decode(paths: readonly string[]): Promise<ReadonlyMap<string, DecodedFile>> {
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  const switches =
    process.platform === 'linux' ? ['--ozone-platform=headless', '--no-sandbox', '--disable-gpu'] : [];
  const program = new URL('test/support/decoder-host.ts', root).pathname;
  const page = pathOf('page/decoder/index.html');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...switches, program, page, pathOf('preload.cjs'), 'there-is-no-such-ffmpeg', ...paths],
    { env: environment },
  );
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const results = lines.map((line): DecodedFile => JSON.parse(line));
  return new Map(results.map((result) => [basename(result.file), result]));
}

describe('the decoder page in Electron', () => {
  it('decodes MP3 and PCM, as far as they go, and says what is no recording', async () => {
    await copyFile(kennedy.mp3, pathOf('cut.mp3'));
    await truncate(pathOf('cut.mp3'), 38_000);
    await writeFile(pathOf('noise.wav'), wavFile(noise(5), 44_100));
    await writeFile(pathOf('text.mp3'), 'This is a text and no recording.\n'.repeat(500));

    const results = await decode([kennedy.mp3, ...['cut.mp3', 'noise.wav', 'text.mp3'].map(pathOf)]);
    expect(results.get('jfk.mp3')?.seconds).toBeCloseTo(kennedy.seconds, 0);
    expect(results.get('jfk.mp3')?.claimedSeconds).toBeCloseTo(kennedy.seconds, 0);
    expect(results.get('jfk.mp3')?.loudness).toBeCloseTo(kennedyLoudness, 2);
    expect(results.get('cut.mp3')?.seconds).toBeGreaterThan(3);
    expect(results.get('cut.mp3')?.seconds).toBeLessThan(kennedy.seconds);
    expect(results.get('noise.wav')?.loudness).toBeGreaterThan(0.02);
    expect(results.get('text.mp3')?.failure).toBe('unknown-container');
  });
});

describe.skipIf(!hasFfmpeg)('made by an ffmpeg (skipped where none is installed)', () => {
  const sound = `-i ${kennedy.wav}`;
  const picture = '-f lavfi -i testsrc=size=160x120:rate=10';
  const kinds: Readonly<Record<string, string>> = {
    'aac.m4a': `${sound} -c:a aac`,
    'aac.aac': `${sound} -c:a aac`,
    'flac.flac': `${sound} -c:a flac`,
    'vorbis.ogg': `${sound} -c:a libvorbis`,
    'opus.opus': `${sound} -c:a libopus`,
    'opus.webm': `${sound} -c:a libopus`,
    'variable.mp3': `${sound} -c:a libmp3lame -q:a 5 -write_xing 0`,
    's16.wav': `${sound} -c:a pcm_s16le -ar 44100`,
    's24.wav': `${sound} -c:a pcm_s24le`,
    'f32.wav': `${sound} -c:a pcm_f32le`,
    'surround.m4a': `${sound} -ac 6 -ar 48000 -c:a aac`,
    'video.mp4': `${sound} ${picture} -t ${kennedy.seconds} -c:v mpeg4 -c:a aac`,
    'video.mov': `${sound} ${picture} -t ${kennedy.seconds} -c:v mpeg4 -c:a aac`,
    'video.mkv': `${sound} ${picture} -t ${kennedy.seconds} -c:v mpeg4 -c:a libopus`,
    'broadcast.ts': `${sound} -c:a aac`,
    'late.mkv': `-itsoffset 2 ${sound} ${picture} -t ${kennedy.seconds + 2} -c:v mpeg4 -c:a aac`,
    'silent.mp4': `${picture} -t 2 -c:v mpeg4 -an`,
    'alac.m4a': `${sound} -c:a alac`,
    'aiff.aiff': `${sound} -c:a pcm_s16be`,
  };
  let results: ReadonlyMap<string, DecodedFile>;
  beforeAll(async () => {
    for (const [name, options] of Object.entries(kinds)) {
      execFileSync('ffmpeg', ['-v', 'error', ...options.split(' '), pathOf(name)]);
    }
    results = await decode(Object.keys(kinds).map(pathOf));
  });

  it.each(Object.keys(kinds).filter((name) => !/late|silent|alac|aiff/.test(name)))(
    '%s is decoded whole',
    (name) => {
      const result = results.get(name);
      expect(Math.abs((result?.seconds ?? 0) - kennedy.seconds)).toBeLessThan(0.1);
      expect(Math.abs((result?.claimedSeconds ?? 0) - kennedy.seconds)).toBeLessThan(0.1);
      expect(result?.loudness).toBeCloseTo(kennedyLoudness, 2);
      expect(result?.hasVideo).toBe(name.startsWith('video'));
    },
  );

  it('sound that begins late comes after silence', () => {
    expect(results.get('late.mkv')?.seconds).toBeCloseTo(kennedy.seconds + 2, 0);
  });

  it.each([
    ['silent.mp4', 'no-audio'],
    ['alac.m4a', 'unsupported-codec'],
    ['aiff.aiff', 'unknown-container'],
  ])('%s is refused: %s', (name, reason) => {
    expect(results.get(name)?.failure).toBe(reason);
  });
});
