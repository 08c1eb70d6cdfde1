import fc from 'fast-check';
import { BufferSource, EncodedPacketSink, Input, OGG } from 'mediabunny';
import { beforeAll, expect, test } from 'vitest';
import { wholeFile } from '../../renderer/decoder/file-part.ts';
import { oggParts } from '../../renderer/decoder/ogg-parts.ts';
import '../property-seed.ts';
import { opusFile } from '../support/speech/opus-file.ts';

/** Identifies a packet in the recording. */
interface FoundPacket {
  readonly timestamp: number;
  readonly text: string;
}

const packetCount = 3000;

async function packetsOf(file: Uint8Array): Promise<readonly FoundPacket[]> {
  const input = new Input({ formats: [OGG], source: new BufferSource(file) });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('There is no track.');
  const found: FoundPacket[] = [];
  for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
    found.push({ timestamp, text: Buffer.from(data.subarray(1)).toString('latin1') });
  }
  return found;
}

const readFrom =
  (file: Uint8Array) =>
  (start: number, end: number): Promise<Uint8Array> =>
    Promise.resolve(file.subarray(start, end));

/** Returns the packets of all parts, in order. */
async function packetsOfParts(file: Uint8Array): Promise<readonly FoundPacket[]> {
  const { parts } = await oggParts(file.length, readFrom(file));
  const found: FoundPacket[] = [];
  for (const { sizeBytes, read } of parts) found.push(...(await packetsOf(await read(0, sizeBytes))));
  return found;
}

let intact: Uint8Array;
let intactPackets: readonly FoundPacket[];
beforeAll(async () => {
  intact = await opusFile(packetCount);
  intactPackets = await packetsOf(intact);
});

/** Where the pages with sound start: the third page, after the two of the headers. */
function firstAudioByte(file: Uint8Array): number {
  const text = Buffer.from(file).toString('latin1');
  return text.indexOf('OggS', text.indexOf('OpusTags'));
}

test('an intact file is read as it is', async () => {
  expect(intactPackets).toHaveLength(packetCount);
  expect(await oggParts(intact.length, readFrom(intact))).toStrictEqual(wholeFile);
});

test('every packet that damage does not touch is found at its time', async () => {
  const start = firstAudioByte(intact);
  const damage = fc.record({
    from: fc.integer({ min: start, max: intact.length - 1 }),
    length: fc.integer({ min: 1, max: 200_000 }),
    value: fc.integer({ min: 0, max: 255 }),
  });
  // A page that is damaged is lost with all of its packets, and with a packet that goes on in the next one.
  const maxPageBytes = 12_000;
  const text = Buffer.from(intact).toString('latin1');
  const known = new Map(
    intactPackets.map((packet) => [
      packet.text,
      { ...packet, start: text.indexOf(packet.text.slice(0, 12)) },
    ]),
  );
  await fc.assert(
    fc.asyncProperty(damage, async ({ from, length, value }) => {
      const file = intact.slice();
      file.fill(value, from, from + length);
      const changed = file.some((byte, at) => byte !== intact[at]);
      fc.pre(changed);
      const found = await packetsOfParts(file);
      for (const { timestamp, text: contents } of found) {
        expect(timestamp).toBeCloseTo(known.get(contents)?.timestamp ?? Number.NaN, 3);
      }
      const foundTexts = new Set(found.map(({ text: contents }) => contents));
      const expected = [...known.values()].filter(
        ({ start: at }) => at + maxPageBytes < from || at > from + length + maxPageBytes,
      );
      expect(expected.filter(({ text: contents }) => !foundTexts.has(contents))).toStrictEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('recordings that were joined are parts with times of their own', async () => {
  const joined = Buffer.concat([intact, intact]);
  const { parts } = await oggParts(joined.length, readFrom(joined));
  expect(parts.map(({ times }) => times)).toStrictEqual(['recording', 'appended']);
  expect(await packetsOfParts(joined)).toStrictEqual([...intactPackets, ...intactPackets]);
});

test('a file that is cut in a page ends with its last whole page', async () => {
  const cut = intact.subarray(0, Math.floor(intact.length * 0.6));
  const found = await packetsOfParts(cut);
  expect(found.length).toBeGreaterThan(packetCount * 0.4);
  expect(found).toStrictEqual(intactPackets.slice(0, found.length));
});

test('a title that was damaged makes nothing unreadable', async () => {
  const file = intact.slice();
  const title = Buffer.from(file).toString('latin1').indexOf('OpusTags') + 14;
  file.fill(0x41, title, title + 1);
  expect(await oggParts(file.length, readFrom(file))).toStrictEqual(wholeFile);
  const audio = firstAudioByte(file) + 20_000;
  file.fill(0, audio, audio + 1000);
  expect(await packetsOfParts(file)).not.toHaveLength(0);
});
