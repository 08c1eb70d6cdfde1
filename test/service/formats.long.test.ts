import { execFileSync, spawnSync } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAdtsFrame } from '../../electron/core/media/media-signature.ts';
import { buildDecoderPage, decodeFiles } from '../support/speech/decode-files.ts';
import type { DecodedFile } from '../support/speech/decoder-host.ts';
import { kennedy } from '../support/speech/speech-audio.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const kennedyLoudness = 0.142;

/** Four seconds of bundled synthetic speech; most builds of ffmpeg can read AMR but not write it. */
function fixture(name: string): string {
  return new URL(`../fixtures/${name}`, import.meta.url).pathname;
}
const amr = { seconds: 4, loudness: 0.089 };

const sound = `-i ${kennedy.wav}`;
const picture = '-f lavfi -i testsrc=size=160x120:rate=10';
const film = `${sound} ${picture} -t ${kennedy.seconds}`;

/** Recordings by name, with the ffmpeg arguments that make them. The page decodes these. */
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

/** Recordings that need an installed ffmpeg. */
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
  'adpcm.wav': `${sound} -c:a adpcm_ima_wav`,
  'ms-adpcm.wav': `${sound} -c:a adpcm_ms`,
  'g726.wav': `${sound} -c:a g726 -ar 8000`,
  'mp3.wav': `${sound} -c:a libmp3lame`,
};

const silence = `-f lavfi -t ${kennedy.seconds} -i anullsrc=r=16000`;
/** The second track is the default one. */
const secondTrack = `${silence} ${sound} -map 0:a -map 1:a -disposition:a:0 0 -disposition:a:1 default`;

/** Recordings with special properties. */
const others: Readonly<Record<string, string>> = {
  'late.mkv': `-itsoffset 2 ${sound} ${picture} -t ${kennedy.seconds + 2} -c:v mpeg4 -c:a aac`,
  'silent.mp4': `${picture} -t 2 -c:v mpeg4 -an`,
  'whole.mp4': `${film} -c:v mpeg4 -c:a aac`,
  'second.mkv': `${secondTrack} -c:a flac`,
  'second-alac.mov': `${secondTrack} -c:a alac`,
  'mixed.mov': `${sound} ${silence} -map 0:a -map 1:a -c:a:0 alac -c:a:1 aac`,
  'phone.3gp': `-i ${fixture('narrow.amr')} -c copy`,
};

/** Noise with a tone of a second: what is behind damage must be found at its time. */
const toneSecond = 30;
const signalSeconds = 40;
const signal = `-f lavfi -t ${signalSeconds} -i aevalsrc=between(t\\,${toneSecond}\\,${toneSecond + 1})*0.5*sin(2765*t)+0.02*(random(0)-0.5):s=48000`;
/** Recordings in which 15 % of the bytes are lost before the tone: zeros, or random bytes in those called scrambled. */
const damaged: Readonly<Record<string, string>> = {
  'damaged.mp3': `${signal} -c:a libmp3lame -b:a 64k`,
  'damaged-no-header.mp3': `${signal} -c:a libmp3lame -b:a 64k -write_xing 0`,
  'damaged-variable.mp3': `${signal} -c:a libmp3lame -q:a 5`,
  'damaged.m4a': `${signal} -c:a aac -b:a 64k`,
  'damaged.aac': `${signal} -c:a aac -b:a 64k`,
  'damaged.ogg': `${signal} -c:a libvorbis`,
  'damaged.opus': `${signal} -c:a libopus -vbr off -b:a 64k`,
  'damaged.webm': `${signal} -c:a libopus -vbr off -b:a 64k`,
  'damaged.mka': `${signal} -c:a libvorbis`,
  'damaged.flac': `${signal} -c:a flac`,
  'damaged.ts': `${signal} -c:a aac -b:a 64k`,
  'scrambled.webm': `${signal} -c:a libopus -vbr off -b:a 64k`,
  'scrambled-live.webm': `${signal} -c:a libopus -vbr off -b:a 64k -live 1 -f webm`,
  'scrambled.mka': `${signal} -c:a libvorbis`,
  'scrambled.mkv': `${signal} ${picture} -shortest -c:v mpeg4 -c:a aac -b:a 64k`,
};
/** Files of which nothing says that their end is lost: no header states a duration. */
const withoutEnd = ['damaged-no-header.mp3', 'damaged.aac', 'damaged.ogg', 'damaged.opus', 'damaged.ts'];

/** Returns frames of AAC of which the one in the middle has an intact header, but no audio that can be decoded. */
function withBrokenFrame(bytes: Buffer): Buffer {
  let at = 0;
  let length = 0;
  while (at + length < bytes.length / 2) {
    at += length;
    length = readAdtsFrame(bytes, at)?.length ?? NaN;
  }
  return bytes.fill(0xa5, at + 7, at + length);
}

