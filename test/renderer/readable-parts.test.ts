import { expect, it } from 'vitest';
import { readableParts } from '../../renderer/decoder/readable-parts.ts';
import type { ReadBytes } from '../../renderer/decoder/read-bytes.ts';

const mib = 1024 ** 2;
/** The identifiers of the packets. */
const [audio, video] = [0x100, 0x101];

interface Stream {
  readonly packets: number;
  /** The length of a packet in the file, and the bytes before it. */
  readonly length?: number;
  readonly before?: number;
  /** The identifier of a packet, and whether a unit starts in it. */
  readonly packet: (index: number) => { readonly pid: number; readonly isStart: boolean };
}

/** Returns a transport stream that is made as it is read. */
function streamOf({ packets, length = 188, before = 0, packet }: Stream): {
  sizeBytes: number;
  read: ReadBytes;
} {
  return {
    sizeBytes: packets * length,
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start);
      for (let index = Math.floor(start / length); index * length < end; index += 1) {
        const { pid, isStart } = packet(index);
        const header = [0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10];
        header.forEach((byte, i) => {
          const at = index * length + before + i - start;
          if (at >= 0 && at < bytes.length) bytes[at] = byte;
        });
      }
      return bytes;
    },
  };
}

const partsOf = async (stream: Stream) => {
  const { sizeBytes, read } = streamOf(stream);
  return readableParts(sizeBytes, read, 'random');
};
const packetsOf = (bytes: number): number => Math.floor(bytes / 188);

it.each([
  ['188 bytes', {}],
  ['192 bytes', { length: 192, before: 4 }],
  ['204 bytes', { length: 204 }],
])('a unit of a transport stream that never ends is cut off, in packets of %s', async (_what, layout) => {
  const packets = packetsOf(80 * mib);
  const stream: Stream = { ...layout, packets, packet: (index) => ({ pid: audio, isStart: index < 10 }) };
  const { parts, lostShare } = await partsOf(stream);
  const length = stream.length ?? 188;
  const kept = 9 + packetsOf(64 * mib);
  expect(parts.map(({ sizeBytes }) => sizeBytes / length)).toEqual([kept]);
  expect(lostShare).toBeCloseTo((packets - kept) / kept);
});

it('a transport stream continues where the next unit starts', async () => {
  const packets = packetsOf(90 * mib);
  const next = packetsOf(80 * mib);
  const isStart = (index: number): boolean => index === 0 || index >= next;
  const { parts, lostShare } = await partsOf({
    packets,
    packet: (index) => ({ pid: audio, isStart: isStart(index) }),
  });
  const kept = packetsOf(64 * mib) + packets - next;
  expect(parts.map(({ sizeBytes }) => sizeBytes / 188)).toEqual([kept]);
  expect(lostShare).toBe(0);
});

/** Empty packets, which start no unit, and video, with few packets of audio between them. */
const interleaved = (index: number) =>
  index % 1000 === 0
    ? { pid: audio, isStart: index % 100_000 === 0 }
    : index % 2 === 0
      ? { pid: 0x1fff, isStart: false }
      : { pid: video, isStart: index % 501 === 0 };

it('a transport stream whose units end is read as it is, whatever is between them', async () => {
  const packets = packetsOf(150 * mib);
  expect(await partsOf({ packets, packet: interleaved })).toEqual({ parts: [], lostShare: 0 });
});
