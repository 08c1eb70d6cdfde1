import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
  type OutputFormat,
} from 'mediabunny';
import { describe, expect, it } from 'vitest';
import type { UnmeasuredReason } from '../../../../electron/contract/add-sheet-commands.ts';
import type { ProbedDuration } from '../../../../electron/core/media/duration-prober.ts';
import { probeDuration } from '../../../../electron/core/media/probe.ts';
import { putRecording } from '../../../support/put-recording.ts';
import { opusFile, packetSeconds } from '../../../support/speech/opus-file.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { repack } from '../../../support/speech/repacked.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

async function probe(path: string): Promise<ProbedDuration> {
  const handle = await open(path);
  try {
    return await probeDuration(handle, (await stat(path)).size);
  } finally {
    await handle.close();
  }
}

const durationOf = async (path: string): Promise<number | null> => (await probe(path)).seconds;
const reasonFor = async (path: string): Promise<UnmeasuredReason | null> => (await probe(path)).unmeasured;

/** A raw stream of ADTS frames, too long to read for its duration. */
const rawAac = Buffer.alloc(
  3 * 1024 * 1024,
  Buffer.concat([Buffer.of(0xff, 0xf1, 0x50, 0x80, 0x32, 0x1f, 0xfc), Buffer.alloc(393)]),
);

/** An ID3v2 tag whose content has this many bytes. */
const id3Tag = (length: number): Buffer =>
  Buffer.concat([
    Buffer.from('ID3\x04\0\0'),
    Buffer.of(length >> 21, (length >> 14) & 0x7f, (length >> 7) & 0x7f, length & 0x7f),
    Buffer.alloc(length),
  ]);

describe('the duration of a recording', () => {
  it.each<[string, OutputFormat]>([
    ['mp4', new Mp4OutputFormat()],
    ['fast-start.mp4', new Mp4OutputFormat({ fastStart: 'in-memory' })],
    ['fragmented.mp4', new Mp4OutputFormat({ fastStart: 'fragmented' })],
    ['mov', new MovOutputFormat()],
    ['mkv', new MkvOutputFormat()],
    ['no-header.mp3', new Mp3OutputFormat({ xingHeader: false })],
  ])('is found in %s', async (name, format) => {
    const path = join(await testFolder(), `speech.${name}`);
    await repack(path, format);
    expect(await durationOf(path)).toBeCloseTo(kennedy.seconds, 0);
  });

  it.each([kennedy.mp3, kennedy.wav])('is found in %s', async (path) => {
    expect(await durationOf(path)).toBeCloseTo(kennedy.seconds, 0);
  });

  it('is unknown for an MP4 file that is cut off before it, which is damaged', async () => {
    const path = join(await testFolder(), 'cut.mp4');
    await repack(path, new Mp4OutputFormat());
    await truncate(path, 40_000);
    expect(await reasonFor(path)).toBe('damaged');
  });

  it.each<[string, UnmeasuredReason, Buffer]>([
    ['noise.mp3', 'damaged', Buffer.alloc(9000, 'x\0y')],
    ['not-a-tag.mp3', 'damaged', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(3000, 0xfb)])],
    ['tag-and-noise.mp3', 'damaged', Buffer.concat([id3Tag(50), Buffer.alloc(3000, 'x\0y')])],
    ['only-a-tag.mp3', 'damaged', id3Tag(1_000_000).subarray(0, 3000)],
    ['tag.amr', 'undetermined', Buffer.concat([id3Tag(50), Buffer.from('#!AMR\n'), Buffer.alloc(9000, 4)])],
    ['header.wav', 'damaged', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), Buffer.alloc(9000)])],
    [
      'header.aiff',
      'undetermined',
      Buffer.concat([Buffer.from('FORM\0\0\0\0AIFF', 'latin1'), Buffer.alloc(9000)]),
    ],
    ['raw.aac', 'undetermined', rawAac],
    [
      'telephone.amr',
      'undetermined',
      Buffer.concat([Buffer.from('#!AMR\n', 'latin1'), Buffer.alloc(9000, 4)]),
    ],
  ])('of %s is unknown: %s', async (name, reason, content) => {
    const path = join(await testFolder(), name);
    await writeFile(path, content);
    expect(await reasonFor(path)).toBe(reason);
  });

  it('of a video without an audio track is unknown', async () => {
    const path = join(await testFolder(), 'mute.mp4');
    const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
    const video = new EncodedVideoPacketSource('vp9');
    output.addVideoTrack(video);
    await output.start();
    const packet = new EncodedPacket(new Uint8Array(100), 'key', 0, 1);
    const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 16, codedHeight: 16 };
    await video.add(packet, { decoderConfig });
    await output.finalize();
    await writeFile(path, new Uint8Array(output.target.buffer ?? new ArrayBuffer(0)));
    expect(await reasonFor(path)).toBe('no_audio');
  });

  it('of a video is that of its sound, as the service measures it', async () => {
    const path = join(await testFolder(), 'longer.mp4');
    const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
    const video = new EncodedVideoPacketSource('vp9');
    const audio = new EncodedAudioPacketSource('opus');
    output.addVideoTrack(video);
    output.addAudioTrack(audio);
    await output.start();
    const videoConfig = { codec: 'vp09.00.10.08', codedWidth: 16, codedHeight: 16 };
    const audioConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000 };
    const bytes = new Uint8Array(100);
    for (let second = 0; second < 12; second += 1)
      await video.add(new EncodedPacket(bytes, 'key', second, 1), { decoderConfig: videoConfig });
    for (let second = 0; second < 9; second += 1)
      await audio.add(new EncodedPacket(bytes, 'key', second, 1), { decoderConfig: audioConfig });
    await output.finalize();
    await writeFile(path, new Uint8Array(output.target.buffer ?? new ArrayBuffer(0)));
    expect(await probe(path)).toMatchObject({ seconds: 9, statedSeconds: 9 });
  });

  it('of a file that ends while it is read is unknown', async () => {
    const path = join(await testFolder(), 'copying.mp3');
    await repack(path, new Mp3OutputFormat({ xingHeader: false }));
    const { size } = await stat(path);
    const handle = await open(path);
    await truncate(path, 100);
    expect((await probeDuration(handle, size)).unmeasured).toBe('unreadable');
    await handle.close();
  });

  it('is missing because of damage, even while more of the file is being read', async () => {
    const path = join(await testFolder(), 'cut.ts');
    await repack(path, new MpegTsOutputFormat());
    const packets = await readFile(path);
    // From the second copy on, the packets do not begin where they should.
    await writeFile(path, Buffer.concat([packets, Buffer.alloc(100), ...Array<Buffer>(8).fill(packets)]));
    expect(await reasonFor(path)).toBe('damaged');
  });

  it.each([1e305, 3_600_001, Infinity, NaN])(
    'is unknown if the header claims %d seconds',
    async (seconds) => {
      const path = join(await testFolder(), 'false.mkv');
      await repack(path, new MkvOutputFormat());
      const file = await readFile(path);
      // The ID of `Duration`, and its length: a 64-bit float, in milliseconds.
      const start = file.indexOf(Buffer.of(0x44, 0x89, 0x88)) + 3;
      expect(start).toBeGreaterThan(2);
      file.writeDoubleBE(seconds * 1000, start);
      await writeFile(path, file);
      expect(await reasonFor(path)).toBe('undetermined');
    },
  );

  it('is searched in a small part of the file only', async () => {
    // Without its header, an MP3 file would have to be read to its end.
    const folder = await testFolder();
    const path = join(folder, 'long.mp3');
    await repack(path, new Mp3OutputFormat({ xingHeader: false }));
    const frames = await readFile(path);
    await writeFile(path, Buffer.concat(Array.from({ length: 60 }, () => frames)));
    const handle = await open(path);
    let read = 0;
    const counting = new Proxy(handle, {
      get: (target, property) =>
        property === 'read'
          ? (buffer: Uint8Array, offset: number, length: number, position: number) => {
              read += length;
              return target.read(buffer, offset, length, position);
            }
          : Reflect.get(target, property),
    });
    await probeDuration(counting, (await stat(path)).size);
    await handle.close();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(2 * 1024 * 1024);
  });
});

