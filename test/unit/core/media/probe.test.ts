import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MkvOutputFormat,
  MovOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  type OutputFormat,
} from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { probeDuration } from '../../../../electron/core/media/probe.ts';
import { putRecording } from '../../../support/put-recording.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { repack } from '../../../support/speech/repacked.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

async function durationOf(path: string): Promise<number | null> {
  const handle = await open(path);
  try {
    return await probeDuration(handle, (await stat(path)).size);
  } finally {
    await handle.close();
  }
}

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

  it('is unknown for an MP4 file that is cut off before it', async () => {
    const path = join(await testFolder(), 'cut.mp4');
    await repack(path, new Mp4OutputFormat());
    await truncate(path, 40_000);
    expect(await durationOf(path)).toBeNull();
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
      expect(await durationOf(path)).toBeNull();
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

describe('a broken recording', () => {
  it('that is a playlist is not followed', async () => {
    const folder = await testFolder();
    await putRecording(join(folder, 'part.mp3'));
    const path = join(folder, 'list.mp3');
    await writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:11\n#EXTINF:11,\npart.mp3\n#EXT-X-ENDLIST\n');
    expect(await durationOf(path)).toBeNull();
  });
});
