import fc from 'fast-check';
import {
  BufferSource,
  EncodedPacketSink,
  Input,
  MATROSKA,
  MkvOutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { wholeFile } from '../../renderer/decoder/file-part.ts';
import { matroskaParts } from '../../renderer/decoder/matroska-parts.ts';
import '../property-seed.ts';
import { opusFile, packetSeconds } from '../support/speech/opus-file.ts';

const packetCount = 3000;
const maxPacketBytes = 320;

/** Returns the packets of a file up to the first error: their times by what identifies them. */
async function packetsOf(file: Uint8Array): Promise<ReadonlyMap<string, number>> {
  const input = new Input({ formats: [MATROSKA, WEBM], source: new BufferSource(file) });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('There is no track.');
  const found = new Map<string, number>();
  try {
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets())
      found.set(Buffer.from(data.subarray(1)).toString('latin1'), timestamp);
  } catch {
    // The rest cannot be read.
  }
  return found;
}

const readFrom =
  (file: Uint8Array) =>
  (start: number, end: number): Promise<Uint8Array> =>
    Promise.resolve(file.subarray(start, end));

/** Returns the packets of the part that is read of a file. */
async function packetsOfPart(file: Uint8Array): Promise<ReadonlyMap<string, number>> {
  const [part, ...others] = (await matroskaParts(file.length, readFrom(file))).parts;
  expect(others).toStrictEqual([]);
  return packetsOf(part === undefined ? file : await part.read(0, part.sizeBytes));
}

const clusterStart = Buffer.of(0x1f, 0x43, 0xb6, 0x75);

describe.each([
  ['with an index', new MkvOutputFormat({ minimumClusterDuration: 2 })],
  ['written in one go', new WebMOutputFormat({ appendOnly: true, minimumClusterDuration: 2 })],
])('a recording %s', (_, format) => {
  const intact = opusFile(packetCount, format);
  const intactPackets = intact.then(packetsOf);

  test('is read as it is if it is intact', async () => {
    const file = await intact;
    expect((await intactPackets).size).toBe(packetCount);
    expect(await matroskaParts(file.length, readFrom(file))).toStrictEqual(wholeFile);
  });

  test('every packet of the clusters that damage does not touch is found at its time', async () => {
    const file = Buffer.from(await intact);
    const known = [...(await intactPackets)].map(([packet, time]) => {
      const start = file.indexOf(packet.slice(0, 12), 0, 'latin1');
      return { packet, time, start, end: start + packet.length };
    });
    const firstCluster = file.indexOf(clusterStart);
    const damage = fc.record({
      from: fc.integer({ min: firstCluster, max: file.length - 1 }),
      bytes: fc.uint8Array({ minLength: 100, maxLength: 30_000, size: 'max' }),
    });
    let foundBehind = 0;
    await fc.assert(
      fc.asyncProperty(damage, async ({ from, bytes }) => {
        const damaged = Buffer.from(file);
        damaged.set(bytes.subarray(0, file.length - from), from);
        const found = await packetsOfPart(damaged);
        const nextCluster = file.indexOf(clusterStart, from + bytes.length);
        const behind = known.filter(({ start }) => nextCluster !== -1 && start > nextCluster);
        // The last packet before the damage is not known to be intact.
        const before = known.filter(({ end }) => end + maxPacketBytes < from);
        const missing = [...before, ...behind].filter(({ packet, time }) => found.get(packet) !== time);
        expect(missing).toStrictEqual([]);
        foundBehind += behind.length;
      }),
      { numRuns: 60, endOnFailure: true },
    );
    expect(foundBehind).toBeGreaterThan(packetCount);
  });

  test('is read to the packet in which it is cut off', async () => {
    const file = await intact;
    const found = await packetsOfPart(file.subarray(0, Math.floor(file.length * 0.6)));
    const last = Math.max(...found.values());
    expect(found.size).toBe(Math.round(last / packetSeconds) + 1);
    expect(found.size).toBeGreaterThan(packetCount * 0.55);
  });
});