/** Headers that claim ten times the actual duration. */
const wrongHeaders: Readonly<
  Record<string, { readonly of: string; readonly change: (bytes: Buffer) => void }>
> = {
  'lying.wav': {
    of: 's16.wav',
    change(bytes) {
      const length = bytes.indexOf('data') + 4;
      bytes.writeUInt32LE(10 * bytes.readUInt32LE(length), length);
      bytes.writeUInt32LE(10 * bytes.readUInt32LE(4), 4);
    },
  },
  'lying.mp3': {
    of: 'variable.mp3',
    change(bytes) {
      const frames = bytes.indexOf('Xing') + 8;
      bytes.writeUInt32BE(10 * bytes.readUInt32BE(frames), frames);
    },
  },
  'lying.flac': {
    of: 'flac.flac',
    // The last four of the five bytes of the sample count in the header.
    change: (bytes) => bytes.writeUInt32BE(10 * bytes.readUInt32BE(22), 22),
  },
  'lying.aiff': {
    of: 'aiff.aiff',
    change(bytes) {
      const frames = bytes.indexOf('COMM') + 10;
      bytes.writeUInt32BE(10 * bytes.readUInt32BE(frames), frames);
    },
  },
  // As left by a recorder whose battery died: the header does not have the length yet.
  'unfinished.wav': {
    of: 's16.wav',
    change(bytes) {
      bytes.writeUInt32LE(0, bytes.indexOf('data') + 4);
      bytes.writeUInt32LE(0, 4);
    },
  },
};

let withPage: ReadonlyMap<string, DecodedFile>;
let withFfmpeg: ReadonlyMap<string, DecodedFile>;
let folder: string;
const pathOf = (name: string): string => join(folder, name);

const adviceAbout = (kind: string): string =>
  `This recording uses ${kind} sound, which Longhand cannot read on its own. Install ffmpeg and try again.`;

function expectWhole(result: DecodedFile | undefined): void {
  const { seconds = 0, claimedSeconds = 0 } = result ?? {};
  expect(result?.message).toBeUndefined();
  expect(Math.abs(seconds - kennedy.seconds)).toBeLessThan(0.15);
  expect(Math.abs((claimedSeconds ?? seconds) - seconds)).toBeLessThan(0.15);
  // Low-bitrate encoders drop some of the highest frequencies.
  expect(Math.abs((result?.loudness ?? 0) - kennedyLoudness)).toBeLessThan(0.01);
}