/** A WAVE file of `seconds` at 8000 bytes per second whose header states `statedBytes` of data. */
const wave = (seconds: number, statedBytes: number): Buffer => {
  const header = Buffer.alloc(44);
  header.write('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1');
  header.writeUInt32LE(Math.min(36 + statedBytes, 0xffff_ffff), 4);
  header.writeUInt32LE(4000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(statedBytes, 40);
  return Buffer.concat([header, Buffer.alloc(seconds * 8000)]);
};

/** MPEG audio of 100 frames whose first one has a VBRI tag that states `statedBytes`. */
const vbri = (statedBytes: number): Buffer => {
  const frame = Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0x00), Buffer.alloc(413)]);
  const tagged = Buffer.from(frame);
  tagged.write('VBRI', 36, 'latin1');
  tagged.writeUInt32BE(statedBytes, 46);
  return Buffer.concat([tagged, ...Array.from({ length: 99 }, () => frame)]);
};

/** Probes a file with the first `share` of `content`. */
const cut = async (name: string, content: Buffer, share = 1): Promise<ProbedDuration> => {
  const path = join(await testFolder(), name);
  await writeFile(path, content.subarray(0, Math.round(content.length * share)));
  return probe(path);
};

const repacked = async (format: OutputFormat): Promise<Buffer> => {
  const path = join(await testFolder(), 'whole');
  await repack(path, format);
  return readFile(path);
};

