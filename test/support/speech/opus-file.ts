import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  OggOutputFormat,
  Output,
  type OutputFormat,
} from 'mediabunny';

/** Seconds of a packet. */
export const packetSeconds = 0.02;

/**
 * Opus with packets of different lengths, some of which span pages; their contents are their numbers.
 *
 * @param timeOf returns when a packet starts, in seconds
 */
export async function opusFile(
  packetCount: number,
  format: OutputFormat = new OggOutputFormat(),
  timeOf = (packet: number): number => packet * packetSeconds,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const description = Uint8Array.of(...Buffer.from('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0);
  for (let i = 0; i < packetCount; i++) {
    const data = Buffer.alloc(20 + ((i * 37) % 300), `.${String(i).padStart(5, '0')}`);
    // One frame of 20 ms with CELT, in one channel (RFC 6716, part 3.1).
    data[0] = 31 << 3;
    await source.add(new EncodedPacket(data, 'key', timeOf(i), packetSeconds), {
      decoderConfig: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer());
}