describe.skipIf(!hasFfmpeg)('recordings made by ffmpeg (skipped when it is not installed)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhand-formats-'));
    await buildDecoderPage(folder);
    for (const [name, options] of Object.entries({
      ...readByPage,
      ...readByFfmpeg,
      ...others,
      ...damaged,
    })) {
      execFileSync('ffmpeg', ['-v', 'error', ...options.split(' '), pathOf(name)]);
    }
    for (const name of ['narrow.amr', 'wide.amr']) await copyFile(fixture(name), pathOf(name));
    for (const [name, { of, change }] of Object.entries(wrongHeaders)) {
      const bytes = await readFile(pathOf(of));
      change(bytes);
      await writeFile(pathOf(name), bytes);
    }
    await writeFile(pathOf('broken-frame.aac'), withBrokenFrame(await readFile(pathOf('raw.aac'))));
    for (const name of withoutEnd) {
      const bytes = await readFile(pathOf(name));
      await writeFile(pathOf(`end-${name}`), bytes.fill(0, Math.round(bytes.length / 2)));
    }
    for (const name of Object.keys(damaged)) {
      const bytes = await readFile(pathOf(name));
      const lost = bytes.subarray(Math.round(bytes.length * 0.35), Math.round(bytes.length * 0.5));
      lost.fill(0);
      // The same bytes in every run.
      if (name.startsWith('scrambled'))
        lost.set(createCipheriv('aes-256-ctr', lost.subarray(0, 32), lost.subarray(0, 16)).update(lost));
      await writeFile(pathOf(name), bytes);
    }
    await writeFile(pathOf('cut.mp4'), await readFile(pathOf('whole.mp4')));
    await truncate(pathOf('cut.mp4'), 40_000);
    const names = (await readdir(folder)).filter((name) => /\.(?!cjs)/.test(name));
    withPage = await decodeFiles(folder, names.map(pathOf));
    const unreadableByPage = names.filter((name) => readByPage[name] === undefined);
    withFfmpeg = await decodeFiles(folder, unreadableByPage.map(pathOf), 'ffmpeg');
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true }));

  it.each(Object.keys(readByPage))('%s is read completely', (name) => {
    const result = withPage.get(name);
    expectWhole(result);
    expect(result?.hasVideo).toBe(name.startsWith('video'));
    expect(result?.damage?.omittedSeconds).toBe(0);
    expect(result?.damage?.unreadableSeconds).toBeLessThan(0.15);
  });

  it.each(Object.keys(readByFfmpeg))(
    '%s is read completely with an ffmpeg, and refused with advice without',
    (name) => {
      expectWhole(withFfmpeg.get(name));
      expect(withPage.get(name)?.message).toMatch(/Install ffmpeg/);
    },
  );

  it.each(Object.keys(damaged))('%s is read on behind the damage, at the right times', (name) => {
    const { seconds = 0, damage, loudestSecond } = withPage.get(name) ?? {};
    const { unreadableSeconds = 0, omittedSeconds = 0 } = damage ?? {};
    expect(unreadableSeconds).toBeGreaterThan(signalSeconds * 0.1);
    // WebM is lost in clusters of five seconds.
    expect(unreadableSeconds).toBeLessThan(signalSeconds * 0.15 + 7);
    expect(omittedSeconds).toBe(0);
    expect(Math.abs(seconds - signalSeconds)).toBeLessThan(2);
    expect(Math.abs((loudestSecond ?? 0) - toneSecond)).toBeLessThan(2);
  });

  it('a frame with an intact header that cannot be decoded costs hardly more than itself', () => {
    const { damage } = withPage.get('broken-frame.aac') ?? {};
    expect(damage?.unreadableSeconds).toBeGreaterThan(0.02);
    expect(damage?.unreadableSeconds).toBeLessThan(0.2);
  });

  it.each(withoutEnd)('what is lost at the end of %s is reported', (name) => {
    const { seconds = 0, damage } = withPage.get(`end-${name}`) ?? {};
    expect(seconds).toBeGreaterThan(signalSeconds * 0.3);
    // It is estimated from the bytes, and Vorbis has more of them for the tone.
    expect(damage?.omittedSeconds).toBeGreaterThan(signalSeconds * 0.3);
    expect(damage?.omittedSeconds).toBeLessThan(signalSeconds * 0.8);
  });

  it('names the codec that is refused without ffmpeg', () => {
    const messages = ['adpcm.wav', 'g726.wav', 'mp3.wav', 'alac.m4a', 'phone.3gp'].map(
      (name) => withPage.get(name)?.message,
    );
    expect(messages).toEqual(['ADPCM', 'G.726', 'MP3', 'ALAC', 'AMR'].map(adviceAbout));
  });

  it.each(['narrow.amr', 'wide.amr', 'phone.3gp'])(
    '%s, as recorded by telephones, is read completely',
    (name) => {
      const { seconds = 0, loudness = 0 } = withFfmpeg.get(name) ?? {};
      expect(seconds).toBeCloseTo(amr.seconds, 1);
      expect(Math.abs(loudness - amr.loudness)).toBeLessThan(0.015);
      expect(withPage.get(name)?.message).toMatch(/Install ffmpeg/);
    },
  );

  it.each(Object.keys(wrongHeaders))('%s has the duration of its audio, whatever its header says', (name) => {
    const results = [withPage.get(name), withFfmpeg.get(name)].filter((one) => one?.failure === undefined);
    expect(results.length).toBeGreaterThan(0);
    results.forEach(expectWhole);
  });

  it('reads the default one of several tracks, with whichever decoder can', () => {
    expectWhole(withPage.get('second.mkv'));
    for (const name of ['second-alac.mov', 'mixed.mov']) {
      expectWhole(withFfmpeg.get(name));
      expect(withPage.get(name)?.failure).toBe('unsupported-codec');
    }
  });

  it('audio that begins late follows silence', () => {
    expect(withPage.get('late.mkv')?.seconds).toBeCloseTo(kennedy.seconds + 2, 0);
  });

  it('reports a video without audio', () => {
    expect(withPage.get('silent.mp4')).toMatchObject({
      failure: 'no-audio',
      message: 'This recording has no sound.',
    });
    expect(withFfmpeg.get('silent.mp4')?.failure).toBe('no-audio');
  });

  it('reports a video without its index as damaged', () => {
    expect(withPage.get('cut.mp4')?.failure).toBe('broken');
    expect(withFfmpeg.get('cut.mp4')?.failure).toBe('broken');
  });

  it('matches the table of the documentation', async () => {
    const document = await readFile(new URL('../../docs/formats.md', import.meta.url), 'utf8');
    const readBy = (name: string): string => {
      if (withPage.get(name)?.failure === undefined) return 'page';
      return withFfmpeg.get(name)?.failure === undefined ? 'ffmpeg' : 'none';
    };
    const documented = document.split('\n').flatMap((line) => {
      const [, , examples = '', by = ''] = line.split('|');
      return [...examples.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, by.trim()] as const);
    });
    const found = [...withPage.keys()].map((name) => [name, readBy(name)] as const);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(found));
  });
});