describe('a file that is shorter than its header says', () => {
  it('is incomplete as MP3, whose header still states its duration', async () => {
    const whole = await repacked(new Mp3OutputFormat());
    const { seconds, ...facts } = await cut('half.mp3', whole, 0.3);
    expect(facts).toMatchObject({ unmeasured: null, presentPercent: 30 });
    expect(seconds).toBeCloseTo(kennedy.seconds, 0);
    expect(facts.statedSeconds).toBe(seconds);
    expect((await cut('tagged.mp3', Buffer.concat([id3Tag(9000), whole]))).presentPercent).toBeUndefined();
    expect((await cut('appended.mp3', Buffer.concat([whole, whole]))).presentPercent).toBeUndefined();
  });

  it('is incomplete as MP3 with a VBRI tag', async () => {
    expect((await cut('cut.mp3', vbri(2 * 41_700))).presentPercent).toBe(50);
    expect((await cut('whole.mp3', vbri(41_700))).presentPercent).toBeUndefined();
  });

  it('is incomplete as MP4, even if it ends before the index', async () => {
    const fast = await repacked(new Mp4OutputFormat({ fastStart: 'in-memory' }));
    const { presentPercent, seconds, statedSeconds } = await cut('cut.m4a', fast, 0.4);
    expect(presentPercent).toBe(40);
    expect(statedSeconds).toBe(seconds);
    expect(seconds).toBeCloseTo(kennedy.seconds, 0);
    expect((await cut('whole.m4a', fast)).presentPercent).toBeUndefined();
    const slow = await repacked(new Mp4OutputFormat({ fastStart: false }));
    expect((await cut('cut-index.m4a', slow, 0.5)).presentPercent).toBeGreaterThan(40);
    expect((await cut('whole-index.m4a', slow)).presentPercent).toBeUndefined();
  });

  it('is incomplete as WAVE, unless its size was unknown when it was written', async () => {
    expect(await cut('cut.wav', wave(10, 320_000))).toStrictEqual({
      seconds: 10,
      unmeasured: null,
      statedSeconds: 40,
      presentPercent: 25,
    });
    expect(await cut('whole.wav', wave(10, 80_000))).toMatchObject({ seconds: 10, statedSeconds: 10 });
    for (const unknown of [0xffff_ffff, 0x7fff_f000])
      expect(await cut('streamed.wav', wave(10, unknown))).toStrictEqual({ seconds: 10, unmeasured: null });
  });

  it('has the duration of its last page as Ogg, whatever is damaged before', async () => {
    const file = Buffer.from(await opusFile(3000));
    file.fill(0, 150_000, 300_000);
    const { seconds, statedSeconds } = await cut('damaged.opus', file);
    expect(seconds).toBeCloseTo(3000 * packetSeconds, 1);
    expect(statedSeconds).toBe(seconds);
  });

  it('has the duration of its frames as ADTS, and of what is damaged between them', async () => {
    const file = Buffer.from(rawAac.subarray(0, 400 * 1000));
    const frameSeconds = 1024 / 44_100;
    expect((await cut('whole.aac', file)).seconds).toBeCloseTo(1000 * frameSeconds, 3);
    file.fill(0x55, 400 * 300, 400 * 500);
    expect(await cut('damaged.aac', file)).toStrictEqual({
      seconds: expect.closeTo(1000 * frameSeconds, 3),
      unmeasured: null,
    });
    const long = Buffer.from(rawAac);
    long.fill(0x55, 400 * 300, 400 * 500);
    expect(await cut('long.aac', long)).toStrictEqual({ seconds: null, unmeasured: 'undetermined' });
  });

  it('is damaged as Ogg if it ends in the middle of a page', async () => {
    const whole = Buffer.from(await opusFile(3000));
    expect((await cut('cut.opus', whole, 0.6)).unmeasured).toBe('damaged');
    expect(await cut('whole.opus', whole)).toMatchObject({ unmeasured: null });
  });

  it('is incomplete as Matroska and WebM, unless its size was unknown when it was written', async () => {
    const whole = await repacked(new MkvOutputFormat());
    const { presentPercent, statedSeconds } = await cut('cut.mka', whole, 0.5);
    expect(presentPercent).toBe(50);
    expect(statedSeconds).toBeCloseTo(kennedy.seconds, 0);
    const { presentPercent: wholePercent, statedSeconds: wholeSeconds } = await cut('whole.mka', whole);
    expect([wholePercent, wholeSeconds]).toStrictEqual([undefined, undefined]);
    const live = await repacked(new MkvOutputFormat({ appendOnly: true }));
    expect((await cut('live.mka', live, 0.5)).presentPercent).toBeUndefined();
  });

  it('is not looked for where the duration is only estimated', async () => {
    const bare = await repacked(new Mp3OutputFormat({ xingHeader: false }));
    for (const share of [1, 0.3]) {
      const { presentPercent, statedSeconds } = await cut('bare.mp3', bare, share);
      expect([presentPercent, statedSeconds]).toStrictEqual([undefined, undefined]);
    }
  });
});

describe('a broken recording', () => {
  it('that is a playlist is not followed', async () => {
    const folder = await testFolder();
    await putRecording(join(folder, 'part.mp3'));
    const path = join(folder, 'list.mp3');
    await writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:11\n#EXTINF:11,\npart.mp3\n#EXT-X-ENDLIST\n');
    expect(await durationOf(path)).toBeNull();
  });
});
