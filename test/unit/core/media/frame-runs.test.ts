import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adtsFrames,
  findFrameRuns,
  mpegFrames,
  timeFrames,
  type FramesInFile,
  type TimedFrames,
} from '../../../../electron/core/media/frame-runs.ts';
import '../../../property-seed.ts';

/** MPEG 1 layer 3 at 44.1 kHz, without padding: the bit rate by its index, and the bytes of a frame. */
const mp3 = { 9: 417, 5: 208 } as const;
const frameSeconds = 1152 / 44_100;
const stereo = 0;
const mono = 0xc0;

function mp3Frame(rate: keyof typeof mp3 = 9, mode = stereo): Buffer {
  const frame = Buffer.alloc(mp3[rate], 0x55);
  frame.set([0xff, 0xfb, rate << 4, mode]);
  return frame;
}
const mp3Frames = (count: number, rate?: keyof typeof mp3, mode?: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => mp3Frame(rate, mode)));

const adtsBytes = 300;
const adtsSeconds = 1024 / 44_100;
function rawAac(count: number): Buffer {
  const frame = Buffer.alloc(adtsBytes, 0x55);
  frame.set([
    0xff,
    0xf1,
    0x50,
    0x80 | (adtsBytes >> 11),
    adtsBytes >> 3,
    ((adtsBytes & 7) << 5) | 0x1f,
    0xfc,
  ]);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

const tag = (bytes: number): Buffer => Buffer.concat([Buffer.from('ID3'), Buffer.alloc(bytes, 0x20)]);

const runsOf = (file: Buffer, format = mpegFrames): Promise<FramesInFile> =>
  findFrameRuns(
    { sizeBytes: file.length, from: async (at, length) => file.subarray(at, at + Math.max(length, 50_000)) },
    0,
    format,
  );
/** Returns when the parts of a file start and end, and how long what is lost behind them is, in frames. */
async function framesOf(file: Buffer): Promise<{ parts: number[]; end: number; lost: number }> {
  const { parts, endSeconds, lostSeconds } = timeFrames(await runsOf(file));
  const [end = 0, lost = 0, ...starts] = [
    endSeconds,
    lostSeconds,
    ...parts.map(({ startSeconds }) => startSeconds),
  ].map((seconds) => Math.round((seconds / frameSeconds) * 100) / 100);
  return { parts: starts, end, lost };
}

describe('the frames of a file', () => {
  test('follow one another in an intact one', async () => {
    const file = mp3Frames(1000);
    const { runs, lostBytes } = await runsOf(file);
    expect(runs).toMatchObject([{ start: 0, end: file.length, lostBytes: 0 }]);
    expect(lostBytes).toBe(0);
    expect(await framesOf(file)).toStrictEqual({ parts: [0], end: 1000, lost: 0 });
  });

  test('are found at their times behind damage, without the last frame before it', async () => {
    const file = mp3Frames(1000);
    file.fill(0, 417 * 300 + 200, 417 * 400);
    expect(await framesOf(file)).toStrictEqual({ parts: [0, 400], end: 1000, lost: 0 });
    const [first] = timeFrames(await runsOf(file)).parts;
    expect(first?.runs).toMatchObject([{ start: 0, end: 417 * 300 }]);
  });

  test('are joined where at most a tenth of a second is lost, until more is', async () => {
    const file = mp3Frames(1000);
    for (const frame of [100, 200, 300]) file.fill(0, 417 * frame, 417 * frame + 4);
    expect(await framesOf(file)).toStrictEqual({ parts: [0], end: 997, lost: 0 });
    file.fill(0, 417 * 400, 417 * 400 + 4);
    expect(await framesOf(file)).toStrictEqual({ parts: [0, 401], end: 1000, lost: 0 });
  });

  test('may be preceded, separated and followed by tags', async () => {
    const cover = tag(100_000);
    const file = Buffer.concat([cover, mp3Frames(100), Buffer.from('TAG'), cover, mp3Frames(100), cover]);
    expect(await framesOf(file)).toStrictEqual({ parts: [0], end: 200, lost: 0 });
  });

  test('may follow stray bytes, but not so many that they are damage', async () => {
    expect(await framesOf(Buffer.concat([Buffer.alloc(60_000), mp3Frames(100)]))).toMatchObject({
      parts: [0],
    });
    expect(await framesOf(Buffer.concat([Buffer.alloc(417 * 200), mp3Frames(100)]))).toMatchObject({
      parts: [200],
      end: 300,
    });
  });

  test('are counted as lost behind the end', async () => {
    const file = Buffer.concat([mp3Frames(100), Buffer.alloc(417 * 50)]);
    expect(await framesOf(file)).toStrictEqual({ parts: [0], end: 99, lost: 51 });
    expect((await framesOf(mp3Frames(100).subarray(0, -100))).end).toBe(99);
  });

  test('may be a byte shorter than they say', async () => {
    const short = mp3Frame().subarray(0, -1);
    const file = Buffer.concat([
      ...Array.from({ length: 20 }, () => [mp3Frames(10), short]).flat(),
      mp3Frames(1),
    ]);
    expect((await runsOf(file)).runs).toMatchObject([{ start: 0, end: file.length }]);
    expect(await framesOf(file)).toStrictEqual({ parts: [0], end: 221, lost: 0 });
  });

  test('have no audio if they describe the others', async () => {
    const info = mp3Frame();
    info.write('Xing', 36, 'latin1');
    expect((await framesOf(Buffer.concat([info, mp3Frames(99)]))).end).toBe(99);
  });

  test('start another part where their kind changes', async () => {
    const file = Buffer.concat([mp3Frames(100), mp3Frames(50, 9, mono), mp3Frames(50, 5, mono)]);
    expect(await framesOf(file)).toStrictEqual({ parts: [0, 100], end: 200, lost: 0 });
  });

  test('last as long as the ones beside them where they are lost', async () => {
    const file = Buffer.concat([mp3Frames(1000), mp3Frames(300, 5)]);
    file.fill(0, 417 * 1000 + 208 * 100, 417 * 1000 + 208 * 200);
    const { parts } = await framesOf(
      Buffer.concat([mp3Frames(1000), Buffer.from('ID3'), file.subarray(417_000)]),
    );
    expect(parts).toStrictEqual([0, 1200]);
  });

  test('are found as ADTS, whose first one is damaged', async () => {
    const file = rawAac(1000);
    file.fill(0, 0, 10);
    file.fill(0, adtsBytes * 300, adtsBytes * 400);
    const { parts, endSeconds } = timeFrames(await runsOf(file, adtsFrames));
    // What precedes the first frame is not known to be part of the recording.
    expect(parts.map(({ startSeconds }) => startSeconds / adtsSeconds)).toStrictEqual([
      0,
      expect.closeTo(399, 3),
    ]);
    expect(endSeconds / adtsSeconds).toBeCloseTo(999, 3);
  });

  test('keep their times whatever is damaged', async () => {
    const damage = fc.record({
      from: fc.integer({ min: 417 * 3, max: 417 * 2000 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 5000, size: 'max' }),
      repeated: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 12 }), async (damages) => {
        const file = mp3Frames(2000);
        for (const { from, bytes, repeated } of damages) {
          for (let i = 0; i < repeated; i++)
            file.set(
              bytes.subarray(0, Math.max(0, file.length - from - i * bytes.length)),
              Math.min(file.length, from + i * bytes.length),
            );
        }
        const found = await runsOf(file);
        expect(found.runs.map(({ start }) => start % 417)).toStrictEqual(found.runs.map(() => 0));
        expectInOrder(found, timeFrames(found));
        for (const { runs, startSeconds } of timeFrames(found).parts) {
          const [{ start } = { start: 0 }] = runs;
          expect(Math.abs(startSeconds / frameSeconds - start / 417)).toBeLessThan(0.01);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Expects that parts do not overlap, in bytes and in time, and that they are what was found. */
function expectInOrder(found: FramesInFile, { parts, endSeconds, lostSeconds }: TimedFrames): void {
  let position = 0;
  let time = 0;
  for (const { runs, startSeconds } of parts) {
    expect(startSeconds).toBeGreaterThanOrEqual(time - 1e-9);
    time = startSeconds;
    expect(new Set(runs.map(({ last }) => last.kind)).size).toBe(1);
    for (const { start, end, seconds } of runs) {
      expect(start).toBeGreaterThanOrEqual(position);
      expect(end).toBeGreaterThanOrEqual(start);
      position = end;
      time += seconds;
    }
  }
  expect(endSeconds).toBeCloseTo(time, 6);
  expect(parts.flatMap(({ runs }) => runs.map(({ start }) => start))).toStrictEqual(
    found.runs.map(({ start }) => start),
  );
  expect(lostSeconds).toBeGreaterThanOrEqual(0);
}

test('any runs become parts in order, at the times of their bytes', () => {
  const run = fc.record({
    frames: fc.integer({ min: 3, max: 5000 }),
    kind: fc.constantFrom(1, 1, 1, 2),
    lostBytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 1e7 })),
  });
  const length = 417;
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 20 }), fc.nat(1e6), (descriptions, lostBytes) => {
      let end = 0;
      const runs = descriptions.map(({ frames, kind, lostBytes: lost }) => {
        const start = end + lost;
        end = start + frames * length;
        const last = { length, seconds: frameSeconds, kind };
        return { start, end, seconds: frames * frameSeconds, last, lostBytes: lost };
      });
      const found = { runs, lostBytes };
      const timed = timeFrames(found);
      expectInOrder(found, timed);
      for (const part of timed.parts) {
        let time = part.startSeconds;
        for (const { start, seconds } of part.runs) {
          const early = (start / length) * frameSeconds - time;
          expect(early).toBeGreaterThan(-1e-6);
          expect(early).toBeLessThan(0.1 + 1e-6);
          time += seconds;
        }
      }
      expect(timed.endSeconds + timed.lostSeconds).toBeLessThanOrEqual(
        ((end + lostBytes) / length) * frameSeconds + 1e-6,
      );
    }),
  );
});
