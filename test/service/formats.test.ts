import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDecoderPage, decodeFiles } from '../support/decode-files.ts';
import type { DecodedFile } from '../support/decoder-host.ts';
import { kennedy } from '../support/speech-audio.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const kennedyLoudness = 0.142;

const sound = `-i ${kennedy.wav}`;
const picture = '-f lavfi -i testsrc=size=160x120:rate=10';
const film = `${sound} ${picture} -t ${kennedy.seconds}`;

/** Recordings by name, and how ffmpeg makes them. The page reads these by itself. */
const readByPage: Readonly<Record<string, string>> = {
  'cbr.mp3': `${sound} -c:a libmp3lame -b:a 64k`,
  'variable.mp3': `${sound} -c:a libmp3lame -q:a 5`,
  'no-header.mp3': `${sound} -c:a libmp3lame -q:a 5 -write_xing 0`,
  'cover.mp3': `${sound} ${picture} -t ${kennedy.seconds} -map 0:a -map 1:v -frames:v 1 -c:v png -c:a libmp3lame -id3v2_version 3`,
  'aac.m4a': `${sound} -c:a aac`,
  'fast-start.m4a': `${sound} -c:a aac -movflags +faststart`,
  'fragments.m4a': `${sound} -c:a aac -movflags frag_keyframe+empty_moov`,
  'surround.m4a': `${sound} -ac 6 -ar 48000 -c:a aac`,
  'raw.aac': `${sound} -c:a aac`,
  'u8.wav': `${sound} -c:a pcm_u8`,
  's16.wav': `${sound} -c:a pcm_s16le -ar 44100`,
  's24.wav': `${sound} -c:a pcm_s24le`,
  's32.wav': `${sound} -c:a pcm_s32le`,
  'f32.wav': `${sound} -c:a pcm_f32le`,
  'f64.wav': `${sound} -c:a pcm_f64le`,
  'u-law.wav': `${sound} -c:a pcm_mulaw`,
  'a-law.wav': `${sound} -c:a pcm_alaw`,
  'rf64.wav': `${sound} -c:a pcm_s16le -rf64 always`,
  'flac.flac': `${sound} -c:a flac`,
  'vorbis.ogg': `${sound} -c:a libvorbis`,
  'opus.ogg': `${sound} -c:a libopus`,
  'opus.opus': `${sound} -c:a libopus`,
  'opus.webm': `${sound} -c:a libopus`,
  'vorbis.mka': `${sound} -c:a libvorbis`,
  'video.mp4': `${film} -c:v mpeg4 -c:a aac`,
  'video.mov': `${film} -c:v mpeg4 -c:a aac`,
  'video.mkv': `${film} -c:v mpeg4 -c:a libopus`,
  'video.webm': `${film} -c:v libvpx -deadline realtime -c:a libopus`,
  'tracks.mkv': `${sound} -f lavfi -t ${kennedy.seconds} -i anullsrc=r=16000 -map 0:a -map 1:a -c:a flac`,
  'broadcast.ts': `${sound} -c:a aac`,
};

/** These need an ffmpeg on the computer. */
const readByFfmpeg: Readonly<Record<string, string>> = {
  'alac.m4a': `${sound} -c:a alac`,
  'ac3.mp4': `${film} -c:v mpeg4 -c:a ac3`,
  'aiff.aiff': `${sound} -c:a pcm_s16be`,
  'aifc.aif': `${sound} -c:a pcm_f32be`,
  'au.au': `${sound} -c:a pcm_s16be`,
  'wma.wma': `${sound} -c:a wmav2`,
  'video.wmv': `${film} -c:v wmv2 -c:a wmav2`,
  'video.avi': `${film} -c:v mpeg4 -c:a libmp3lame`,
  'caf.caf': `${sound} -c:a pcm_s16be`,
};

let withPage: ReadonlyMap<string, DecodedFile>;
let withFfmpeg: ReadonlyMap<string, DecodedFile>;
let folder: string;
const pathOf = (name: string): string => join(folder, name);

function isWhole(result: DecodedFile | undefined): void {
  expect(Math.abs((result?.seconds ?? 0) - kennedy.seconds)).toBeLessThan(0.1);
  expect(Math.abs((result?.claimedSeconds ?? 0) - kennedy.seconds)).toBeLessThan(0.15);
  // Encoders that save much leave some of the highest pitches out.
  expect(Math.abs((result?.loudness ?? 0) - kennedyLoudness)).toBeLessThan(0.01);
}

describe.skipIf(!hasFfmpeg)('recordings made by an ffmpeg (skipped where none is installed)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhand-formats-'));
    await buildDecoderPage(folder);
    for (const [name, options] of Object.entries({ ...readByPage, ...readByFfmpeg })) {
      execFileSync('ffmpeg', ['-v', 'error', ...options.split(' '), pathOf(name)]);
    }
    const make = (name: string, options: string): Buffer =>
      execFileSync('ffmpeg', ['-v', 'error', ...options.split(' '), pathOf(name)]);
    make('late.mkv', `-itsoffset 2 ${sound} ${picture} -t ${kennedy.seconds + 2} -c:v mpeg4 -c:a aac`);
    make('adpcm.wav', `${sound} -c:a adpcm_ima_wav`);
    make('silent.mp4', `${picture} -t 2 -c:v mpeg4 -an`);
    make('whole.mp4', `${film} -c:v mpeg4 -c:a aac`);
    // What a recorder leaves whose battery ran out: sound whose length is not in its header yet.
    const unfinished = await readFile(kennedy.wav);
    unfinished.writeUInt32LE(0, 4);
    unfinished.writeUInt32LE(0, unfinished.indexOf('data') + 4);
    await writeFile(pathOf('unfinished.wav'), unfinished);
    await writeFile(pathOf('cut.mp4'), await readFile(pathOf('whole.mp4')));
    await truncate(pathOf('cut.mp4'), 40_000);
    const others = ['adpcm.wav', 'late.mkv', 'silent.mp4', 'cut.mp4', 'unfinished.wav'];
    const names = [...Object.keys(readByPage), ...Object.keys(readByFfmpeg), ...others];
    withPage = await decodeFiles(folder, names.map(pathOf));
    withFfmpeg = await decodeFiles(folder, [...Object.keys(readByFfmpeg), ...others].map(pathOf), 'ffmpeg');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(Object.keys(readByPage))('%s is read whole', (name) => {
    const result = withPage.get(name);
    isWhole(result);
    expect(result?.hasVideo).toBe(name.startsWith('video'));
  });

  it.each(Object.keys(readByFfmpeg))(
    '%s is read whole with an ffmpeg, and refused with advice without',
    (name) => {
      isWhole(withFfmpeg.get(name));
      expect(withPage.get(name)?.message).toMatch(/Install ffmpeg/);
    },
  );

  it('a WAV of a kind that the page does not know is read with an ffmpeg, and taken for damaged without', () => {
    isWhole(withFfmpeg.get('adpcm.wav'));
    expect(withPage.get('adpcm.wav')?.failure).toBe('broken');
  });

  it('sound that begins late comes after silence', () => {
    expect(withPage.get('late.mkv')?.seconds).toBeCloseTo(kennedy.seconds + 2, 0);
  });

  it('a video without sound is said to be one', () => {
    expect(withPage.get('silent.mp4')).toMatchObject({
      failure: 'no-audio',
      message: 'This recording has no sound.',
    });
    expect(withFfmpeg.get('silent.mp4')?.failure).toBe('no-audio');
  });

  it('a video whose index was cut off is said to be damaged', () => {
    expect(withPage.get('cut.mp4')?.failure).toBe('broken');
    expect(withFfmpeg.get('cut.mp4')?.failure).toBe('broken');
  });

  it('a recording whose length was never written is read to its end', () => {
    expect(withFfmpeg.get('unfinished.wav')?.seconds).toBeCloseTo(kennedy.seconds, 0);
  });

  it('each is told of in the documentation', async () => {
    const document = await readFile(new URL('../../docs/formats.md', import.meta.url), 'utf8');
    const missing = [...Object.keys(readByPage), ...Object.keys(readByFfmpeg)].filter(
      (name) => !document.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });
});
